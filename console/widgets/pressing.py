"""What Textual's events say of the hands on the keyboard."""

from __future__ import annotations

from textual import events
from textual.app import App

from console.widgets.presses import Kind, Presses


class PressNotingApp(App[str]):
    """An app that notes every key, wherever it goes, before anything is done with it."""

    def __init__(self) -> None:
        super().__init__()
        self.presses = Presses()
        """When keys were pressed, for the cards to judge them by."""

    async def on_event(self, event: events.Event) -> None:
        """Note it, and pass it on."""
        _note(self.presses, event)
        await super().on_event(event)


def _note(presses: Presses, event: events.Event) -> None:
    """Remember a key, a click or a paste when it comes in; whatever else happens is passed by."""
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
