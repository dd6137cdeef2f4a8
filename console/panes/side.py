"""The side panes: one in view, beside the conversation or over it."""

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
from console.panes.held import Held
from console.panes.memory import MemoryPane
from console.panes.pane import Pane
from console.panes.policy import PolicyPane
from console.panes.record import RecordPane
from console.panes.reflection import ReflectionPane
from console.panes.scenario import ScenarioPane
from console.panes.trace import TracePane
from console.widgets.plain import MUTED, PlainText
from sessions.events import AnyEvent

PANES: tuple[type[Pane], ...] = (
    ReflectionPane, ContextPane, RecordPane, TracePane, PolicyPane, ScenarioPane,
)  # fmt: skip
FIRST_ROW = 3
"""Tabs in the upper of the two rows."""


def panes_of(conversation: Held) -> tuple[type[Pane], ...]:
    """The panes of a session: one that has no memory has no pane for it."""
    return PANES if conversation.status.memory is None else (*PANES, MemoryPane)


class PaneTab(PlainText):
    """A pane's key and name; a click shows the pane."""

    @dataclass
    class Wanted(Message):
        """The person wants to see this pane."""

        name: str

    def __init__(self, name: str, key: str) -> None:
        """`key` is the function key that does the same."""
        super().__init__(Content.assemble((f"{key} ", MUTED), name.capitalize()), id=f"tab-{name}")
        self._pane = name

    def on_click(self) -> None:
        """Ask for the pane."""
        self.post_message(self.Wanted(self._pane))


class SidePanes(Vertical):
    """The pane in view, under tabs that name the others and their keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Back", show=False)]

    current: var[str] = var("reflection")

    @dataclass
    class Closed(Message):
        """The person is done with the panes for now."""

    def __init__(self, conversation: Held, first: str, ticked: set[str]) -> None:
        """`first` is the pane that is in view to begin with, `ticked` what Scenario has ticked."""
        super().__init__(id="side")
        self._conversation = conversation
        self._ticked = ticked
        self._panes = panes_of(conversation)
        self.set_reactive(SidePanes.current, first)

    def compose(self) -> ComposeResult:
        """Two rows of tabs, then the panes, of which one shows."""
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
        """Mark the first tab."""
        self.watch_current(self.current)

    @property
    def names(self) -> tuple[str, ...]:
        """What the panes are called, in the order of their keys."""
        return tuple(pane.TITLE.lower() for pane in self._panes)

    @property
    def pane(self) -> Pane:
        """The pane in view."""
        return self.query_one(f"#pane-{self.current}", Pane)

    def watch_current(self, name: str) -> None:
        """Switch to a pane and bring it up to date."""
        if not self.is_attached:
            return
        for tab in self.query(PaneTab):
            tab.set_class(tab.id == f"tab-{name}", "-current")
        self.query_one(ContentSwitcher).current = f"pane-{name}"
        self.border_subtitle = self.pane.HINT
        self.call_after_refresh(self.pane.bring_up)

    def on_show(self) -> None:
        """The screen became wide, or the panes were opened over it."""
        self.call_after_refresh(self.pane.bring_up)

    def take_event(self, event: AnyEvent) -> None:
        """Pass an event on; only the pane in view draws itself."""
        for pane in self.query(Pane):
            pane.take_event(event)
        if self.display:
            self.call_after_refresh(self.pane.bring_up)

    def show_moment(self) -> None:
        """Another moment of the session is shown, whichever: every pane is drawn anew when seen."""
        for pane in self.query(Pane):
            pane.mark_outdated()
        if self.display:
            self.call_after_refresh(self.pane.bring_up)

    @on(PaneTab.Wanted)
    def _show_wanted(self, event: PaneTab.Wanted) -> None:
        event.stop()
        self.current = event.name

    def action_close(self) -> None:
        """Back to the conversation."""
        self.post_message(self.Closed())
