"""After a session: what the agent wants to remember of it, one thing after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle, Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from agent.memory import markdown
from agent.memory.entry import Entry
from agent.memory.lessons import Answer, Lesson, LessonDesk, write_by_hand
from agent.memory.wording import is_open
from console.faults import sentence_about
from console.widgets.key_line import KeyLine
from console.widgets.lesson_card import LessonCard
from console.widgets.plain import PlainText
from sessions.events import Logged
from sessions.store.errors import StoreError
from sessions.store.memory import MemoryRefused

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

    def __init__(self, desk: LessonDesk, log: Sequence[Logged], first: Lesson) -> None:
        """`log` is what is learned from; `first` is what the desk has next."""
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
        lesson: Lesson | None = self._first
        try:
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
        card = LessonCard(lesson)
        await self.query_one("#room").mount(card)
        answer, written = await card.answer, None
        while answer == "edit":
            written = await self.app.push_screen_wait(EntryEditor(lesson))
            if written is not None:
                break
            answer = await card.wait_again()
        await self._desk.settle(lesson, answer, written)
        self.notify(_TOLD[answer], markup=False)
        await card.remove()

    def on_screen_resume(self) -> None:
        """A card that something covered begins to listen anew."""
        for card in self.query(LessonCard):
            card.begin_grace()

    def action_leave(self) -> None:
        """Decide nothing more now; what is open is put again another time."""
        self.workers.cancel_group(self, "lessons")
        self.dismiss(False)


class EntryEditor(ModalScreen[Entry | None]):
    """A proposed entry as Markdown, to be written anew; Esc gives None."""

    CSS_PATH = "remember.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", "Keep", priority=True),
        Binding("escape", "leave", "Close", priority=True),
    ]

    def __init__(self, lesson: Lesson) -> None:
        """Begins with the entry as it is proposed."""
        super().__init__()
        self._lesson = lesson

    def compose(self) -> ComposeResult:
        """The text, and below it what is wrong with it."""
        entry = self._lesson.change.entry
        text = "" if entry is None else markdown.write(entry, self._lesson.bank.domain)
        with Vertical(id="editor") as around:
            around.border_title = "What is to be remembered"
            around.border_subtitle = "ctrl+s keeps it, in force at once · esc closes"
            yield TextArea(text, id="entry", soft_wrap=True, show_line_numbers=False)
            yield PlainText(id="entry-notice")

    def on_mount(self) -> None:
        """What is open is picked out, to be written over, wherever in the entry it stands."""
        text = self.query_one(TextArea)
        for row, each in enumerate(text.text.splitlines()):
            if is_open(each):
                text.selection = Selection((row, len(each) - 1), (row, len(each)))
                text.call_after_refresh(text.scroll_cursor_visible, center=True)

    def action_keep(self) -> None:
        """Give the entry, or say what is wrong with it."""
        proposed = self._lesson.change
        try:
            entry, _ = markdown.read(self.query_one(TextArea).text, "What you wrote")
            waits = self._lesson.bank.after([proposed])
            domain = self._lesson.domain
            waits.after([write_by_hand(waits, domain, proposed.capability, entry)])
        except MemoryRefused as error:
            self.query_one("#entry-notice", PlainText).show(str(error))
        else:
            self.dismiss(entry)

    def action_leave(self) -> None:
        """Keep nothing of it."""
        self.dismiss(None)
