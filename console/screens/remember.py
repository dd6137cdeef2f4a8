"""The screen after a session that goes through what the agent proposes to remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle, Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from agent.memory import markdown
from agent.memory.lessons import Answer, Lesson, LessonReview
from agent.memory.wording import is_open
from agent.models.protocol import ModelFault
from console.faults import sentence_about
from console.reports.memory_lines import LONGEST_NAME, change_lines
from console.widgets.key_line import KeyLine
from console.widgets.lesson_card import LessonCard
from console.widgets.plain import PlainText
from domains.text.one_line import line
from domains.text.quantity import quantity
from sessions.events import Logged
from sessions.store.errors import MemoryMoved, MemoryRefused, StoreError

MOST_LINES = 4
"""The most lines about a changed memory to show, so that the entry stays visible."""

LONGEST_LINE = 140
"""The most characters of each of these lines."""

THROW_AWAY = "Discard what you wrote? Esc again discards it; ctrl+s saves it, in force at once."

_ANSWER_NOTICES: dict[Answer, str] = {
    "accept": "Remembered: later sessions with this memory can read it.",
    "edit": "Remembered as you wrote it: later sessions with this memory can read it.",
    "refuse": "Not remembered.",
    "wait": "It waits in the memory, and is in force once it is accepted.",
}


class ProposalsScreen(Screen[bool]):
    """Asks the user about each proposal of a session; returns whether all were decided."""

    CSS_PATH = "remember.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave it for now")]

    def __init__(self, desk: LessonReview, log: Sequence[Logged], first: Lesson | None) -> None:
        """`log` is the session to learn from; `first` is the desk's next proposal.

        If `first` is None, because the rules propose nothing, the desk's model is asked first.
        """
        super().__init__()
        self._desk = desk
        self._log = log
        self._first = first

    def compose(self) -> ComposeResult:
        """Lay out the space for one card, and the key line."""
        yield Middle(id="room")
        yield KeyLine()

    def on_mount(self) -> None:
        """Start with the first proposal."""
        self._go_through()

    @work(group="lessons", exclusive=True)
    async def _go_through(self) -> None:
        """Show the proposals in turn; each answer is stored before the next proposal is made."""
        lesson = self._first
        try:
            if lesson is None:
                await self._ask_model()
                lesson = await self._desk.next(self._log)
            while lesson is not None:
                await self._decide(lesson)
                lesson = await self._desk.next(self._log)
        except StoreError as error:
            told = sentence_about(error)
            self.notify(told, markup=False, severity="warning")
            self.dismiss(False)
        else:
            self.dismiss(True)

    async def _decide(self, lesson: Lesson) -> None:
        card = LessonCard(lesson, self._desk.model)
        await self.query_one("#room").mount(card)
        answer = await card.answer
        while answer == "edit" and not await self._is_written(lesson):
            answer = await card.wait_again()
        if answer == "model":
            await card.remove()
            await self._ask_model()
        else:
            await self._settle(lesson, answer)
            await card.remove()

    async def _settle(self, lesson: Lesson, answer: Answer) -> None:
        try:
            if answer != "edit":
                await self._desk.settle(lesson, answer)
        except MemoryMoved:
            told = f"{_memory_changed_sentence(lesson)} Nothing was decided."
            self.notify(told, markup=False, severity="warning")
        else:
            self.notify(_ANSWER_NOTICES[answer], markup=False)

    async def _ask_model(self) -> None:
        """Have the model read the session; if that fails, nothing changes."""
        name = line(self._desk.model, LONGEST_NAME)
        waiting = PlainText(f"{name} is reading the session… esc leaves it", id="asking")
        await self.query_one("#room").mount(waiting)
        try:
            why = await self._desk.ask_model(self._log)
        except (ModelFault, MemoryRefused) as fault:
            told = sentence_about(fault)
            self.notify(told, markup=False, severity="warning")
        else:
            told = f"{name} suggests remembering nothing: {line(why)}"
            if why:
                self.notify(told, markup=False)
        await waiting.remove()

    async def _is_written(self, lesson: Lesson) -> bool:
        """Let the user rewrite the entry; return whether it was stored."""
        return await self.app.push_screen_wait(EntryEditor(lesson, self._desk))

    def on_screen_resume(self) -> None:
        """Restart the card's grace period, since another screen was covering the card."""
        for card in self.query(LessonCard):
            card.begin_grace()

    def action_leave(self) -> None:
        """Close the screen; the undecided proposals come up again another time."""
        self.workers.cancel_group(self, "lessons")
        self.dismiss(False)


