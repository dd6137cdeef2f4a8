"""The conversation as the airline's skills see it: the records, and what was said, as lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from agent.clerk.airline.line import Line, line
from agent.clerk.airline.manner import HERE, OFFERS, TOOLS
from agent.clerk.airline.memory import Memory
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.manners import reader_of
from agent.clerk.understanding.reading import Reader
from domains.airline.schema import NOW


@dataclass
class Talk(Dialogue):
    """What a skill works with; how messages are heard stands in ``dialogue``."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    subject: ClassVar[str] = "reservation_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS
    transfers_after_refusal: ClassVar[bool] = False

    memory: Memory = field(default_factory=Memory)
    now: str = NOW
    """The time it is, as in the records."""

    @property
    def reader(self) -> Reader:
        """Reads what the customer types."""
        return reader_of(HERE)

    @property
    def today(self) -> str:
        """The day it is, as in the records."""
        return self.now[:10]

    def line(self, text: str) -> Line:
        """A sentence, read on the day it is."""
        return line(self.memory.write_ids(text), date.fromisoformat(self.today))

    def lines_of(self, texts: Iterable[str]) -> list[Line]:
        """Sentences, read on the day it is."""
        return [self.line(each) for each in texts]

    def lines(self, task: Task) -> list[Line]:
        """All that was said of a task, the oldest first."""
        first = sorted([*task.beside, task.text], key=lambda each: task.message.find(each[:20]))
        return self.lines_of([*first, *task.notes])

    def tells(self, task: Task, *names: str) -> bool:
        """Whether something is said of a task, in any of its ways in ``words.json``."""
        return any(each.tells(*names) for each in self.lines(task))
