"""A reviewer's queue of recorded cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from sessions.cleaning import clean
from sessions.events import Form, Logged, Reviewed
from sessions.store.errors import AlreadyRecorded, StoreError
from sessions.store.store import Store
from sessions.views.cards import DecisionRow
from sessions.views.family import parents_first, tree_containing, trees
from sessions.views.reviewing import BlindCard, cards_known_to, make_blind_card, reviewable_cards
from sessions.views.writes import WriteCard, own_writes, writes

Call = Literal["approve", "reject", "change"]
Make = Callable[[Sequence[Logged]], Sequence[WriteCard]]
"""Makes cards for a session's changes that no one was asked about; raises CardsNotMade."""


class CardsNotMade(Exception):
    """The cards of a session cannot be made; the message is a sentence for the user."""


def _none(events: Sequence[Logged]) -> Sequence[WriteCard]:
    return ()


class ReviewDesk:
    """Hands out the cards that a reviewer has not decided yet and records their decisions.

    Sessions are read one at a time, when their first card is due, in the given order, except that a
    fork comes after its parent. The cards of a session keep their order, so that each is decided
    before the conversation reveals its outcome. If a card is skipped, the cards after it, in forks
    as well, wait until it is decided.
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
        """Set up the queue for the reviewer named `by`, who is shown changes in this `form`.

        `make` provides cards for changes that no one was asked about; without it, they are left
        out.
        """
        self.by = by
        self.form: Form = form
        self.card: BlindCard | None = None
        """The card to be decided now; None before the first and after the last."""

        self.decided = 0
        """The number of cards decided at this desk."""

        self.place = 0
        """The position of the card's session in the queue, counted from 1."""

        family = store.family()
        ordered = parents_first(sessions, family)
        self.sessions = len(ordered)
        self.put = 0
        """The number of cards for reviewers in the sessions read so far, decided or not."""

        self.faults: list[str] = []
        """Messages about sessions that could not be read or whose cards could not be made."""

        self.skipped: set[str] = set()
        """The cards that were skipped at this desk."""

        self._store = store
        self._make = make
        self._trees = trees(family)
        self._known: set[str] = set()
        self._waiting = self._cards(ordered)

    def advance(self) -> BlindCard | None:
        """Move to the next card and return it; None if there is none left."""
        self.card = next(self._waiting, None)
        return self.card

    def record(self, decision: Call, words: str, milliseconds: int) -> bool:
        """Append a decision on the current card to its log; return False if it was already decided.

        Raises StoreError if it cannot be recorded.
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
            rows = self._reviewable(events)
            self.put += len(rows)
            self._learn(session, events)
            if not self.skipped.isdisjoint(each.card_id for each in writes(events)):
                continue
            for row in rows:
                if row.card.id in self._known:
                    continue
                yield make_blind_card(events, row)
                if row.card.id not in self._known:
                    self.skipped.add(row.card.id)
                    break

    def _reviewable(self, events: Sequence[Logged]) -> Sequence[DecisionRow | WriteCard]:
        """The cards of a session that are shown to reviewers, in order.

        If the records needed to make a card are not available, a fault is noted once.
        """
        shown: list[DecisionRow | WriteCard] = list(reviewable_cards(events))
        if all(each.origin == "live" for each in own_writes(events)):
            return shown
        try:
            made = [each for each in self._make(events) if each.write.origin == "recorded"]
        except CardsNotMade as error:
            self._tell(str(error))
            return shown
        return sorted((*shown, *made), key=lambda row: row.shown.seq)

    def _learn(self, session: str, events: Sequence[Logged]) -> None:
        """Note what the reviewer knows from a session and from all that share events with it."""
        tree = tree_containing(self._trees, session)
        family = (self._read(each.id) for each in tree if each.id != session)
        for log in (events, *family):
            self._known |= cards_known_to(log, self.by)

    def _read(self, session: str) -> Sequence[Logged]:
        """A session's log; empty if it cannot be read, in which case a fault is noted once."""
        try:
            return self._store.read(session)
        except StoreError as error:
            self._tell(str(error))
            return ()

    def _tell(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)
