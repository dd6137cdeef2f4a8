"""The Trace pane: every event of the log, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import RichLog

from console.panes.pane import Pane
from console.panes.session_view import SessionView
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
"""The most events to list; ``saber sessions show`` prints all of them."""


class TracePane(Pane):
    """Lists the latest events and follows the end of the log."""

    TITLE = "Trace"
    HELP = """\
## Trace

Every event of this session's log, in order: what happened, when, and its first words.
"""
    can_focus = False

    def __init__(self, conversation: SessionView) -> None:
        """Create an empty list; it is filled when the pane becomes visible."""
        super().__init__(conversation)
        self._listed = 0

    def compose(self) -> ComposeResult:
        """Yield a virtual list, whose cost does not grow with the length of the log."""
        yield RichLog(id="trace-log", wrap=True, markup=False, max_lines=4 * LATEST, min_width=20)

    def take_event(self, event: AnyEvent) -> None:
        """Mark the pane as outdated: every event adds a line."""
        self._stale = True

    def draw(self) -> None:
        """Write the events that are not listed yet."""
        events = visible_events(self.conversation.log.events)
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


def visible_events(events: Sequence[Logged]) -> Sequence[Logged]:
    """Return the events before a pending or withdrawn attention check, if there is one.

    Listing the check would reveal it. Once it has been decided, or the session has moved on, all
    events are returned.
    """
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
    """One event as a line: number, local time as ``HH:MM:SS``, type and gist."""
    when = datetime.fromisoformat(logged.at).astimezone().strftime("%H:%M:%S")
    gist = event_gist(logged.event)
    return Text.assemble(
        (f"{logged.seq:>3} {when} ", "dim"),
        (logged.event.type, "bold"),
        (f" {gist[:160]}" if gist else ""),
    )


def event_gist(event: AnyEvent) -> str:
    """The text of the field that best tells an event from others of its type; may be empty."""
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
