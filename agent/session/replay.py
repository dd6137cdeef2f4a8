"""A replay: a session as it stood after any of its events, records included.

It needs no model and no network, because everything is read from the log. Its members have the same
names as those of a running conversation, so that a widget that shows one also shows the other. A
session that goes on is taken up in ``agent.session.resuming``.
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
from domains.core.records import Records, RecordsMismatch, StoredRecord
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
    """The first events of a log, in the shape of a log."""

    session: str
    events: list[Logged]


@dataclass(frozen=True, slots=True)
class ReplayedCard:
    """A card as it stood, with the decision on it and the write so far."""

    card: Card
    decision: DecisionMade | None = None
    """None while the card was waiting."""

    applied: WriteApplied | None = None


class Replay:
    """One session to step through, starting at the first event.

    Events are folded once, as far as the replay was ever taken. Going back is a look-up, and a step
    forward costs the same however long the session is.
    """

    def __init__(
        self,
        domain: Domain,
        events: Sequence[Logged],
        scenario: Scenario | None = None,
        memory: Bank | None = None,
    ) -> None:
        """`memory` is the memory that the session used, if it is available here.

        Raises RecordsMismatch if the domain's records are not the session's.
        """
        self.domain = domain
        self.scenario = scenario
        self.memory = memory
        self.records: Records = domain.records()
        self._events = events
        self._fold = Transcript()
        self._items: list[Item] = list(self._fold.add(events[0]))
        self._ends = [len(self._items)]
        """The number of transcript items after each event."""

        self._standing = [status(events[:1])]
        if self._standing[0].records_digest != self.records.digest:
            raise RecordsMismatch(f"its {domain.name} records had a different digest")
        self._writes: list[int] = []
        """The number of events up to and including each write."""

        self._states: list[Mapping[Key, StoredRecord]] = [self.records.snapshot()]
        """The records before any write, and after each one."""

        self._place = 1

    @property
    def place(self) -> int:
        """The number of events that have happened, from 1 to :attr:`length`."""
        return self._place

    @property
    def length(self) -> int:
        """The number of events in the log."""
        return len(self._events)

    @property
    def whole(self) -> Sequence[Logged]:
        """The log to its end, whatever the place."""
        return self._events

    def grow(self, events: Sequence[Logged]) -> None:
        """Replace the log with a longer one; the events it already had must be unchanged."""
        self._events = events

    @property
    def now(self) -> Logged:
        """The latest event at the current place."""
        return self._events[self._place - 1]

    def since(self, place: int) -> Sequence[Logged]:
        """The events after an earlier place, up to the current one."""
        return self._events[place : self._place]

    @property
    def log(self) -> Prefix:
        """The log up to the current place."""
        return Prefix(self.now.session, list(self._events[: self._place]))

    @property
    def blocks(self) -> GrowingBlocks:
        """The context blocks up to the current place."""
        return GrowingBlocks(self._events[: self._place])

    @property
    def status(self) -> SessionStatus:
        """Where the session stood at the current place."""
        return self._standing[self._place - 1]

    @property
    def items(self) -> list[Item]:
        """The transcript up to the current place."""
        return self._items[: self._ends[self._place - 1]]

    @property
    def card(self) -> ReplayedCard | None:
        """The card that was waiting, or that the latest event settled; None if there was none."""
        if isinstance(self.now.event, (ConsentUsed, DecisionMade, WriteApplied)):
            return self._card_being_settled(self.now.event)
        card = self.status.card_to_decide
        return None if card is None else ReplayedCard(card)

    def go_to(self, place: int) -> int:
        """Go to a place, or to the nearest one that exists, and return it."""
        place = max(1, min(place, self.length))
        while len(self._standing) < place:
            self._fold_one(self._events[len(self._standing)])
        self._place = place
        self.records.restore(self._states[bisect_right(self._writes, place)])
        return place

    @property
    def pause(self) -> float | None:
        """Seconds that passed before the next event; None at the end."""
        if self._place == self.length:
            return None
        before, after = (
            datetime.fromisoformat(each.at)
            for each in self._events[self._place - 1 : self._place + 1]
        )
        return max(0.0, (after - before).total_seconds())

    @property
    def words_next(self) -> str | None:
        """The customer's words if they are the next event; else None."""
        following = self._events[self._place : self._place + 1]
        return next((e.event.text for e in following if isinstance(e.event, CustomerSaid)), None)

    def step(self, by: int) -> int:
        """Go forward by that many events, or back if `by` is negative, and return the place."""
        return self.go_to(self._place + by)

    def next_of(self, kind: type[Event], direction: int = 1) -> int | None:
        """The nearest place after this one (before it with -1) whose event is of that kind."""
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
            self.records.replay_write(written.card_id, written.patch, written.records_digest)
            self._writes.append(logged.seq)
            self._states.append(self.records.snapshot())

    def _card_being_settled(
        self, event: ConsentUsed | DecisionMade | WriteApplied
    ) -> ReplayedCard | None:
        """The card of a decision, a consent or a write, with what was known of it at that time."""
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
