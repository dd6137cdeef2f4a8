"""Attention checks: now and then, a card that is wrong on purpose is put before the agent's own.

People approve nine prompts in ten; whether they read them, only a card shows that should not be
approved. Such a card is looked at and decided like any other, but it is no write on its way: it
has events of its own, no consent is ever made of it, nothing is carried out, and the agent never
hears of it. The person is told at once, and the card of the agent's own call follows.
"""

from __future__ import annotations

import asyncio
from random import Random
from uuid import uuid4

from agent.attention.altering import alter_card
from agent.auxiliary.auxiliary import phrase_card
from agent.gate.card import words_digest
from agent.gate.operator import Decision
from agent.gate.proposal import Proposal
from agent.gate.trial_answers import answer_from_trial
from agent.session.shielding import run_shielded
from agent.session.turn_context import TurnContext
from domains.core.canonical import digest
from domains.core.records import Preview
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    SessionStarted,
)
from sessions.views.turn import State

NOT_TOLD = "All that is known of this change stands on the card: decide on what it says."
"""The answer to a question about a check of which its trial tells nothing."""


async def check_attention(ctx: TurnContext, proposal: Proposal, preview: Preview) -> None:
    """Put a wrong card before the agent's own, where that is due and a swap can be found.

    One that waits, as the program stopped under it, is shown once more, and so is one that was
    left; where none is wanted any longer it is withdrawn. `preview` is what the true call would do.
    """
    check = ctx.log.turn.checks.get(proposal.call_id)
    if check is not None:
        await _take_up(ctx, check.what, check.state)
        return
    if not _is_wanted(ctx) or not _comes_first(ctx, proposal.call_id):
        return
    chance = _chance(ctx, proposal.call_id)
    if chance.random() < ctx.safeguards.attention_checks:
        await _plant(ctx, proposal, preview, chance)


def _chance(ctx: TurnContext, call_id: str) -> Random:
    """In a run it begins from the session's seed and the card's place, and from no id, which
    chance made: the same run again checks the same cards.
    """
    log, turn = ctx.log.events, ctx.log.turn.number
    started = log[0].event
    if not isinstance(started, SessionStarted) or started.run is None:
        return rng_for_call(ctx.log.session, turn, call_id)
    cards = sum(isinstance(each.event, CardShown) for each in log)
    return rng_for_call(f"seed {started.run.seed}", turn, f"card {cards}")


def rng_for_call(session: str, turn: int, call_id: str) -> Random:
    """What decides whether a call is preceded by a check and by which: the same on every resume."""
    return Random(digest([session, turn, call_id]))


async def _take_up(ctx: TurnContext, check: AttentionCheckShown, state: State) -> None:
    """Go on with a check that was put up before, in the same words."""
    if state == "waits" and not _is_wanted(ctx):
        await ctx.log.append(_withdrawn(check.card))
    elif state == "waits":
        await _decide(ctx, check.card)
    elif state == "left" and _is_wanted(ctx) and _comes_first(ctx, check.card.call_id):
        again = check.card.model_copy(update={"id": uuid4().hex})
        await ctx.log.append(check.model_copy(update={"card": again}))
        await _decide(ctx, again)


def _is_wanted(ctx: TurnContext) -> bool:
    """With the gate off nobody looks at a card, so that there is nobody to be checked."""
    return ctx.safeguards.gate and ctx.safeguards.attention_checks > 0


def _comes_first(ctx: TurnContext, call_id: str) -> bool:
    """Whether the agent's own card has not been put up yet."""
    return call_id not in ctx.log.turn.cards


async def _plant(ctx: TurnContext, proposal: Proposal, preview: Preview, chance: Random) -> None:
    found = await asyncio.to_thread(alter_card, ctx, proposal, preview, chance)
    if found is None:
        return
    card = await phrase_card(ctx, found.card)
    await ctx.log.append(
        AttentionCheckShown(
            card=card,
            words_digest=words_digest(card),
            meant=dict(proposal.call.arguments),
            altered=clean(found.words),
        )
    )
    await _decide(ctx, card)


async def _decide(ctx: TurnContext, card: Card) -> None:
    """Wait for the decision on it and answer questions; an interruption leaves it undecided."""
    operator = ctx.approver
    try:
        while (decision := await operator.decide(card)).choice == "ask":
            await ctx.log.append(_answer(ctx, card, clean(decision.words)))
        await ctx.log.append(_decision_event(card, decision, operator.by))
    except BaseException:
        if ctx.log.turn.checks[card.call_id].state == "waits":
            await run_shielded(ctx.log.append(_withdrawn(card)))
        raise


def _answer(ctx: TurnContext, card: Card, question: str) -> AttentionCheckAsked:
    """What the trial of the card's call tells; the agent, whose call it is not, is never asked."""
    tool = ctx.domain.tools.get(card.tool)
    notes = None if tool is None else tool.notes
    preview = ctx.records.preview(ToolCall(card.tool, card.arguments))
    told = None if notes is None else answer_from_trial(ctx.domain.topics, notes, preview, question)
    return AttentionCheckAsked(card_id=card.id, words=question, answer=told or NOT_TOLD)


def _decision_event(card: Card, decision: Decision, by: str) -> AttentionCheckDecided:
    return AttentionCheckDecided(
        card_id=card.id,
        decision=decision.choice,
        words=clean(decision.words),
        by=by,
        milliseconds=decision.milliseconds,
        overrode=decision.overrode,
    )


def _withdrawn(card: Card) -> AttentionCheckDecided:
    return AttentionCheckDecided(
        card_id=card.id, decision="withdrawn", by="interruption", milliseconds=0
    )
