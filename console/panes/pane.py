"""What the side panes have in common: each tells one thing about the session, when it is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from console.panes.held import Held
from console.widgets.plain import MUTED, PlainText, shorten
from sessions.events import AnyEvent

Part = tuple[str, str]
"""Text and the style it is shown in."""

HEADING = "bold $primary"


class Pane(VerticalScroll):
    """One side pane; subclasses say what it shows and which events change that."""

    TITLE: ClassVar[str] = ""
    EMPTY: ClassVar[str] = ""
    """What the pane says while it has nothing to show."""

    HINT: ClassVar[str] = ""
    """The pane's own keys, named on the border while it is in view."""

    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = ()
    """The events after which the pane has to be drawn again."""

    BINDING_GROUP_TITLE = "Pane"
    can_focus = True

    def __init__(self, conversation: Held) -> None:
        """The pane reads the conversation and changes nothing in it."""
        super().__init__(id=f"pane-{self.TITLE.lower()}", classes="pane")
        self.conversation = conversation
        self._stale = True

    def compose(self) -> ComposeResult:
        """One text."""
        yield PlainText(id="pane-text")

    def take_event(self, event: AnyEvent) -> None:
        """An event happened."""
        if isinstance(event, self.CHANGED_BY):
            self._stale = True

    def mark_outdated(self) -> None:
        """Another moment of the session is shown."""
        self._stale = True

    def bring_up(self) -> None:
        """The pane is in view: bring it up to date where it is not."""
        if self._stale and self.is_attached:
            self._stale = False
            self.draw()

    def draw(self) -> None:
        """Show what there is to show."""
        parts = self.parts()
        text = join_parts(parts) if parts else Content.assemble((self.EMPTY, MUTED))
        self.query_one("#pane-text", PlainText).show(text)

    def on_resize(self) -> None:
        """Lines hang, so they are broken anew."""
        self._stale = True
        self.bring_up()

    @property
    def room(self) -> int:
        """Columns that a line may have."""
        return max(20, self.scrollable_content_region.width)

    def row_of(self, event: events.MouseEvent) -> int:
        """The row of the pane's text, counted from 0, that the mouse is on."""
        return event.screen_y - self.query_one("#pane-text").region.y

    def parts(self) -> Sequence[Part]:
        """What the pane says now, newest first; empty where there is nothing."""
        return ()


def rows_of(parts: Iterable[Part]) -> int:
    """How many lines of the pane's text these parts end."""
    return sum(text.count("\n") for text, _ in parts)


def join_parts(parts: Sequence[Part]) -> Content:
    """One text of many parts; outside words among them stay plain."""
    return Content.assemble(*((shorten(text, 4_000), style) for text, style in parts))
