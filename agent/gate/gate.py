"""The gate: no write without consent, and no consent without a card and a yes (law 2).

The order in the log is always: card shown, decision made, consent used, write applied. A crash
between two of them means that the write was not applied; the card is then shown again.
"""

from __future__ import annotations

import asyncio

from agent.attention.attention import check_attention
from agent.auxiliary.auxiliary import in_the_words_of, phrase_card
from agent.gate.card import words_digest
from agent.gate.feedback import is_settled_by_feedback
from agent.gate.operator import AutoApprover, Decision, Operator
from agent.gate.proposal import Proposal, card_of
from agent.gate.trial_answers import answer_from_trial
from agent.models.asking import answer_about_card
from agent.models.protocol import ModelFault
from agent.session.shielding import run_shielded
from agent.session.turn_context import TurnContext
from domains.core.changes import patch_of
from domains.core.consent import Consent, ConsentRefused
from domains.core.records import Preview
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    Card,
    CardAnswered,
    CardShown,
    ConsentUsed,
    DecisionMade,
    ToolReturned,
    WriteApplied,
)


async def confirm(ctx: TurnContext, proposal: Proposal, preview: Preview) -> None:
    """Ask about a write, and carry it out if and only if the answer is yes.

    `preview` is what the call would do now. A call that would fail now never becomes a card: its
    error goes to the agent.
    """
    while True:
        if preview.result.error:
            await _return_error(ctx, proposal, preview)
            return
        by_rule = _is_settled_by_rule(ctx, proposal.call)
        if not by_rule:
            await check_attention(ctx, proposal, preview)
        card, words = await _show(ctx, proposal, preview)
        operator = _operator_for(ctx, card, by_rule)
        decided = await _decide(ctx, proposal, preview, card, operator)
        if decided.decision != "approve":
            return
        consent = Consent(
            card_id=card.id, call=card.call_digest, state=card.state_digest, words=words
        )
        if await run_shielded(_carry_out(ctx, proposal, card, consent, decided)):
            return
        preview = ctx.records.preview(proposal.call)


async def _return_error(ctx: TurnContext, proposal: Proposal, preview: Preview) -> None:
    result = preview.result
    await ctx.log.append(
        ToolReturned(
            call_id=proposal.call_id, name=proposal.tool.name, text=clean(result.text), error=True
        )
    )


async def _show(ctx: TurnContext, proposal: Proposal, preview: Preview) -> tuple[Card, str]:
    """Show the card of a write; one that is already waiting and still correct stays as it is.

    A card that was left and is still correct is shown again in the same words. Return the card and
    the digest of the words that the person is shown.
    """
    last = ctx.log.turn.cards.get(proposal.call_id)
    earlier, waits = (last.item, last.state == "waits") if last else (None, False)
    card = card_of(ctx, proposal, preview)
    if earlier is not None:
        card = in_the_words_of(earlier, card)
    if earlier is None or words_digest(card) != words_digest(earlier):
        card = await phrase_card(ctx, card)
    elif waits:
        return earlier, words_digest(earlier)
    words = words_digest(card)
    shown = CardShown(card=card, words_digest=words, replaces=earlier.id if earlier else None)
    if earlier is not None and waits:
        await ctx.log.append(_withdrawn(earlier), shown)
    else:
        await ctx.log.append(shown)
    return card, words


def _is_settled_by_rule(ctx: TurnContext, call: ToolCall) -> bool:
    """Whether the customer's words on the last card count as a yes: a setting, off by default."""
    rule = ctx.safeguards.after_feedback == "execute"
    return rule and is_settled_by_feedback(ctx.log.events, call)


def _operator_for(ctx: TurnContext, card: Card, by_rule: bool) -> Operator:
    """The operator for a card; the rule never decides on one that fails a policy check."""
    return AutoApprover("rule") if by_rule and not card.failing else ctx.approver


async def _decide(
    ctx: TurnContext, proposal: Proposal, preview: Preview, card: Card, operator: Operator
) -> DecisionMade:
    """Wait for the decision on a card and answer questions; an interruption withdraws the card.

    A yes is recorded with the consent that it gives (:func:`_carry_out`), everything else here.
    """
    try:
        while True:
            decision = await operator.decide(card)
            decided = _decision_event(card, decision, operator.by)
            if decision.choice == "approve":
                return decided
            await ctx.log.append(decided)
            if decision.choice != "ask":
                return decided
            if not await _answer_by_trial(ctx, proposal, preview, card, decision.words):
                await _answer(ctx, card, decision.words)
    except BaseException:
        if ctx.log.turn.cards[card.call_id].state == "waits":
            await run_shielded(ctx.log.append(_withdrawn(card)))
        raise


def _decision_event(card: Card, decision: Decision, by: str) -> DecisionMade:
    return DecisionMade(
        card_id=card.id,
        decision=decision.choice,
        words=clean(decision.words),
        by=by,
        milliseconds=decision.milliseconds,
        overrode=decision.overrode,
    )


def _withdrawn(card: Card) -> DecisionMade:
    return DecisionMade(card_id=card.id, decision="withdrawn", by="interruption", milliseconds=0)


async def _answer_by_trial(
    ctx: TurnContext, proposal: Proposal, preview: Preview, card: Card, question: str
) -> bool:
    """Answer a question from the trial, so that a fact is not left to a model's memory.

    Return False if the trial cannot tell.
    """
    if proposal.tool.notes is None:
        return False
    text = answer_from_trial(ctx.domain.topics, proposal.tool.notes, preview, question)
    if text is None:
        return False
    await ctx.log.append(CardAnswered(card_id=card.id, text=text))
    return True


async def _answer(ctx: TurnContext, card: Card, question: str) -> None:
    """Have the agent answer a question about the card; if that is stopped, the card still waits."""
    ctx.answer = asyncio.ensure_future(answer_about_card(ctx, card, question))
    try:
        await ctx.answer
    except ModelFault:
        return  # the fault is already in the log, and the card still waits for a decision
    except asyncio.CancelledError:
        if _is_being_stopped():
            raise
    finally:
        ctx.answer = None


def _is_being_stopped() -> bool:
    """Whether the turn itself is being cancelled, and not only what it was waiting for."""
    turn = asyncio.current_task()
    return turn is not None and turn.cancelling() > 0


async def _carry_out(
    ctx: TurnContext, proposal: Proposal, card: Card, consent: Consent, approval: DecisionMade
) -> bool:
    """Use the approval and apply the write; return False if it no longer matches what was shown.

    Approval and consent are appended in one step: if the process is killed before it, nothing was
    approved.
    """
    moved = ctx.records.preview(proposal.call).state != consent.state
    if moved or words_digest(card) != consent.words:
        await ctx.log.append(approval)
        return False
    await ctx.log.append(approval, ConsentUsed(card_id=card.id, seal=consent.seal))
    before = ctx.records.snapshot()
    try:
        applied = ctx.records.apply(proposal.call, consent)
    except ConsentRefused:
        return False
    try:
        await ctx.log.append(
            WriteApplied(
                card_id=card.id,
                call_id=proposal.call_id,
                name=proposal.tool.name,
                arguments=dict(proposal.call.arguments),
                result=clean(applied.result.text),
                error=applied.result.error,
                patch=patch_of(applied.changes),
                records_digest=applied.digest,
            )
        )
    except BaseException:
        ctx.records.restore(before)  # not in the log, so it did not happen
        raise
    return True
