"""The Scenario pane: the role the user plays, as lines to tick off during the conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message

from console.catalogue import role_sections
from console.panes.pane import HEADING, Pane, Part, rows_of
from console.panes.session_view import SessionView
from console.widgets.expected_text import expectations
from console.widgets.plain import MUTED, hanging
from domains.core.customers import customer
from domains.core.domain import Role
from sessions.events import AnyEvent, Scored, SessionEnded

_STYLES = {"✓": "$text-success", "✗": "$text-error", "?": "$text-warning"}
_WANTED = "You want"
_FREELY = "free play: ask for anything you like"
_CURSOR = "$block-cursor-foreground on $block-cursor-background"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the role that can be ticked off."""

    key: str
    """Identifies the line within its role: ``You want 0``."""

    text: str


class ScenarioPane(Pane):
    """Shows the role in the order a player needs it and, after the end, what was expected."""

    TITLE = "Scenario"
    HINT = "F7 here · space ticks · esc back"
    EMPTY = (
        "Free play: there is no script. Open Record after the agent has found you to see what "
        "the customer has, and ask for anything you like."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (SessionEnded, Scored)
    HELP = """\
## Scenario

Whom you play, what you want, what you know and do not know, and how you talk.

- **F7** once or twice brings you here, **up** and **down** choose a line
- **space**, **enter** or a click ticks it off; the ticks are yours alone, nothing records them
- **esc** goes back to your message

What the agent was expected to do is listed here when the session has ended.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous line", show=False),
        Binding("down", "move(1)", "Next line", show=False),
        Binding("space,enter", "tick", "Tick", show=False),
    ]
    FOCUS_ON_CLICK = False  # keep the focus on the user's message

    def __init__(self, conversation: SessionView, ticked: set[str]) -> None:
        """`ticked` holds the keys of the ticked lines; the caller owns it, this pane changes it."""
        super().__init__(conversation)
        self._ticked = ticked
        self._title, role = _role_played(conversation)
        self._sections = _sections(role) if role else []
        self._lines = [line for _, lines in self._sections for line in lines]
        self._cursor = 0
        self._rows: list[range] = []
        """The rows of the pane's text that each line occupies."""

    @dataclass
    class Ticked(Message):
        """A line was ticked or unticked."""

    @property
    def who(self) -> str:
        """The first sentence of the role; empty in free play without a chosen customer."""
        return next((first_sentence(line.text) for line in self._lines), "")

    @property
    def next_wish(self) -> str:
        """The first wish that is not ticked off yet, in words."""
        wishes = [line for heading, lines in self._sections if heading == _WANTED for line in lines]
        left = (f"next: {line.text}" for line in wishes if line.key not in self._ticked)
        return next(left, "every wish is ticked off" if wishes else _FREELY)

    def on_focus(self) -> None:
        """Redraw to show the cursor."""
        self.draw()

    def on_blur(self) -> None:
        """Redraw to hide the cursor."""
        self.draw()

    def action_move(self, step: int) -> None:
        """Move the cursor by a line; past the first or last line, scroll instead."""
        last = len(self._lines) - 1
        if not 0 <= self._cursor + step <= last:
            self.scroll_relative(y=step, animate=False)
            return
        self._cursor += step
        self.draw()
        self._show_cursor()

    def action_tick(self) -> None:
        """Tick or untick the line under the cursor."""
        if self._lines:
            self._ticked ^= {self._lines[self._cursor].key}
            self.post_message(self.Ticked())
            self.draw()
            self._show_cursor()

    def on_click(self, event: events.Click) -> None:
        """Tick or untick the clicked line, unless the mouse was selecting text."""
        row = self.row_under_mouse(event)
        clicked = [number for number, rows in enumerate(self._rows) if row in rows]
        if clicked and not self.screen.get_selected_text():
            self._cursor = clicked[0]
            self.action_tick()

    def _show_cursor(self) -> None:
        rows = self._rows[self._cursor]
        top = 0 if self._cursor == 0 else rows.start
        region = Region(0, top, self.size.width, rows.stop - top)
        self.scroll_to_region(region, animate=False, force=True)

    def parts(self) -> Sequence[Part]:
        """The role and, once the session has been scored, what was expected of the agent."""
        if not self._sections:
            return ()
        told: list[Part] = [(f"{hanging(self._title, self.room, indent=0)}\n", HEADING)]
        self._rows = []
        for heading, lines in self._sections:
            if heading:
                told.append((f"\n{heading}\n", "bold"))
            for line in lines:
                row = rows_of(told)
                told += self._line_parts(line)
                self._rows.append(range(row, rows_of(told)))
        return [*told, *self._expectations()]

    def _expectations(self) -> Iterator[Part]:
        """Yield what was expected of the agent; nothing before the session is scored."""
        held, scenario = self.conversation, self.conversation.scenario
        now = held.status
        if scenario is None or now.ended is None or now.scored is None:
            return
        for heading, entries in expectations(held.domain, scenario, now.scored, held.log.events):
            yield f"\n{heading}\n", HEADING
            for each in entries:
                yield f"{each.mark} ", _STYLES.get(each.mark, MUTED)
                yield f"{hanging(each.text, self.room, indent=2)}\n", ""

    def _line_parts(self, line: Line) -> Iterator[Part]:
        number = len(self._rows)
        ticked = line.key in self._ticked
        here = self.has_focus and number == self._cursor
        text = hanging(line.text, self.room, indent=2)
        if here:
            yield f"{_mark(ticked)} {text}", _CURSOR
        else:
            yield f"{_mark(ticked)} ", "$text-success" if ticked else "$primary"
            yield text, MUTED if ticked else ""
        yield "\n", ""


def _role_played(conversation: SessionView) -> tuple[str, Role | None]:
    """The title and the role played: a scenario's, or in free play that of a customer, if any."""
    scenario, plays = conversation.scenario, conversation.status.plays
    if scenario is not None:
        return scenario.title, scenario.role
    found = customer(conversation.domain, plays) if plays else None
    return "Free play", found.role if found else None


def first_sentence(text: str) -> str:
    """Return the text up to the end of its first sentence."""
    head, stop, _ = text.partition(". ")
    return head + stop.strip()


def _mark(ticked: bool) -> str:
    return "☑" if ticked else "☐"


def _sections(role: Role) -> list[tuple[str, list[Line]]]:
    return [
        (heading, [Line(f"{heading} {number}", text) for number, text in enumerate(entries)])
        for heading, entries in role_sections(role)
    ]
