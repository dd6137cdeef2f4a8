"""After a session: what the agent wants to remember of it, one thing after the other."""

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
from agent.memory.lessons import Answer, Lesson, LessonDesk
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
"""Lines of what changed in a memory that are told at once: the text stays in view."""

LONGEST_LINE = 140
"""Characters of each."""

THROW_AWAY = "Throw away what you wrote? Esc again does; ctrl+s keeps it, in force at once."

_TOLD: dict[Answer, str] = {
    "accept": "Remembered: later sessions with this memory can read it.",
    "edit": "Remembered as you wrote it: later sessions with this memory can read it.",
    "refuse": "Not remembered.",
    "wait": "It waits in the memory, and is in force once it is accepted.",
}


class RememberScreen(Screen[bool]):
    """The proposals of a session, put to a person; its result is whether all were decided."""

    CSS_PATH = "remember.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave it for now")]

    def __init__(self, desk: LessonDesk, log: Sequence[Logged], first: Lesson | None) -> None:
        """`log` is what is learned from; `first` is what the desk has next.

        Where it has nothing by rules, the desk's model is asked first.
        """
        super().__init__()
        self._desk = desk
        self._log = log
        self._first = first

    def compose(self) -> ComposeResult:
        """A place for one card, and the keys."""
        yield Middle(id="room")
        yield KeyLine()

    def on_mount(self) -> None:
        """Put the first one up."""
        self._go_through()

    @work(group="lessons", exclusive=True)
    async def _go_through(self) -> None:
        """Put the proposals up in turn; each is kept with its answer before the next is made."""
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
            told = f"{_moved(lesson)} Nothing was decided."
            self.notify(told, markup=False, severity="warning")
        else:
            self.notify(_TOLD[answer], markup=False)

    async def _ask_model(self) -> None:
        """Have the model read the session; where that goes wrong all stays as it is."""
        name = line(self._desk.model, LONGEST_NAME)
        waiting = PlainText(f"{name} reads the session… esc leaves it", id="asking")
        await self.query_one("#room").mount(waiting)
        try:
            why = await self._desk.ask_model(self._log)
        except (ModelFault, MemoryRefused) as fault:
            told = sentence_about(fault)
            self.notify(told, markup=False, severity="warning")
        else:
            told = f"{name} would remember nothing: {line(why)}"
            if why:
                self.notify(told, markup=False)
        await waiting.remove()

    async def _is_written(self, lesson: Lesson) -> bool:
        """Whether the person wrote it anew, and it is kept."""
        return await self.app.push_screen_wait(EntryEditor(lesson, self._desk))

    def on_screen_resume(self) -> None:
        """A card that something covered begins to listen anew."""
        for card in self.query(LessonCard):
            card.begin_grace()

    def action_leave(self) -> None:
        """Decide nothing more now; what is open is put again another time."""
        self.workers.cancel_group(self, "lessons")
        self.dismiss(False)


def _moved(lesson: Lesson) -> str:
    return f"The memory {line(lesson.bank.name, LONGEST_NAME)} was changed by another program."


class EntryEditor(ModalScreen[bool]):
    """A proposed entry as Markdown, to be written anew; its result is whether that is kept.

    What somebody wrote stays on the screen until it is, whatever becomes of the memory meanwhile.
    """

    CSS_PATH = "remember.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", "Keep", priority=True),
        Binding("escape", "leave", "Close", priority=True),
    ]

    def __init__(self, lesson: Lesson, desk: LessonDesk) -> None:
        """Begins with the entry as it is proposed."""
        super().__init__()
        self._lesson = lesson
        self._desk = desk
        self._keeping = False
        """Whether it is being kept just now."""

        self._asked_about = self._text()
        """The text that Esc throws away: what was proposed, or what the person was asked about."""

    def _text(self) -> str:
        """The entry as it is proposed."""
        entry = self._lesson.change.entry
        return "" if entry is None else markdown.write(entry, self._lesson.bank.domain)

    def compose(self) -> ComposeResult:
        """The text, and below it what is wrong with it."""
        with Vertical(id="editor") as around:
            around.border_title = "What is to be remembered"
            around.border_subtitle = "ctrl+s keeps it, in force at once · esc closes"
            yield TextArea(self._text(), id="entry", soft_wrap=True, show_line_numbers=False)
            yield PlainText(id="entry-notice")

    def on_mount(self) -> None:
        """What is open is picked out, to be written over, wherever in the entry it stands."""
        text = self.query_one(TextArea)
        for row, each in enumerate(text.text.splitlines()):
            if is_open(each):
                text.selection = Selection((row, len(each) - 1), (row, len(each)))
                text.call_after_refresh(text.scroll_cursor_visible, center=True)

    def action_keep(self) -> None:
        """Keep the entry, or say why not."""
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
            self._asked_about = self._text()  # what is asked about is what was shown last
            self.query_one("#entry-notice", PlainText).show(told)
        else:
            self.dismiss(True)

    async def _try_to_keep(self) -> str:
        """Empty once it is kept; else what another program did to the memory meanwhile."""
        entry, _ = markdown.read(self.query_one(TextArea).text, "What you wrote")
        before = self._lesson
        try:
            await self._desk.settle(before, "edit", entry)
        except MemoryMoved:
            self._lesson = await self._desk.look_again(before)
            return "\n".join(_told_of_change(before, self._lesson))
        return ""

    def action_leave(self) -> None:
        """Keep nothing of it; what somebody wrote is asked about first."""
        written = self.query_one(TextArea).text
        if self._keeping:
            return
        if written == self._asked_about:
            self.dismiss(False)
        else:
            self._asked_about = written
            self.query_one("#entry-notice", PlainText).show(THROW_AWAY)


def _told_of_change(before: Lesson, now: Lesson) -> Iterator[str]:
    """What to read before one's own text is kept over it."""
    yield f"{_moved(before)} What you wrote is not kept yet:"
    lines = list(change_lines(before.bank, now.bank, before.change.capability))
    yield from (f"  {line(each, LONGEST_LINE)}" for each in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"  … and {quantity(len(lines) - MOST_LINES, 'line')} more"
    yield "ctrl+s keeps what you wrote all the same."
