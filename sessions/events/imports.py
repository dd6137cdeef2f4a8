"""The origin of a session that was recorded by another program."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sessions.events.base import Event
from sessions.events.scores import ActionCheck, AssertionCheck, SaidCheck


class RecordedChecks(BaseModel):
    """The parts of its reward that an imported file states."""

    model_config = ConfigDict(frozen=True)

    records: bool | None = None
    """Whether the records ended in the task's end state there; None if the file does not say."""

    said: tuple[SaidCheck, ...] = ()
    actions: tuple[ActionCheck, ...] = ()


class Imported(Event):
    """This session is a run of another program whose calls were made again on these records.

    A write in it has no card and no consent, because this program asked no one.
    """

    type: Literal["imported"] = "imported"
    source: Literal["tau1", "tau2"]
    """The program that made the run: τ-bench's first edition, or τ²-bench."""

    file: str
    """The name of the file that contained the run."""

    original: str
    """The run's identifier in that file."""

    task: dict[str, Any]
    """The task that the session is scored by, in τ²-bench's format."""

    trial: int | None = None
    recorded_reward: float | None = None
    """The reward in the file; None if it gives none."""

    ending: str = ""
    """How the session ended, in the file's own term."""

    verdicts: tuple[AssertionCheck, ...] = ()
    """The verdicts of the file's own judge on the task's assertions."""

    began: str = ""
    """When the session took place, as written in the file."""

    agent: str = ""
    """The file's name for the agent, in addition to the model that played it."""

    seconds: float | None = None
    """How long the session took, according to the file."""

    times: tuple[str, ...] = ()
    """When each of the events after this one happened, according to the file.

    ISO 8601, or empty for an event whose time is missing. The tuple is empty if the file gives no
    times at all.
    """

    checks: RecordedChecks = RecordedChecks()
    checks_of: str = ""
    """The task that those checks belong to, if it is not the run's own."""

    digest: str
    """Digest of the run as it appears in the file, so that it is imported only once."""

    @property
    def key(self) -> str:
        """The idempotency key: a session is a copy of one run."""
        return self.digest


class ResultDiffered(Event):
    """A call of an imported run returned a different text there than it did here."""

    type: Literal["result_differed"] = "result_differed"
    call_id: str
    recorded: str
    """What the agent was given there."""
