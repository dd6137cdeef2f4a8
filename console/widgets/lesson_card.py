"""The card on which the user decides about a proposed memory entry.

The focus starts on *later*, or on *say when* if the user's words do not make a complete rule.
Accepting and refusing need a key that stands alone, as on a confirmation card (law 8), so that
nothing typed or pasted for the conversation puts an entry into force.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import ClassVar, Literal, cast, get_args

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button

from agent.memory.consent_words import waiving_line
from agent.memory.entry import LONGEST_TEXT, Entry
from agent.memory.lessons import Answer, Lesson
from agent.memory.rule_policy_agent import BY as RULES
from agent.memory.wording import is_open
from console.reports.memory_lines import (
    GAPS,
    LONGEST_NAME,
    NOT_SAID,
    difference_lines,
    effect_line,
)
from console.widgets.guarded import Guarded
from console.widgets.marked_line import HangingLine
from console.widgets.plain import MUTED, PlainText, shorten_and_clean
from domains.text.one_line import line, quotation

Chosen = Answer | Literal["model"]
"""What the user chose: what to do with the proposal, or to ask a model for another one."""

TITLE = "The agent wants to remember"

EVER = "every change needs your yes, whatever is remembered."
"""The notice for an entry that would let an agent act without consent."""

_READY = "↑↓ read on · ←→ choose · enter press · esc leave it for now"
_AROUND = 6
"""The rows of the border, the buttons with a blank row above them, the hint and the key line."""

_STYLES = {"+": "$text-success", "-": "$text-error", " ": ""}


class LessonCard(Guarded):
    """Shows one proposal from its first appearance until it is decided."""

    HELP = """\
## What the agent wants to remember

Something that you said about this session may show how the policy is meant. It comes from your own
words on a card, from the note of a label, or from the outcome, and never from what a tool or a
record says. If your words do not say when it holds, you are asked to say so first; it cannot be
accepted before. Nothing of it is in force unless you say so:

- **a** accept: the agent can read it in later sessions that have this memory
- **e** write it yourself first
- **r** refuse: that you did is recorded
- **l** later: it waits in the memory, out of force (`saber memory accept`)
- **m** if the session has a model: have it read the session and propose in its own words
- **up / down** scroll, **esc** leaves it for now

