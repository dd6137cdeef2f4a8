"""A replay: a session as it stood after any of its events, records included.

It needs no model and no network: everything is read from the log. What it hands out has the same
names as in a conversation that is being held, so that whatever shows the one shows the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agent.context.blocks import GrowingBlocks
from agent.memory.bank import Bank
from domains.core.domain import Domain, Scenario
from domains.core.draft import Key
from domains.core.records import Kept, Records, RecordsMoved
from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    Event,
    Logged,
    WriteApplied,
)
from sessions.views import Item, SessionStatus, Transcript, advance, status


@dataclass(frozen=True, slots=True)
class Prefix:
    """The first events of a log, as a log."""

    session: str
    events: list[Logged]


@dataclass(frozen=True, slots=True)
class ReplayedCard:
    """A card as it stood, and what had been made of it by then."""

    card: Card
    decision: DecisionMade | None = None
    """None while it waited."""

    applied: WriteApplied | None = None


class Replay:
    """One session, to be stepped through; it begins at the first event.

    Everything is folded once, as far as the replay was ever taken. Going back is a look-up, and a
    step forward costs the same however long the session is.
    """

    def __init__(
        self,
        domain: Domain,
        events: Sequence[Logged],
        scenario: Scenario | None = None,
        memory: Bank | None = None,
    ) -> None:
        """`memory` is as the session had it, where it is here.

        Raises RecordsMoved where the domain's records are not the session's.
        """
        self.domain = domain
        self.scenario = scenario
        self.memory = memory
        self.records: Records = domain.records()
        self._events = events
        self._fold = Transcript()
        self._items: list[Item] = list(self._fold.add(events[0]))
        self._ends = [len(self._items)]
        """How many items there are after each event."""

        self._standing = [status(events[:1])]
        if self._standing[0].records_digest != self.records.digest:
            raise RecordsMoved(f"its {domain.name} records had another digest than these")
        self._writes: list[int] = []
        """After how many events each write was made."""

        self._states: list[Mapping[Key, Kept]] = [self.records.snapshot()]
        """The records before any write, and after each."""

        self._place = 1

    @property
    def place(self) -> int:
        """How many events have happened, from 1 to :attr:`length`."""
        return self._place

    @property
    def length(self) -> int:
        """How many events there are."""
        return len(self._events)

    @property
    def whole(self) -> Sequence[Logged]:
        """The log to its end, whatever the place."""
        return self._events

    def grow(self, events: Sequence[Logged]) -> None:
        """Go on with a log that has become longer; nothing that was in it may have changed."""
        self._events = events

    @property
    def now(self) -> Logged:
        """What happened last."""
        return self._events[self._place - 1]

    def since(self, place: int) -> Sequence[Logged]:
        """What has happened after an earlier place."""
        return self._events[place : self._place]

    @property
    def log(self) -> Prefix:
        """The log as far as it had come."""
        return Prefix(self.now.session, list(self._events[: self._place]))

    @property
    def blocks(self) -> GrowingBlocks:
        """The blocks as far as it had come."""
        return GrowingBlocks(self._events[: self._place])

    @property
    def status(self) -> SessionStatus:
        """Where the session stood."""
        return self._standing[self._place - 1]

    @property
    def items(self) -> list[Item]:
        """The transcript as far as it had come."""
        return self._items[: self._ends[self._place - 1]]

    @property
    def card(self) -> ReplayedCard | None:
        """The card that was before the customer, or was being settled by what happened last."""
        if isinstance(self.now.event, (ConsentUsed, DecisionMade, WriteApplied)):
            return self._card_being_settled(self.now.event)
        card = self.status.card_before_person
        return None if card is None else ReplayedCard(card)

    def go_to(self, place: int) -> int:
        """Go to a place, or as near as there is one; returns where that is."""
        place = max(1, min(place, self.length))
        while len(self._standing) < place:
            self._fold_one(self._events[len(self._standing)])
        self._place = place
        self.records.restore(self._states[bisect_right(self._writes, place)])
        return place

    @property
    def pause(self) -> float | None:
        """Seconds that passed before what happens next; None at the end."""
        if self._place == self.length:
            return None
        before, after = (
            datetime.fromisoformat(each.at)
            for each in self._events[self._place - 1 : self._place + 1]
        )
        return max(0.0, (after - before).total_seconds())

    @property
    def words_next(self) -> str | None:
        """The customer's words, where those are what happens next."""
        following = self._events[self._place : self._place + 1]
        return next((e.event.text for e in following if isinstance(e.event, CustomerSaid)), None)

    def step(self, by: int) -> int:
        """Go on, or back where `by` is negative; returns the place."""
        return self.go_to(self._place + by)

    def next_of(self, kind: type[Event], direction: int = 1) -> int | None:
        """The nearest place after, or with -1 before, at which such an event happened last."""
        ahead = range(self._place, self.length)
        behind = range(self._place - 2, -1, -1)
        for index in ahead if direction > 0 else behind:
            if isinstance(self._events[index].event, kind):
                return index + 1
        return None

    def _fold_one(self, logged: Logged) -> None:
        self._standing.append(advance(self._standing[-1], logged))
        self._items += self._fold.add(logged)
        self._ends.append(len(self._items))
        if isinstance(logged.event, WriteApplied):
            written = logged.event
            self.records.restore(self._states[-1])
            self.records.redo(written.card_id, written.patch, written.records_digest)
            self._writes.append(logged.seq)
            self._states.append(self.records.snapshot())

    def _card_being_settled(
        self, event: ConsentUsed | DecisionMade | WriteApplied
    ) -> ReplayedCard | None:
        """The card of a decision, a consent or a write, with what there was of it by then."""
        card: Card | None = None
        decision = event if isinstance(event, DecisionMade) else None
        for each in self._backwards():
            match each:
                case DecisionMade() if decision is None and each.card_id == event.card_id:
                    decision = each
                case CardShown() if each.card.id == event.card_id:
                    card = each.card
                    break
                case _:
                    pass
        if card is None or (decision is not None and decision.decision == "ask"):
            return None if card is None else ReplayedCard(card)
        applied = event if isinstance(event, WriteApplied) else None
        return ReplayedCard(card, decision, applied)

    def _backwards(self) -> Iterator[AnyEvent]:
        return (self._events[index].event for index in range(self._place - 1, -1, -1))
