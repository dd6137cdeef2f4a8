"""What people say of a session afterwards: labels, and second decisions on its cards."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sessions.events.base import Event

Verdict = Literal["right", "wrong", "unclear"]

Form = Literal["card", "raw"]
"""What a reviewer was shown: the card, or the bare call as other programs show it."""


class Labelled(Event):
    """Somebody judged the session, one of its events, or one of its cards.

    Of several labels that the same person gives to the same thing the last one holds.
    """

    type: Literal["labelled"] = "labelled"
    about: Literal["session", "event", "card"] = "session"
    seq: int | None = None
    """The event that it is about, where it is about one."""

    card_id: str | None = None
    """The card that it is about, where it is about one."""

    verdict: Verdict
    tags: tuple[str, ...] = ()
    note: str = ""
    by: str
    """Whoever gave it, by a name of their own choice."""

    @property
    def place(self) -> tuple[str, int | str | None]:
        """What it is about; two labels of one person on one place replace each other."""
        return self.about, self.card_id if self.about == "card" else self.seq


class Reviewed(Event):
    """Somebody decided a recorded change without knowing what had become of it.

    The card is the one that was shown then, or, of a change that nobody was asked about, the one
    that is made afterwards (:func:`sessions.views.writes.id_of_recorded_card`).
    """

    type: Literal["reviewed"] = "reviewed"
    card_id: str
    decision: Literal["approve", "reject", "change"]
    words: str = ""
    by: str
    """Whoever decided, by a name of their own choice."""

    milliseconds: int = Field(default=0, ge=0)
    """From the card being readable to the decision."""

    form: Form = "card"
    """What they were shown of the change."""

    @property
    def key(self) -> str:
        """The card and the person: each decides a card once, in the one form or the other."""
        return f"{self.card_id} {self.by}"
