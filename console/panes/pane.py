"""What the side panes have in common: each tells one thing about the session, when it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from agent.conversation import Conversation
from console.widgets.plain import MUTED, PlainText, shortened
from sessions.events import AnyEvent

Part = tuple[str, str]
"""Text and the style it is shown in."""

HEADING = "bold $primary"


class Pane(VerticalScroll):
    """One side pane; subclasses say what it shows and which events change that."""

    TITLE: ClassVar[str] = ""
    EMPTY: ClassVar[str] = ""
    """What the pane says while it has nothing to show."""

    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = ()
    """The events after which the pane has to be drawn again."""

    BINDING_GROUP_TITLE = "Pane"
    can_focus = True

    def __init__(self, conversation: Conversation) -> None:
        """The pane reads the conversation and changes nothing in it."""
        super().__init__(id=f"pane-{self.TITLE.lower()}", classes="pane")
        self.conversation = conversation
        self._stale = True

    def compose(self) -> ComposeResult:
        """One text."""
        yield PlainText(id="pane-text")

    def told(self, event: AnyEvent) -> None:
        """An event happened."""
        if isinstance(event, self.CHANGED_BY):
            self._stale = True

    def seen(self) -> None:
        """The pane is in view: bring it up to date where it is not."""
        if self._stale and self.is_attached:
            self._stale = False
            self.draw()

    def draw(self) -> None:
        """Show what there is to show."""
        parts = self.parts()
        text = joined(parts) if parts else Content.assemble((self.EMPTY, MUTED))
        self.query_one("#pane-text", PlainText).show(text)

    def on_resize(self) -> None:
        """Lines hang, so they are broken anew."""
        self._stale = True
        self.seen()

    @property
    def room(self) -> int:
        """Columns that a line may have."""
        return max(20, self.scrollable_content_region.width)

    def parts(self) -> Sequence[Part]:
        """What the pane says now, newest first; empty where there is nothing."""
        return ()


def hanging(text: str, room: int, *, indent: int, first: int | None = None) -> str:
    """Text broken to `room` columns, later lines indented; `first` columns are taken already."""
    taken = " " * (indent if first is None else first)
    lines = []
    for number, line in enumerate(text.splitlines()):
        start = taken if number == 0 else " " * indent
        lines += wrap(
            shortened(line, 4_000), room, initial_indent=start, subsequent_indent=" " * indent
        ) or [start]
    return "\n".join(lines)[len(taken) :]


def joined(parts: Sequence[Part]) -> Content:
    """One text of many parts; outside words among them stay plain."""
    return Content.assemble(*((shortened(text, 4_000), style) for text, style in parts))
