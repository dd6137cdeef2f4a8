"""One change to a memory: what is done to an entry, by whom, and where it comes from."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.memory.entry import Entry, Gap
from agent.memory.evidence import Evidence, Regime

Does = Literal["propose", "accept", "refuse", "edit", "undo", "omit"]
Failure = Literal["", "execution", "alignment"]
"""Why a session failed; empty if nothing did.

``execution``: the agent did not do what the policy says. ``alignment``: the policy does not say
what is right (PolicyBank, section 2).
"""


class Origin(BaseModel):
    """The origin of a change."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["policy", "session", "file", "person", "judge"]
    """``judge`` decides in place of a person in a stream, which has none."""

    session: str = ""
    seq: int = 0
    """The sequence number of the session's event that is the evidence."""

    words: str = ""
    """The person's own words, or the file's name."""

    feedback: Regime | Literal[""] = ""
    """The kind of feedback that the evidence was; empty if there is no evidence."""

    failure: Failure = ""
    gap: Gap = ""
    file: str = ""
    """The file of sessions that the evidence was imported with; empty if it was recorded here."""

    success: bool | None = None
    """Whether the session was judged to have gone as it should; None if no one judged it."""

    why: str = ""
    """The reasons for the judgement, in a sentence or two."""

    @property
    def key(self) -> str | None:
        """The key of the evidence that it refers to; None if there is none."""
        return f"{self.session}:{self.seq}" if self.session else None


def origin_of(evidence: Evidence, why: str, **more: Any) -> Origin:
    """The origin of what a piece of evidence teaches; ``more`` sets other fields."""
    return Origin(
        kind="session", session=evidence.session, seq=evidence.seq, file=evidence.file, why=why,
        **more,
    )  # fmt: skip


class Change(BaseModel):
    """One change to one capability of a bank."""

    model_config = ConfigDict(frozen=True)

    does: Does
    capability: str
    entry: Entry | None = None
    origin: Origin
    by: str
    of: int | None = None
    """The revision of the proposal that this decides; 0 for none.

    Older versions had only one that waits, the latest, and wrote nothing here.
    """

    @property
    def key(self) -> str | None:
        """The key for which it happens at most once; None if it does not come from evidence.

        What one agent left out, or left out with one kind of feedback, another may still learn
        from.
        """
        about = self.origin.key
        if about is None or self.does != "omit":
            return about
        return key_of_omission(about, self.by, self.origin.feedback, of_file=bool(self.origin.file))


def key_of_omission(evidence: str, by: str, feedback: str, *, of_file: bool) -> str:
    """The key for which an agent leaves out a piece of evidence at most once.

    Evidence that was left out without what its file says may be learned from with it (``of_file``).
    """
    return " ".join(filter(None, (evidence, by, feedback, "imported" if of_file else "")))
