"""A second person's way through recorded cards, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from sessions.cleaning import clean
from sessions.events import Form, Logged, Reviewed
from sessions.store.errors import AlreadyRecorded, StoreError
from sessions.store.store import Store
from sessions.views.cards import DecisionRow
from sessions.views.family import parents_first, tree_with, trees
from sessions.views.reviewing import BlindCard, blind, cards_known_to, put_to_reviewers
from sessions.views.writes import WriteCard, own_writes, writes

Call = Literal["approve", "reject", "change"]
Make = Callable[[Sequence[Logged]], Sequence[WriteCard]]
"""Makes the cards of the changes of a session that nobody was asked about; raises CardsNotMade."""


class CardsNotMade(Exception):
    """The cards of a session cannot be made; the message is a sentence for the person."""


def _none(events: Sequence[Logged]) -> Sequence[WriteCard]:
    return ()


class ReviewDesk:
    """Hands out the cards that a person has not decided yet and records what they decide.

    Sessions are read one at a time, when their first card is due, in the order they were given,
    but a fork after the session that it was made of. The cards of one follow each other as they
    did there, so that a card is decided before the conversation tells what became of it. Where a
    card is passed over, the cards after it, in forks as well, wait until it is decided.
    """

    def __init__(
        self,
        store: Store,
        sessions: Sequence[str],
        by: str,
        *,
        form: Form = "card",
        make: Make = _none,
    ) -> None:
        """`by` is the name under which this person decides, `form` what they are shown.

        `make` gives changes that nobody was asked about their cards; else they are left out.
        """
        self.by = by
        self.form: Form = form
        self.card: BlindCard | None = None
        """The card to be decided now; None before the first and after the last."""

        self.decided = 0
        """How many were decided here."""

        self.place = 0
        """Which of the sessions it is of, counted from 1."""

        family = store.family()
        ordered = parents_first(sessions, family)
        self.sessions = len(ordered)
        self.put = 0
        """Cards there were for reviewers in the sessions read so far, decided or not."""

        self.faults: list[str] = []
        """What could not be read, in sentences."""

        self.skipped: set[str] = set()
        """The cards that were passed over here."""

        self._store = store
        self._make = make
        self._trees = trees(family)
        self._known: set[str] = set()
        self._waiting = self._cards(ordered)

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
            form=self.form,
        )
        try:
            self._store.append(self.card.session, [review])
        except AlreadyRecorded:
            recorded = False
        else:
            recorded = True
        self._known.add(self.card.card.id)
        self.decided += recorded
        return recorded

    def _cards(self, sessions: Sequence[str]) -> Iterator[BlindCard]:
        for self.place, session in enumerate(sessions, 1):
            events = self._read(session)
            rows = self._put_up(events)
            self.put += len(rows)
            self._learn(session, events)
            if not self.skipped.isdisjoint(each.card_id for each in writes(events)):
                continue
            for row in rows:
                if row.card.id in self._known:
                    continue
                yield blind(events, row)
                if row.card.id not in self._known:
                    self.skipped.add(row.card.id)
                    break

    def _put_up(self, events: Sequence[Logged]) -> Sequence[DecisionRow | WriteCard]:
        """What of a session is put to reviewers, in order.

        Where the records that it takes to make a card are not here, that is told once.
        """
        shown: list[DecisionRow | WriteCard] = list(put_to_reviewers(events))
        if all(each.origin == "live" for each in own_writes(events)):
            return shown
        try:
            made = [each for each in self._make(events) if each.write.origin == "recorded"]
        except CardsNotMade as error:
            self._tell(str(error))
            return shown
        return sorted((*shown, *made), key=lambda row: row.shown.seq)

    def _learn(self, session: str, events: Sequence[Logged]) -> None:
        """Take in what this person knows from a session and from all that share events with it."""
        tree = tree_with(self._trees, session)
        family = (self._read(each.id) for each in tree if each.id != session)
        for log in (events, *family):
            self._known |= cards_known_to(log, self.by)

    def _read(self, session: str) -> Sequence[Logged]:
        """A session's log; empty where it cannot be read, which is told once."""
        try:
            return self._store.read(session)
        except StoreError as error:
            self._tell(str(error))
            return ()

    def _tell(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)