def _memory_changed_sentence(lesson: Lesson) -> str:
    return f"The memory {line(lesson.bank.name, LONGEST_NAME)} was changed by another program."


class EntryEditor(ModalScreen[bool]):
    """Lets the user rewrite a proposed entry as Markdown; returns whether it was stored.

    The user's text stays on the screen until it is stored, even if the memory changes meanwhile.
    """

    CSS_PATH = "remember.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", "Keep", priority=True),
        Binding("escape", "leave", "Close", priority=True),
    ]

    def __init__(self, lesson: Lesson, desk: LessonReview) -> None:
        """Start with the entry as it was proposed."""
        super().__init__()
        self._lesson = lesson
        self._desk = desk
        self._keeping = False
        """Whether the entry is being stored at this moment."""

        self._discardable_text = self._text()
        """The text that Esc discards without asking: the proposal, or what Esc last asked about."""

    def _text(self) -> str:
        """The entry as it was proposed, as Markdown."""
        entry = self._lesson.change.entry
        return "" if entry is None else markdown.write(entry, self._lesson.bank.domain)

    def compose(self) -> ComposeResult:
        """Lay out the text and, below it, what is wrong with it."""
        with Vertical(id="editor") as around:
            around.border_title = "What to remember"
            around.border_subtitle = "ctrl+s saves it, in force at once · esc closes"
            yield TextArea(self._text(), id="entry", soft_wrap=True, show_line_numbers=False)
            yield PlainText(id="entry-notice")

    def on_mount(self) -> None:
        """Select the open placeholder, wherever in the entry it is, so that typing replaces it."""
        text = self.query_one(TextArea)
        for row, each in enumerate(text.text.splitlines()):
            if is_open(each):
                text.selection = Selection((row, len(each) - 1), (row, len(each)))
                text.call_after_refresh(text.scroll_cursor_visible, center=True)

    def action_keep(self) -> None:
        """Store the entry, or say why that is not possible."""
        if not self._keeping:
            self._keeping = True
            self._keep()

    @work(group="keeping")
    async def _keep(self) -> None:
        try:
            told = await self._try_to_keep()
        except StoreError as error:
            told = sentence_about(error)
        self._keeping = False
        if told:
            self._discardable_text = self._text()  # the notice replaces Esc's question: ask again
            self.query_one("#entry-notice", PlainText).show(told)
        else:
            self.dismiss(True)

    async def _try_to_keep(self) -> str:
        """Store the entry; return "" or, if the memory was changed meanwhile, what changed."""
        entry, _ = markdown.read(self.query_one(TextArea).text, "What you wrote")
        before = self._lesson
        try:
            await self._desk.settle(before, "edit", entry)
        except MemoryMoved:
            self._lesson = await self._desk.look_again(before)
            return "\n".join(_change_notice_lines(before, self._lesson))
        return ""

    def action_leave(self) -> None:
        """Close without storing; ask first if the user has changed the text."""
        written = self.query_one(TextArea).text
        if self._keeping:
            return
        if written == self._discardable_text:
            self.dismiss(False)
        else:
            self._discardable_text = written
            self.query_one("#entry-notice", PlainText).show(THROW_AWAY)


def _change_notice_lines(before: Lesson, now: Lesson) -> Iterator[str]:
    """Yield what the user should read before storing their own text over the change."""
    yield f"{_memory_changed_sentence(before)} What you wrote is not saved yet:"
    lines = list(change_lines(before.bank, now.bank, before.change.capability))
    yield from (f"  {line(each, LONGEST_LINE)}" for each in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"  … and {quantity(len(lines) - MOST_LINES, 'line')} more"
    yield "ctrl+s saves what you wrote all the same."
