"""Where a session comes from that another program held."""

from __future__ import annotations

from typing import Any, Literal

from sessions.events.base import Event
from sessions.events.scores import AssertionCheck


class Imported(Event):
    """This session is a run of another program; its calls were made again on these records.

    A write in it has no card and no consent: nobody was asked by this program.
    """

    type: Literal["imported"] = "imported"
    source: Literal["tau1", "tau2"]
    """Whose run it is: τ-bench's first edition, or τ²-bench."""

    file: str
    """The name of the file it stood in."""

    original: str
    """What identifies it there."""

    task: dict[str, Any]
    """The task that it is scored by, in τ²-bench's form."""

    trial: int | None = None
    recorded_reward: float | None = None
    """The reward that the file gives; None where it gives none."""

    ending: str = ""
    """How it ended, in the file's own term."""

    verdicts: tuple[AssertionCheck, ...] = ()
    """What the file's own judge said of the task's assertions."""

    began: str = ""
    """When it was held, as the file has it."""

    digest: str
    """Of the run as it stood in the file, by which it is imported only once."""

    @property
    def key(self) -> str:
        """The run: a session is a copy of one."""
        return self.digest


class ResultDiffered(Event):
    """A call of an imported run gave another text there than it gave here."""

    type: Literal["result_differed"] = "result_differed"
    call_id: str
    recorded: str
    """What the agent was given there."""