A card says beside a check what was learned about it, and every change waits for your yes as ever.
"""
    BINDING_GROUP_TITLE = "Memory"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "choose('accept')", "Accept", show=False, id="lesson.accept"),
        Binding("e", "choose('edit')", "Edit", show=False, id="lesson.edit"),
        Binding("r", "choose('refuse')", "Refuse", show=False, id="lesson.refuse"),
        Binding("l", "choose('wait')", "Later", show=False, id="lesson.wait"),
        Binding("m", "choose('model')", "Ask the model", show=False, id="lesson.model"),
        Binding("left", "app.focus_previous", "Previous", show=False),
        Binding("right", "app.focus_next", "Next", show=False),
        Binding("up", "read(-1)", "Scroll up", show=False),
        Binding("down", "read(1)", "Scroll down", show=False),
    ]
    can_focus = True

    def __init__(self, lesson: Lesson, model: str = "") -> None:
        """`model` is the name of the model that can be asked instead; empty if there is none."""
        super().__init__(id="lesson")
        self.lesson = lesson
        self._model = model
        self.answer: asyncio.Future[Chosen] = asyncio.get_running_loop().create_future()
        self.border_title = TITLE
        self.border_subtitle = shorten_and_clean(Content(line(lesson.change.capability)))

    @property
    def is_open(self) -> bool:
        """Whether the user has to say when the entry applies before it can be accepted."""
        entry = self.lesson.change.entry
        return entry is not None and is_open(entry.key_insight)

    def compose(self) -> ComposeResult:
        """Lay out the proposal, its origin, the entry before and after, and the buttons."""
        with VerticalScroll(id="lesson-body", can_focus=False):
            yield from _head(self.lesson)
            if self._model:
                model = line(self._model, LONGEST_NAME)
                asked = f"Proposed by rules. Press m to have {model} read the session instead."
                yield PlainText(Content.styled(asked, MUTED))
            yield from _about(self.lesson)
            yield PlainText("Before and after", classes="heading")
            for sign, told in _lines(self.lesson):
                yield HangingLine(sign, Content(told), style=_STYLES[sign])
        with Horizontal(id="lesson-buttons"):
            if self.is_open:
                yield Button("[u]e[/u] Say when…", id="edit", compact=True)
            else:
                yield Button("[u]a[/u] Accept", id="accept", classes="-approve", compact=True)
                yield Button("[u]e[/u] Edit…", id="edit", compact=True)
            yield Button("[u]r[/u] Refuse", id="refuse", compact=True)
            yield Button("[u]l[/u] Later", id="wait", compact=True)
            if self._model:
                yield Button("[u]m[/u] Ask the model", id="model", compact=True)
        yield PlainText(id="lesson-hint")

    def on_mount(self) -> None:
        """Take the focus and start the guard, which accepts keys some time after a paint."""
        self.focus()
        self.trap_focus()
        self._begin_guard()
        self.watch_stage(self.stage)

    def on_resize(self) -> None:
        """Give the body the rows that the buttons leave, so that they stay visible."""
        super().on_resize()
        rows = self.screen.size.height - _AROUND
        self.query_one("#lesson-body").styles.max_height = max(1, rows)

    def watch_stage(self, stage: str) -> None:
        """Update the buttons and the hint for the stage."""
        for button in self.query(Button):
            button.disabled = stage != "ready"
        self._hint(_READY if stage == "ready" else "Keys unlock in a moment")

    def _hint(self, text: str) -> None:
        for hint in self.query("#lesson-hint").results(PlainText):
            hint.show(text)

    def wait_again(self) -> asyncio.Future[Chosen]:
        """Accept keys again, as after the editor was closed; return the next answer's future."""
        self.answer = asyncio.get_running_loop().create_future()
        self.stage = "grace"
        self.begin_grace()
        return self.answer

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the keys that do not apply now."""
        if action != "choose":
            return True
        if parameters == ("model",) and not self._model:
            return False
        return self.stage == "ready" and not (self.is_open and parameters == ("accept",))

    def action_choose(self, choice: str) -> None:
        """Act on the letter of a choice."""
        self._act_on(choice, monotonic())

    def action_read(self, lines: int) -> None:
        """Scroll the body by lines."""
        self.query_one("#lesson-body").scroll_relative(y=lines, animate=False)

    # -- for the guard

    def begin_grace(self) -> None:
        """Restart the time in which keys are ignored, as when something covered the card."""
        if self.is_mounted and self.stage in ("grace", "ready"):
            self.stage = "grace"
            self.focus()
            self._wait_for_paint()

    def _listen(self) -> None:
        self.stage = "ready"
        self.query_one("#edit" if self.is_open else "#wait", Button).focus()

    def _act_on(self, meaning: str, at: float) -> None:
        """Act on a key; accepting, refusing and asking a model need a key that stands alone."""
        if meaning not in (*get_args(Answer), "model"):
            self._return_to_grace()
        elif meaning in ("accept", "refuse", "model"):
            self._watch_decision(at, lambda _: self._decide(meaning))
        elif self._guard.try_accept(at, monotonic(), "opens"):
            self._decide(meaning)
        else:
            self._return_to_grace()

    def _decide(self, answer: str) -> None:
        self.stage = "decided"
        if not self.answer.done():
            self.answer.set_result(cast(Chosen, answer))

    def _enter(self, at: float) -> None:
        """Do nothing: there is no input line here, and the editor is a screen of its own."""

    def _back(self) -> None:
        self.begin_grace()

    def _close(self) -> bool:
        return False

    def _show_watching(self) -> None:
        self._hint("one moment · any key cancels")

    def _tell_taken_back(self) -> None:
        self._return_to_grace()


def _head(lesson: Lesson) -> Iterator[PlainText]:
    """Yield the rule that was learned, what is missing in it, and what it changes on a card."""
    change, entry = lesson.change, lesson.change.entry
    learned = entry.key_insight if entry is not None else ""
    yield PlainText(quotation(learned or change.capability, LONGEST_TEXT), classes="insight")
    if is_open(learned):
        yield PlainText(NOT_SAID, classes="open")
    waiving = "" if entry is None else waiving_line(entry)
    if waiving:
        said = quotation(waiving, LONGEST_TEXT)
        yield PlainText(f"It says {said}; {EVER}", classes="waiving")
    if entry is not None and entry.check is not None:
        yield PlainText(Content.styled(effect_line(entry.check), MUTED))


def _about(lesson: Lesson) -> Iterator[PlainText]:
    """Yield the words the entry comes from, and what in the policy it interprets."""
    origin = lesson.change.origin
    session = f"session {line(origin.session, 40)}"
    read = "" if lesson.change.by == RULES else f", read by {line(lesson.change.by, LONGEST_NAME)}"
    if origin.words:
        yield PlainText(f"It comes from these words: {quotation(origin.words, LONGEST_TEXT)}")
        yield PlainText(Content.styled(f"said in {session}{read}", MUTED))
    else:
        yield PlainText(f"It comes from how {session} ended{read}.")
    if origin.gap:
        yield PlainText(Content.styled(f"{origin.gap}: {GAPS[origin.gap]}", MUTED))
    yield PlainText(Content.styled(line(origin.why), MUTED))


def _lines(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Yield the entry's changed lines with their signs, then the lines that stay the same."""
    before: Entry | None = lesson.bank.entries.get(lesson.change.capability)
    if lesson.change.entry is None:
        return
    told = [(each[0], line(each[2:])) for each in difference_lines(before, lesson.change.entry)]
    yield from sorted(told, key=lambda each: each[0] == " ")
