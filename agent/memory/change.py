"""One change to a memory: what is done to an entry, by whom, and what it comes from."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.memory.entry import Entry, Gap
from agent.memory.evidence import Evidence, Regime

Does = Literal["propose", "accept", "refuse", "edit", "undo", "omit"]
Failure = Literal["", "execution", "alignment"]
"""Whether the agent did not do what the policy says, or the policy does not say what is right
(PolicyBank, section 2); empty where nothing failed."""


class Origin(BaseModel):
    """Where a change comes from."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["policy", "session", "file", "person", "judge"]
    """``judge`` decides in a person's place where there is none: in a stream."""

    session: str = ""
    seq: int = 0
    """The event of the session that is the evidence."""

    words: str = ""
    """The person's own words, or the file's name."""

    feedback: Regime | Literal[""] = ""
    """Whose word the evidence was; empty where it comes from none."""

    failure: Failure = ""
    gap: Gap = ""
    file: str = ""
    """The file of sessions that the evidence came with; empty where it was recorded here."""

    success: bool | None = None
    """Whether the session was judged to have gone as it should; None where nobody judged it."""

    why: str = ""
    """How it was judged, in a sentence or two."""

    @property
    def key(self) -> str | None:
        """The evidence that it points at; None where it has none."""
        return f"{self.session}:{self.seq}" if self.session else None


def origin_of(evidence: Evidence, why: str, **more: Any) -> Origin:
    """The origin of what a piece of evidence teaches, with ``more`` of its fields."""
    return Origin(
        kind="session", session=evidence.session, seq=evidence.seq, file=evidence.file, why=why,
        **more,
    )  # fmt: skip


class Change(BaseModel):
    """What is done to one capability of a bank."""

    model_config = ConfigDict(frozen=True)

    does: Does
    capability: str
    entry: Entry | None = None
    origin: Origin
    by: str
    of: int | None = None
    """The revision of the proposal that this decides; 0 for none. Older versions knew one that
    waits, the latest, and wrote nothing here."""

    @property
    def key(self) -> str | None:
        """What it happens at most once for; None for what does not come from evidence.

        What one agent left, or left at one's word, another may still learn from.
        """
        about = self.origin.key
        if about is None or self.does != "omit":
            return about
        return key_of_omission(about, self.by, self.origin.feedback, of_file=bool(self.origin.file))


def key_of_omission(evidence: str, by: str, feedback: str, *, of_file: bool) -> str:
    """What an agent leaves a piece of evidence at most once for.

    What was left without what its file says may be learned from with it (``of_file``).
    """
    return " ".join(filter(None, (evidence, by, feedback, "imported" if of_file else "")))
