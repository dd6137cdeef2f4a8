"""The Trace pane: every event of the log, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import RichLog

from console.panes.held import Held
from console.panes.pane import Pane
from sessions.events import (
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    CardShown,
    CustomerSaid,
    Labelled,
    Logged,
    SessionEnded,
)
from sessions.views import label_words

LATEST = 400
"""Events that are listed; ``saber sessions show`` prints them all."""


class TracePane(Pane):
    """The end of the log; the pane follows it."""

    TITLE = "Trace"
    HELP = """\
## Trace

Every event of this session's log, in order: what happened, when, and its first words.
"""
    can_focus = False

    def __init__(self, conversation: Held) -> None:
        """Nothing is listed until the pane is seen."""
        super().__init__(conversation)
        self._listed = 0

    def compose(self) -> ComposeResult:
        """A virtual list: its cost does not grow with the log."""
        yield RichLog(id="trace-log", wrap=True, markup=False, max_lines=4 * LATEST, min_width=20)

    def take_event(self, event: AnyEvent) -> None:
        """Every event adds a line."""
        self._stale = True

    def draw(self) -> None:
        """Add the lines that are not there yet."""
        events = events_to_tell(self.conversation.log.events)
        log = self.query_one("#trace-log", RichLog)
        follows = log.is_vertical_scroll_end
        if len(events) < self._listed:  # a replay went back
            log.clear()
            self._listed = 0
            self.call_after_refresh(log.scroll_end, animate=False, x_axis=False)
        first = max(self._listed, len(events) - LATEST)
        for logged in events[first:]:
            log.write(trace_line(logged), scroll_end=follows)
        self._listed = len(events)


def events_to_tell(events: Sequence[Logged]) -> Sequence[Logged]:
    """Without an attention check that waits or was left: its name would give it away."""
    for place in range(len(events) - 1, -1, -1):
        match events[place].event:
            case AttentionCheckShown():
                return events[:place]
            case AttentionCheckDecided(decision="withdrawn"):
                pass
            case AttentionCheckDecided() | CardShown() | CustomerSaid() | SessionEnded():
                break
            case _:
                pass
    return events


def trace_line(logged: Logged) -> Text:
    """One event: number, local time, type, and what it says first."""
    when = datetime.fromisoformat(logged.at).astimezone().strftime("%H:%M:%S")
    gist = event_gist(logged.event)
    return Text.assemble(
        (f"{logged.seq:>3} {when} ", "dim"),
        (logged.event.type, "bold"),
        (f" {gist[:160]}" if gist else ""),
    )


def event_gist(event: AnyEvent) -> str:
    """The one field of an event that tells it from others of its type."""
    if isinstance(event, Labelled):
        return label_words(event)
    for name in (
        "text",
        "sentence",
        "decision",
        "name",
        "model",
        "reason",
        "scenario",
        "call_name",
    ):
        value = getattr(event, name, None)
        if isinstance(value, str) and value:
            return " ".join(value.split())
    card = getattr(event, "card", None)
    return card.sentence if card is not None else ""
