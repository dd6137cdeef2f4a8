"""Human judgements made after a session: labels, and second decisions on its cards."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sessions.events.base import Event

Verdict = Literal["right", "wrong", "unclear"]

Form = Literal["card", "raw"]
"""What a reviewer was shown: the card, or the bare call as other programs show it."""


class Labelled(Event):
    """A reviewer judged the session, one of its events, or one of its cards.

    If one reviewer labels the same thing several times, the last label counts.
    """

    type: Literal["labelled"] = "labelled"
    about: Literal["session", "event", "card"] = "session"
    seq: int | None = None
    """The event that the label is about, if it is about one."""

    card_id: str | None = None
    """The card that the label is about, if it is about one."""

    verdict: Verdict
    tags: tuple[str, ...] = ()
    note: str = ""
    by: str
    """The reviewer, by a name of their own choice."""

    @property
    def place(self) -> tuple[str, int | str | None]:
        """What the label is about; a reviewer's later label on the same place replaces this one."""
        return self.about, self.card_id if self.about == "card" else self.seq


class Reviewed(Event):
    """A reviewer decided a recorded change without knowing its outcome.

    The card is the one shown at the time or, for a change that no one was asked about, one made
    afterwards (:func:`sessions.views.writes.id_of_recorded_card`).
    """

    type: Literal["reviewed"] = "reviewed"
    card_id: str
    decision: Literal["approve", "reject", "change"]
    words: str = ""
    by: str
    """The reviewer, by a name of their own choice."""

    milliseconds: int = Field(default=0, ge=0)
    """Time from when the card became readable until the decision."""

    form: Form = "card"
    """How the change was presented to the reviewer."""

    @property
    def key(self) -> str:
        """The idempotency key: each reviewer decides a card once, in either form."""
        return f"{self.card_id} {self.by}"
