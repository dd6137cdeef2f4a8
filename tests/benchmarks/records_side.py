"""What both sides of the records benchmark are asked to do, and the tasks they do it with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Protocol

from domains.core.tool import ToolCall
from tests.shared_data import TAU2

DOMAINS = ("retail", "airline")


@dataclass(frozen=True, slots=True)
class GoldTask:
    """A published task as far as scoring it by its records and words is concerned."""

    id: str
    calls: tuple[ToolCall, ...]
    communicate: tuple[str, ...]

    @property
    def words(self) -> str:
        """Something that says all that the task wants said."""
        return " ".join(("Done.", *self.communicate))


class Side(Protocol):
    """One program with one domain open, and the gold trajectory of each task at hand."""

    name: str

    def open_again(self) -> object:
        """What one more session needs of a domain that is open."""
        ...

    def read(self, call: ToolCall) -> object:
        """Look something up."""
        ...

    def preview(self, call: ToolCall) -> object:
        """Find out what a write would do, without doing it."""
        ...

    def score(self, number: int) -> float:
        """The reward of the gold trajectory of the task in that place."""
        ...


def tasks(name: str) -> list[GoldTask]:
    """The tasks of τ²-bench's repository (those that carry the fixes of τ³), in their order."""
    published = json.loads((TAU2 / name / "tasks.json").read_text(encoding="utf-8"))
    return [_task(each["id"], each["evaluation_criteria"]) for each in published]


def _task(task_id: str, criteria: dict[str, list[dict[str, object]] | None]) -> GoldTask:
    calls = tuple(
        ToolCall(str(each["name"]), each["arguments"])  # type: ignore[arg-type]
        for each in criteria["actions"] or []
    )
    return GoldTask(task_id, calls, tuple(map(str, criteria["communicate_info"] or [])))
