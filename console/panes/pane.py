"""What the side panes share: each shows one aspect of the session and draws only while visible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from console.panes.session_view import SessionView
from console.widgets.plain import MUTED, PlainText, shorten
from sessions.events import AnyEvent

Part = tuple[str, str]
"""Text and the style to show it in."""

HEADING = "bold $primary"


class Pane(VerticalScroll):
    """One side pane; subclasses define what it shows and which events change that."""

    TITLE: ClassVar[str] = ""
    EMPTY: ClassVar[str] = ""
    """The text to show while the pane has no content."""

    HINT: ClassVar[str] = ""
    """The pane's own keys, shown on the border while the pane is visible."""

    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = ()
    """The types of events after which the pane must be redrawn."""

    BINDING_GROUP_TITLE = "Pane"
    can_focus = True

    def __init__(self, conversation: SessionView) -> None:
        """Create a pane that only reads the conversation and never changes it."""
        super().__init__(id=f"pane-{self.TITLE.lower()}", classes="pane")
        self.conversation = conversation
        self._stale = True

    def compose(self) -> ComposeResult:
        """Yield the single text widget of the pane."""
        yield PlainText(id="pane-text")

    def take_event(self, event: AnyEvent) -> None:
        """Mark the pane as outdated if the event is of a type that changes it."""
        if isinstance(event, self.CHANGED_BY):
            self._stale = True

    def mark_outdated(self) -> None:
        """Mark the pane as outdated, for when a replay has jumped to another moment."""
        self._stale = True

    def refresh_if_stale(self) -> None:
        """Redraw the pane if it is outdated; called when it becomes visible."""
        if self._stale and self.is_attached:
            self._stale = False
            self.draw()

    def draw(self) -> None:
        """Show the current parts, or the empty text if there are none."""
        parts = self.parts()
        text = join_parts(parts) if parts else Content.assemble((self.EMPTY, MUTED))
        self.query_one("#pane-text", PlainText).show(text)

    def on_resize(self) -> None:
        """Redraw, since the line breaks depend on the width."""
        self._stale = True
        self.refresh_if_stale()

    @property
    def room(self) -> int:
        """The width available to a line, in columns."""
        return max(20, self.scrollable_content_region.width)

    def row_under_mouse(self, event: events.MouseEvent) -> int:
        """The row of the pane's text under the mouse, counted from 0."""
        return event.screen_y - self.query_one("#pane-text").region.y

    def parts(self) -> Sequence[Part]:
        """The current content of the pane, newest first; empty if there is none."""
        return ()


def rows_of(parts: Iterable[Part]) -> int:
    """The number of rows that these parts fill, counted by their line breaks."""
    return sum(text.count("\n") for text, _ in parts)


def join_parts(parts: Sequence[Part]) -> Content:
    """Join the parts into one text, shortening each; markup in foreign text is not interpreted."""
    return Content.assemble(*((shorten(text, 4_000), style) for text, style in parts))
