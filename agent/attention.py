"""Attention checks: now and then, a card that is wrong on purpose is put before the agent's own.

People approve nine prompts in ten; whether they read them, only a card shows that should not be
approved. Such a card is looked at and decided like any other, but it is no write on its way: it
has events of its own, no consent is ever made of it, nothing is carried out, and the agent never
hears of it. The person is told at once, and the card of the agent's own call follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

from agent.altering import altered
from agent.auxiliary import worded
from agent.card import words_digest
from agent.desk import Desk
from agent.exchange import WITHDRAWN
from agent.operator import Decision
from agent.proposal import Proposal
from agent.steps import last_card, this_turn, turn_number
from agent.uninterrupted import to_the_end
from domains.canonical import digest
from domains.records import Preview
from sessions.cleaning import clean
from sessions.events import (
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    Logged,
    ToolReturned,
)


async def check_attention(desk: Desk, proposal: Proposal, preview: Preview) -> None:
    """Put a wrong card before the agent's own, where that is due and a swap can be found.

    One that waits, as the program stopped under it, is shown once more; where none is wanted any
    longer it is withdrawn. `preview` is what the true call would do.
    """
    check, waits = last_check(desk.log.events, proposal.call_id)
    if check is not None:
        if waits and _wanted(desk):
            await _decide(desk, proposal, check.card)
        elif waits:
            await desk.log.append(_withdrawn(check.card))
        return
    if not _wanted(desk) or last_card(desk.log.events, proposal.call_id)[0] is not None:
        return
    chance = chance_of(desk.log.session, turn_number(desk.log.events), proposal.call_id)
    if chance.random() < desk.safeguards.attention_checks:
        await _plant(desk, proposal, preview, chance)


def chance_of(session: str, turn: int, call_id: str) -> Random:
    """What decides whether a call is preceded by a check and by which: the same on every resume."""
    return Random(digest([session, turn, call_id]))


def last_check(log: Sequence[Logged], call_id: str) -> tuple[AttentionCheckShown | None, bool]:
    """This turn's attention check before a call, and whether it waits to be decided."""
    check: AttentionCheckShown | None = None
    waits = False
    for event in this_turn(log):
        match event:
            case AttentionCheckShown() if event.card.call_id == call_id:
                check, waits = event, True
            case AttentionCheckDecided() if check and event.card_id == check.card.id:
                waits = False
            case _:
                pass
    return check, waits


def _wanted(desk: Desk) -> bool:
    """With the gate off nobody looks at a card, so that there is nobody to be checked."""
    return desk.safeguards.gate and desk.safeguards.attention_checks > 0


async def _plant(desk: Desk, proposal: Proposal, preview: Preview, chance: Random) -> None:
    found = await asyncio.to_thread(altered, desk, proposal, preview, chance)
    if found is None:
        return
    card = await worded(desk, found.card)
    await desk.log.append(
        AttentionCheckShown(
            card=card,
            words_digest=words_digest(card),
            meant=dict(proposal.call.arguments),
            altered=clean(found.words),
        )
    )
    await _decide(desk, proposal, card)


async def _decide(desk: Desk, proposal: Proposal, card: Card) -> None:
    """Wait for the one decision on it, a question included.

    An interruption settles it, and the call as well: whoever stops the agent under the card that
    they see has not agreed to the one behind it, and the agent reads what it always would.
    """
    operator = desk.approver
    try:
        decision = await operator.decide(card)
        await desk.log.append(_decided(card, decision, operator.by))
    except BaseException:
        if last_check(desk.log.events, card.call_id)[1]:
            await to_the_end(desk.log.append(_withdrawn(card), _not_decided(proposal)))
        raise


def _decided(card: Card, decision: Decision, by: str) -> AttentionCheckDecided:
    return AttentionCheckDecided(
        card_id=card.id,
        decision=decision.choice,
        words=clean(decision.words),
        by=by,
        milliseconds=decision.milliseconds,
        overrode=decision.overrode,
    )


def _not_decided(proposal: Proposal) -> ToolReturned:
    name = proposal.call.name
    return ToolReturned(call_id=proposal.call_id, name=name, text=WITHDRAWN, error=True, ran=False)


def _withdrawn(card: Card) -> AttentionCheckDecided:
    return AttentionCheckDecided(
        card_id=card.id, decision="withdrawn", by="interruption", milliseconds=0
    )
