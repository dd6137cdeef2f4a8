"""A second person's way through recorded cards, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sessions.cleaning import clean
from sessions.errors import AlreadyRecorded, StoreError
from sessions.events import Reviewed
from sessions.store import Store
from sessions.views.reviewing import BlindCard, blind, left_for, put_to_reviewers

Call = Literal["approve", "reject", "change"]


class ReviewDesk:
    """Hands out the cards that a person has not decided yet and records what they decide.

    Sessions are read one at a time, when their first card is due, in the order they were given.
    The cards of one follow each other as they did there, so that a card is decided before the
    conversation tells what became of it.
    """

    def __init__(self, store: Store, sessions: Sequence[str], by: str) -> None:
        """`by` is the name under which this person decides."""
        self.by = by
        self.card: BlindCard | None = None
        """The card to be decided now; None before the first and after the last."""

        self.decided = 0
        """How many were decided here."""

        self.place = 0
        """Which of the sessions it is of, counted from 1."""

        self.sessions = len(sessions)
        self.put = 0
        """Cards there were for reviewers in the sessions read so far, decided or not."""

        self.faults: list[str] = []
        """What could not be read, in sentences."""

        self._store = store
        self._waiting = self._cards(sessions)

    def advance(self) -> BlindCard | None:
        """Go on to the next card; None where there is none left."""
        self.card = next(self._waiting, None)
        return self.card

    def record(self, decision: Call, words: str, milliseconds: int) -> bool:
        """Append a decision on this card to its session's log; False where it was there already.

        Raises StoreError where it cannot be recorded.
        """
        assert self.card is not None
        review = Reviewed(
            card_id=self.card.card.id,
            decision=decision,
            words=clean(words),
            by=self.by,
            milliseconds=milliseconds,
        )
        try:
            self._store.append(self.card.session, [review])
        except AlreadyRecorded:
            return False
        self.decided += 1
        return True

    def _cards(self, sessions: Sequence[str]) -> Iterator[BlindCard]:
        for self.place, session in enumerate(sessions, 1):
            try:
                events = self._store.read(session)
            except StoreError as error:
                self.faults.append(str(error))
                continue
            self.put += len(put_to_reviewers(events))
            for row in left_for(events, self.by):
                yield blind(events, row)
