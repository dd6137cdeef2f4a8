"""Where a session comes from that another program held."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sessions.events.base import Event
from sessions.events.scores import ActionCheck, AssertionCheck, SaidCheck


class RecordedChecks(BaseModel):
    """What the file says that its reward was made of, as far as it does."""

    model_config = ConfigDict(frozen=True)

    records: bool | None = None
    """The records stood at the task's end there; None where the file does not say."""

    said: tuple[SaidCheck, ...] = ()
    actions: tuple[ActionCheck, ...] = ()


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

    agent: str = ""
    """What the file calls the agent, besides the model that played it."""

    seconds: float | None = None
    """How long it took, as the file has it."""

    times: tuple[str, ...] = ()
    """When each of the events behind this one happened, as the file has it: ISO 8601, or empty
    where it does not say; none at all where it never does."""

    checks: RecordedChecks = RecordedChecks()
    checks_of: str = ""
    """The task that those checks are of, where it is another than the run's own."""

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
