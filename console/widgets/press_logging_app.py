"""Records key presses, clicks and pastes from Textual's events."""

from __future__ import annotations

from textual import events
from textual.app import App

from console.widgets.press_log import Kind, PressLog


class PressLoggingApp(App[str]):
    """An app that records every key press, wherever it goes, before it is handled."""

    def __init__(self) -> None:
        super().__init__()
        self.presses = PressLog()
        """The log of presses by which the cards judge keys."""

    async def on_event(self, event: events.Event) -> None:
        """Record the event, and pass it on."""
        _note(self.presses, event)
        await super().on_event(event)


def _note(presses: PressLog, event: events.Event) -> None:
    """Record a key press, click or paste when it arrives; ignore all other events."""
    if event.is_forwarded:
        return
    match event:
        case events.Key():
            presses.note(event.time, _kind(event))
        case events.Paste():
            presses.note(event.time, "letter")
        case events.MouseDown():
            presses.note(event.time, "click", (event.screen_x, event.screen_y))
        case _:
            pass


def _kind(event: events.Key) -> Kind:
    if event.key == "enter":
        return "enter"
    return "letter" if event.is_printable or event.key == "backspace" else "other"
