"""Attention checks: now and then, a deliberately wrong card is shown before the agent's own.

People approve nine prompts in ten; only a card that should not be approved shows whether they read
them. Such a card is read and decided like any other, but no write is behind it: it has events of
its own, no consent is ever made from it, nothing is carried out, and the agent never learns of it.
The person is told at once, and the card of the agent's own call follows.
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

NOT_TOLD = "Everything known about this change is on the card: please decide by what it says."
"""The answer to a question about a check that its trial cannot answer."""


async def check_attention(ctx: TurnContext, proposal: Proposal, preview: Preview) -> None:
    """Show a wrong card before the agent's own, if one is due and a swap can be found.

    A check that is still waiting because the program stopped is shown once more, and so is one that
    was left. A waiting check is withdrawn if checks are no longer wanted. `preview` is what the
    true call would do.
    """
    check = ctx.log.turn.checks.get(proposal.call_id)
    if check is not None:
        await _take_up(ctx, check.item, check.state)
        return
    if not _is_wanted(ctx) or not _comes_first(ctx, proposal.call_id):
        return
    chance = _rng_for(ctx, proposal.call_id)
    if chance.random() < ctx.safeguards.attention_checks:
        await _plant(ctx, proposal, preview, chance)


def _rng_for(ctx: TurnContext, call_id: str) -> Random:
    """The random generator for a call.

    In a run it is seeded with the session's seed and the card's position, and not with ids, which
    are random: a repeated run then checks the same cards.
    """
    log, turn = ctx.log.events, ctx.log.turn.number
    started = log[0].event
    if not isinstance(started, SessionStarted) or started.run is None:
        return rng_for_call(ctx.log.session, turn, call_id)
    cards = sum(isinstance(each.event, CardShown) for each in log)
    return rng_for_call(f"seed {started.run.seed}", turn, f"card {cards}")


def rng_for_call(session: str, turn: int, call_id: str) -> Random:
    """The generator that decides whether and how a call is checked, the same on every resume."""
    return Random(digest([session, turn, call_id]))


async def _take_up(ctx: TurnContext, check: AttentionCheckShown, state: State) -> None:
    """Resume a check that was shown before, in the same words."""
    if state == "waits" and not _is_wanted(ctx):
        await ctx.log.append(_withdrawn(check.card))
    elif state == "waits":
        await _decide(ctx, check.card)
    elif state == "left" and _is_wanted(ctx) and _comes_first(ctx, check.card.call_id):
        again = check.card.model_copy(update={"id": uuid4().hex})
        await ctx.log.append(check.model_copy(update={"card": again}))
        await _decide(ctx, again)


def _is_wanted(ctx: TurnContext) -> bool:
    """Whether checks are on; with the gate off, no one looks at a card."""
    return ctx.safeguards.gate and ctx.safeguards.attention_checks > 0


def _comes_first(ctx: TurnContext, call_id: str) -> bool:
    """Whether the agent's own card has not been shown yet."""
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
    """Wait for the decision on the card and answer questions; an interruption withdraws it."""
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
    """Answer a question from the trial of the card's call.

    The agent is never asked, because the call is not its own.
    """
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
