"""The changes that a session proposed or carried out, each by the card that stands for it.

Where this program asked, that is the card it showed. Where nobody was asked, as in a run of
another program, a card can be made afterwards. Its id follows from the session and the place of
the write in its log, so that it is the same whoever makes it and whenever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sessions.events import Card, CardShown, Logged, SessionForked, WriteApplied
from sessions.store.forking import count_inherited

Origin = Literal["live", "recorded"]
"""Whether a card was shown in its session, or made of what the session recorded."""


@dataclass(frozen=True, slots=True)
class Write:
    """A change that was put on a card, or carried out without one."""

    card_id: str
    logged: Logged
    """The event that showed its card; where there was none, the one that carried it out."""

    origin: Origin
    name: str
    arguments: dict[str, Any]
    replaces: str | None = None
    """The card that went stale, where this one stood in for it."""

    @property
    def seq(self) -> int:
        """Where it stands in its session's log."""
        return self.logged.seq


@dataclass(frozen=True, slots=True)
class WriteCard:
    """A change and its card: the one that was shown, or one made afterwards."""

    write: Write
    card: Card

    @property
    def shown(self) -> Logged:
        """The event at which it stands."""
        return self.write.logged

    @property
    def replaces(self) -> str | None:
        """The card that went stale, where this one stood in for it."""
        return self.write.replaces


def writes(events: Sequence[Logged]) -> list[Write]:
    """Every change of a session, in order; what failed without a card is none."""
    return list(_writes(events))


def own_writes(events: Sequence[Logged]) -> list[Write]:
    """Each change once: the last of cards that stood in for one another, and none of a parent's."""
    shared, found = count_inherited(events), writes(events)
    replaced = {each.replaces for each in found}
    return [each for each in found if each.seq > shared and each.card_id not in replaced]


def id_of_recorded_card(session: str, seq: int) -> str:
    """The id of the card that is made afterwards for the write at this place of a session."""
    return hashlib.sha256(f"{session} {seq}".encode()).hexdigest()[:32]


def _writes(events: Sequence[Logged]) -> Iterator[Write]:
    shown = {each.event.card.id for each in events if isinstance(each.event, CardShown)}
    owners = _owners(events)
    for logged in events:
        match logged.event:
            case CardShown(card=card, replaces=replaces):
                yield Write(card.id, logged, "live", card.tool, card.arguments, replaces)
            case WriteApplied(error=False) as made if made.card_id not in shown:
                card_id = id_of_recorded_card(_owner(owners, logged), logged.seq)
                yield Write(card_id, logged, "recorded", made.name, made.arguments)
            case _:
                pass


def _owners(events: Sequence[Logged]) -> list[tuple[int, str]]:
    """The sessions whose copies a fork's first events are, each with its last event's place."""
    forks = (each.event for each in events if isinstance(each.event, SessionForked))
    return [(each.seq, each.parent) for each in forks]


def _owner(owners: Sequence[tuple[int, str]], logged: Logged) -> str:
    """The session in which an event first stood: a fork's write has its parent's card."""
    return next((parent for last, parent in owners if logged.seq <= last), logged.session)
