"""The law that no write is without a consent, held against the log of a finished session."""

from __future__ import annotations

from collections.abc import Sequence

from agent.gate.proposal import clean_arguments
from agent.models.assembly import BadArguments, parse_arguments
from domains.core.canonical import canonical
from sessions.events import (
    ConsentUsed,
    DecisionMade,
    Logged,
    ProposedCall,
    RouteDecided,
    WriteApplied,
    WriteVerified,
)


def check(log: Sequence[Logged], in_memory: Sequence[Logged], card: bool) -> None:
    """Every write was consented to, and the log is whole on the disk as in memory.

    With the card the person said yes to it; without it nobody did, and the consent says so.
    """
    assert [each.hash for each in log] == [each.hash for each in in_memory]
    approved: dict[str, str] = {}
    consented: set[str] = set()
    for event in (logged.event for logged in log):
        match event:
            case DecisionMade(decision="approve"):
                approved[event.card_id] = event.by
            case ConsentUsed():
                assert approved.pop(event.card_id) == ("person" if card else "auto")
                consented.add(event.card_id)
            case WriteApplied():
                assert event.card_id in consented
                consented.remove(event.card_id)
            case _:
                pass
    assert not any(_dangerous(logged) for logged in log)
    if not card:
        _check_judged(log)


def _check_judged(log: Sequence[Logged]) -> None:
    """Where no person looks, a coupled session makes no change that its verifier did not settle."""
    coupled, settled = False, set[str]()
    for event in (logged.event for logged in log):
        match event:
            case RouteDecided(latched=True):
                coupled = True
            case WriteVerified():
                stands = event.candidates if event.outcome == "kept" else event.instead
                settled.update(filter(None, map(_content, stands)))
            case WriteApplied() if coupled:
                assert f"{event.name} {canonical(event.arguments)}" in settled
            case _:
                pass


def _content(call: ProposedCall) -> str | None:
    """What a call does; None where its arguments cannot be read."""
    try:
        return f"{call.name} {canonical(clean_arguments(parse_arguments(call.arguments))[0])}"
    except BadArguments:
        return None


def _dangerous(logged: Logged) -> bool:
    text = logged.event.model_dump_json()
    return "\\u001b" in text or "\\u202e" in text or "\u202e" in text
