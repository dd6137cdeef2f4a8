"""The changes that a session proposed or carried out, each with its card.

If this program asked, that is the card it showed. If no one was asked, as in a run of another
program, a card can be made afterwards. Its id is derived from the session and the position of the
write in its log, so it is always the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sessions.events import Card, CardShown, Logged, SessionForked, WriteApplied
from sessions.store.forking import count_inherited

Origin = Literal["live", "recorded"]
"""Whether a card was shown in its session, or made later from what the session recorded."""


@dataclass(frozen=True, slots=True)
class Write:
    """A change that was put on a card, or carried out without one."""

    card_id: str
    logged: Logged
    """The event that showed its card or, without a card, the one that carried it out."""

    origin: Origin
    name: str
    arguments: dict[str, Any]
    replaces: str | None = None
    """The outdated card that this one replaced, if any."""

    @property
    def seq(self) -> int:
        """The position in the session's log."""
        return self.logged.seq


@dataclass(frozen=True, slots=True)
class WriteCard:
    """A change and its card: the one that was shown, or one made afterwards."""

    write: Write
    card: Card

    @property
    def shown(self) -> Logged:
        """The event at which the card stands."""
        return self.write.logged

    @property
    def replaces(self) -> str | None:
        """The outdated card that this one replaced, if any."""
        return self.write.replaces


def writes(events: Sequence[Logged]) -> list[Write]:
    """Every change of a session, in order, except failed ones without a card."""
    return list(_writes(events))


def own_writes(events: Sequence[Logged]) -> list[Write]:
    """Each change once: the last of cards that replaced one another, and none of a parent's."""
    shared, found = count_inherited(events), writes(events)
    replaced = {each.replaces for each in found}
    return [each for each in found if each.seq > shared and each.card_id not in replaced]


def id_of_recorded_card(session: str, seq: int) -> str:
    """The id of the card that is made afterwards for the write at this position in a session."""
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
    """The sessions that a fork's first events come from, each with the seq of its last event."""
    forks = (each.event for each in events if isinstance(each.event, SessionForked))
    return [(each.seq, each.parent) for each in forks]


def _owner(owners: Sequence[tuple[int, str]], logged: Logged) -> str:
    """The session that first recorded an event, so that a fork's write has its parent's card."""
    return next((parent for last, parent in owners if logged.seq <= last), logged.session)
