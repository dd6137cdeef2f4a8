"""Where a session stands: what the status line, the loop and a resumption need to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from sessions.events import (
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    CustomerSaid,
    DecisionMade,
    GuardFired,
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
    """The id of the customer whom the person chose to be, in free play."""

    records_digest: str
    """Of the records before anything was changed in them."""

    model: str
    auxiliary: str | None
    safeguards: Safeguards
    max_turns: int
    limits: Limits
    requests: RequestSettings
    wording_digest: str
    """Of what the agent is told of its job, where that is not the domain's own words."""

    turn: int = 0
    """The customer's last turn, counted from 1; 0 before the first."""

    writes: int = 0
    """Writes carried out without an error."""

    cards: int = 0
    interrupted_turns: int = 0
    """Turns in which at least one card was shown."""

    turn_interrupted: bool = False
    """Whether this turn is one of them."""

    tokens: int = 0
    """Of every model's answers: the agent's, its auxiliary model's, a customer's and a judge's."""

    cost: float | None = None
    """US dollars; None where no price is known, or not of every answer that used tokens."""

    unpriced: bool = False
    """Whether some answer used tokens at a price that is not known."""

    ended: str | None = None
    scored: Scored | None = None
    waiting_card: Card | None = None
    """The card that was shown and neither settled nor replaced."""

    waiting_check: Card | None = None
    """The card of an attention check that was shown and is not decided; it is no write."""

    left_check: bool = False
    """An attention check was left undecided in this turn, and could be taken up again."""

    mid_turn: bool = False
    """The customer spoke last, and the agent has not finished its answer."""

    customer: str | None = None
    """The customer's id, once a look-up found it."""

    coupled_since: int | None = None
    """The turn from which on its changes are checked; None where it is routine, or not routed."""

    @property
    def card_before_person(self) -> Card | None:
        """The card that the person is to decide on now, whether it is true or a check."""
        return self.waiting_card or self.waiting_check

    @property
    def interrupted_share(self) -> float:
        """The share of turns in which the person was stopped by a card, 0 to 1.

        An attention check that waits or was left counts as the card that it is taken for.
        """
        passes_for_card = self.waiting_check is not None or self.left_check
        as_card = passes_for_card and not self.turn_interrupted
        return (self.interrupted_turns + as_card) / self.turn if self.turn else 0.0


def status(events: Sequence[Logged]) -> SessionStatus:
    """Where a session stands after these events; ValueError unless they begin at its start."""
    if not events or not isinstance(events[0].event, SessionStarted):
        raise ValueError("a session's log begins with session_started")
    return reduce(advance, events[1:], _initial(events[0].session, events[0].event))


def advance(now: SessionStatus, logged: Logged) -> SessionStatus:
    """Where it stands after one event more."""
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
        requests=started.requests,
        wording_digest=started.wording_digest,
    )


def _after(now: SessionStatus, event: AnyEvent) -> SessionStatus:
    match event:
        case CustomerSaid():
            return replace(
                now, turn=event.turn, mid_turn=True, turn_interrupted=False, waiting_card=None,
                waiting_check=None, left_check=False,
            )  # fmt: skip
        case ModelAnswered():
            return _after_answer(now, event)
        case OtherModelAsked():
            return _after_spending(now, event.usage)
        case CardShown():
            return replace(
                now,
                cards=now.cards + 1,
                interrupted_turns=now.interrupted_turns + (not now.turn_interrupted),
                turn_interrupted=True,
                waiting_card=event.card,
            )
        case DecisionMade() if event.decision != "ask" and _is(now.waiting_card, event.card_id):
            return replace(now, waiting_card=None)
        case WriteApplied() if not event.error:
            return replace(now, writes=now.writes + 1)
        case _:
            return _after_change(now, event)


def _after_change(now: SessionStatus, event: AnyEvent) -> SessionStatus:
    """What changes about the session itself."""
    match event:
        case ToolReturned() if now.customer is None:
            return replace(now, customer=event.customer)
        case AttentionCheckShown():
            return replace(now, waiting_check=event.card, left_check=False)
        case AttentionCheckDecided() if _is(now.waiting_check, event.card_id):
            return replace(now, waiting_check=None, left_check=event.decision == "withdrawn")
        case RouteDecided(latched=True) if now.coupled_since is None:
            return replace(now, coupled_since=event.turn)
        case GuardFired(ends_turn=True):
            return replace(now, mid_turn=False)
        case SafeguardsChanged():
            return replace(now, safeguards=event.safeguards)
        case ModelChanged():
            return replace(now, model=event.model)
        case SessionEnded():
            return replace(
                now, ended=event.reason, mid_turn=False, waiting_card=None, waiting_check=None
            )
        case Scored():
            return replace(now, scored=event)
        case _:
            return now


def _after_answer(now: SessionStatus, answer: ModelAnswered) -> SessionStatus:
    """An answer without calls is the agent's last word in a turn; one about a card is none."""
    mid_turn = now.mid_turn and (bool(answer.calls) or answer.purpose != "act")
    return replace(_after_spending(now, answer.usage), mid_turn=mid_turn)


def _after_spending(now: SessionStatus, usage: Usage) -> SessionStatus:
    unpriced = now.unpriced or _is_unpriced(usage)
    return replace(
        now,
        tokens=now.tokens + usage.prompt + usage.completion,
        unpriced=unpriced,
        cost=None if unpriced else _sum(now.cost, usage.cost),
    )


def _is_unpriced(usage: Usage) -> bool:
    return usage.cost is None and usage.prompt + usage.completion > 0


def _sum(cost: float | None, more: float | None) -> float | None:
    return cost if more is None else (cost or 0.0) + more


def _is(card: Card | None, card_id: str) -> bool:
    return card is not None and card.id == card_id
