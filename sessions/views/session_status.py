"""The current state of a session, for the status line, the turn loop, and a resumption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    Limits,
    Logged,
    ModelAnswered,
    ModelChanged,
    OtherModelAsked,
    RequestSettings,
    RouteDecided,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionStarted,
    ToolReturned,
    Usage,
    WriteApplied,
)
from sessions.events.memory import MemoryUsed
from sessions.views.turn import Turn

NO_TURN = Turn()


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """A session after some number of its events."""

    session: str
    domain: str
    source: str
    data: str | None
    tasks: str | None
    scenario: str | None
    scenario_digest: str | None
    plays: str | None
    """The id of the customer whom the person chose to play, without a scenario."""

    records_digest: str
    """Digest of the records before anything was changed in them."""

    model: str
    auxiliary: str | None
    safeguards: Safeguards
    max_turns: int
    limits: Limits
    requests: RequestSettings
    wording_digest: str
    """Digest of the agent's instructions, if they are not the domain's own."""

    current: Turn = NO_TURN
    """The customer's latest turn."""

    writes: int = 0
    """The number of writes carried out without an error."""

    cards: int = 0
    interrupted_turns: int = 0
    """The number of turns in which at least one card was shown."""

    tokens: int = 0
    """Tokens of all models' answers, both the agent's models and those outside the agent."""

    cost: float | None = None
    """US dollars; None if the price of any answer that used tokens is not known."""

    unpriced: bool = False
    """Whether an answer used tokens whose price is not known."""

    ended: str | None = None
    scored: Scored | None = None
    customer: str | None = None
    """The customer's id, once a look-up has identified it."""

    memory: MemoryUsed | None = None
    """The memory that the agent can read from."""

    coupled_since: int | None = None
    """The turn from which changes are verified; None if the session is routine or not routed."""

    @property
    def turn(self) -> int:
        """The number of the customer's latest turn, counted from 1; 0 before the first."""
        return self.current.number

    @property
    def mid_turn(self) -> bool:
        """Whether the customer spoke last and the agent has not finished its answer."""
        return self.ended is None and self.current.is_open

    @property
    def waiting_card(self) -> Card | None:
        """The card that was shown and neither settled nor replaced."""
        card = self.current.last_card
        waits = self.ended is None and card is not None and card.state == "waits"
        return card.item if card is not None and waits else None

    @property
    def waiting_check(self) -> Card | None:
        """The card of an attention check that was shown and is not decided; it is not a write."""
        check = self.current.last_check
        waits = self.ended is None and check is not None and check.state == "waits"
        return check.item.card if check is not None and waits else None

    @property
    def has_undecided_check(self) -> bool:
        """Whether an attention check was left undecided in this turn and can be taken up again."""
        check = self.current.last_check
        return check is not None and check.state == "left"

    @property
    def card_to_decide(self) -> Card | None:
        """The card that the person has to decide on now, whether real or an attention check."""
        return self.waiting_card or self.waiting_check

    @property
    def interrupted_share(self) -> float:
        """The share of turns in which a card interrupted the person, 0 to 1.

        An attention check that waits or was left counts as the card that it looks like.
        """
        passes_for_card = self.waiting_check is not None or self.has_undecided_check
        as_card = passes_for_card and not self.current.cards
        return (self.interrupted_turns + as_card) / self.turn if self.turn else 0.0


def status(events: Sequence[Logged]) -> SessionStatus:
    """The state of a session after these events; ValueError unless they begin at its start."""
    if not events or not isinstance(events[0].event, SessionStarted):
        raise ValueError("a session's log begins with session_started")
    return reduce(advance, events[1:], _initial(events[0].session, events[0].event))


def advance(now: SessionStatus, logged: Logged) -> SessionStatus:
    """The state after one more event."""
    return _after(now, logged.event)


def _initial(session: str, started: SessionStarted) -> SessionStatus:
    return SessionStatus(
        session=session,
        domain=started.domain,
        source=started.source,
        data=started.data,
        tasks=started.tasks,
        scenario=started.scenario,
        scenario_digest=started.scenario_digest,
        plays=started.plays,
        records_digest=started.records_digest,
        model=started.model,
        auxiliary=started.auxiliary,
        safeguards=started.safeguards,
        max_turns=started.max_turns,
        limits=started.limits,
        memory=started.memory,
        requests=started.requests,
        wording_digest=started.wording_digest,
    )


def _after(now: SessionStatus, event: AnyEvent) -> SessionStatus:
    """The state after an event: first its turn, then the session as a whole."""
    turn = now.current.after(event)
    match event:
        case CardShown():
            interrupted = now.interrupted_turns + (not now.current.cards)
            return replace(now, current=turn, cards=now.cards + 1, interrupted_turns=interrupted)
        case ModelAnswered() | OtherModelAsked():
            return _after_spending(now, turn, event.usage)
        case WriteApplied(error=False):
            return replace(now, current=turn, writes=now.writes + 1)
        case ToolReturned() if now.customer is None and event.customer is not None:
            return replace(now, current=turn, customer=event.customer)
        case _:
            now = now if turn is now.current else replace(now, current=turn)
            return _after_change(now, event)


def _after_change(now: SessionStatus, event: AnyEvent) -> SessionStatus:
    """The state after an event that may change the session itself."""
    match event:
        case RouteDecided(latched=True) if now.coupled_since is None:
            return replace(now, coupled_since=event.turn)
        case SafeguardsChanged():
            return replace(now, safeguards=event.safeguards)
        case ModelChanged():
            return replace(now, model=event.model)
        case SessionEnded():
            return replace(now, ended=event.reason)
        case Scored():
            return replace(now, scored=event)
        case _:
            return now


def _after_spending(now: SessionStatus, turn: Turn, usage: Usage) -> SessionStatus:
    unpriced = now.unpriced or _is_unpriced(usage)
    return replace(
        now,
        current=turn,
        tokens=now.tokens + usage.prompt + usage.completion,
        unpriced=unpriced,
        cost=None if unpriced else _sum(now.cost, usage.cost),
    )


def _is_unpriced(usage: Usage) -> bool:
    return usage.cost is None and usage.prompt + usage.completion > 0


def _sum(cost: float | None, more: float | None) -> float | None:
    return cost if more is None else (cost or 0.0) + more
