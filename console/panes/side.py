"""The container of the side panes: shows one of them, beside the conversation or over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import ContentSwitcher

from console.panes.context import ContextPane
from console.panes.memory import MemoryPane
from console.panes.pane import Pane
from console.panes.policy import PolicyPane
from console.panes.record import RecordPane
from console.panes.reflection import ReflectionPane
from console.panes.scenario import ScenarioPane
from console.panes.session_view import SessionView
from console.panes.trace import TracePane
from console.widgets.plain import MUTED, PlainText
from sessions.events import AnyEvent

PANES: tuple[type[Pane], ...] = (
    ReflectionPane, ContextPane, RecordPane, TracePane, PolicyPane, ScenarioPane,
)  # fmt: skip
FIRST_ROW = 3
"""The number of tabs in the first of the two rows."""


def panes_of(conversation: SessionView) -> tuple[type[Pane], ...]:
    """The pane classes for a session; the Memory pane only if the session has a memory."""
    return PANES if conversation.status.memory is None else (*PANES, MemoryPane)


class PaneTab(PlainText):
    """The tab of a pane, with its key and name; a click shows the pane."""

    @dataclass
    class Wanted(Message):
        """The user wants to see this pane."""

        name: str

    def __init__(self, name: str, key: str) -> None:
        """`key` is the function key that shows the same pane."""
        super().__init__(Content.assemble((f"{key} ", MUTED), name.capitalize()), id=f"tab-{name}")
        self._pane = name

    def on_click(self) -> None:
        """Ask to show the pane."""
        self.post_message(self.Wanted(self._pane))


class SidePanes(Vertical):
    """Shows one pane under tabs that give the names and keys of all of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Back", show=False)]

    current: var[str] = var("reflection")

    @dataclass
    class Closed(Message):
        """The user has closed the panes."""

    def __init__(self, conversation: SessionView, first: str, ticked: set[str]) -> None:
        """`first` is the pane to show first; `ticked` holds the Scenario pane's ticked lines."""
        super().__init__(id="side")
        self._conversation = conversation
        self._ticked = ticked
        self._panes = panes_of(conversation)
        self.set_reactive(SidePanes.current, first)

    def compose(self) -> ComposeResult:
        """Lay out two rows of tabs and, below them, the panes, of which one is visible."""
        tabs = [PaneTab(name, f"F{number}") for number, name in enumerate(self.names, start=2)]
        yield Horizontal(*tabs[:FIRST_ROW], classes="tabs")
        more = len(tabs) > 2 * FIRST_ROW
        yield Horizontal(*tabs[FIRST_ROW:], classes="tabs -many" if more else "tabs")
        with ContentSwitcher(id="panes", initial=f"pane-{self.current}"):
            for pane in self._panes:
                if pane is ScenarioPane:
                    yield ScenarioPane(self._conversation, self._ticked)
                else:
                    yield pane(self._conversation)

    def on_mount(self) -> None:
        """Mark the tab of the first pane and draw the pane."""
        self.watch_current(self.current)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the panes, in the order of their keys."""
        return tuple(pane.TITLE.lower() for pane in self._panes)

    @property
    def pane(self) -> Pane:
        """The visible pane."""
        return self.query_one(f"#pane-{self.current}", Pane)

    def watch_current(self, name: str) -> None:
        """Show the named pane and bring it up to date."""
        if not self.is_attached:
            return
        for tab in self.query(PaneTab):
            tab.set_class(tab.id == f"tab-{name}", "-current")
        self.query_one(ContentSwitcher).current = f"pane-{name}"
        self.border_subtitle = self.pane.HINT
        self.call_after_refresh(self.pane.refresh_if_stale)

    def on_show(self) -> None:
        """Update the visible pane: the screen was widened, or the panes were opened over it."""
        self.call_after_refresh(self.pane.refresh_if_stale)

    def take_event(self, event: AnyEvent) -> None:
        """Pass an event to every pane; only the visible one redraws now."""
        for pane in self.query(Pane):
            pane.take_event(event)
        if self.display:
            self.call_after_refresh(self.pane.refresh_if_stale)

    def show_moment(self) -> None:
        """Mark every pane as outdated after a jump to another moment; each redraws when visible."""
        for pane in self.query(Pane):
            pane.mark_outdated()
        if self.display:
            self.call_after_refresh(self.pane.refresh_if_stale)

    @on(PaneTab.Wanted)
    def _show_wanted(self, event: PaneTab.Wanted) -> None:
        event.stop()
        self.current = event.name

    def action_close(self) -> None:
        """Ask to close the panes and return to the conversation."""
        self.post_message(self.Closed())
