"""The pre-write verifier: a coupled session's write is reconsidered before it becomes a card.

The agent's own model is asked again, with more thought, whether the change is right; the calls that
it then makes replace the ones it had proposed (difficulty-routed control, section 3.2). If there is
no model to ask, rules check what they can (:mod:`agent.control.rule_verifier`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agent.control.reconsidered import Reconsideration, read_verdict
from agent.control.rule_verifier import rule_objection
from agent.control.workflow import verification_question
from agent.models.asking import messages_so_far, request_answer
from agent.models.assembly import BadArguments, parse_arguments
from agent.models.choosing import is_clerk
from agent.models.protocol import ModelFault, ModelRequest
from agent.next_step import events_of_this_turn
from agent.session.turn_context import TurnContext
from domains.core.canonical import canonical
from domains.core.records import Preview
from sessions.cleaning import clean
from sessions.events import (
    RULES,
    AgentSaid,
    AnyEvent,
    CardShown,
    DecisionMade,
    ModelAnswered,
    ProposedCall,
    ToolReturned,
    WriteApplied,
    WriteVerified,
)

MOST_TIMES = 2
"""How often the writes of a turn are verified before one of them must reach the customer."""

TOO_OFTEN = f"{MOST_TIMES} changes in this turn were verified before it, and none led to a card."
"""Why a write goes to the customer without being verified."""

NO_ANSWER = "The change could not be verified, because the answer was not usable."
"""Why a write counts as unverified if the verifier's answer is empty or is not a usable call."""

NOBODY_ELSE = (
    "There is no card on which the customer would see it, so an unverified change is not made. "
    "Tell the customer so, or make the call again."
)
"""What the agent reads if there is no card."""

NOT_CHECKED = (
    "I couldn't get this change verified ({what}), so it was not made. "
    "How would you like to continue?"
)
"""What the customer reads if no attempt led to a verdict."""

PATIENCE = 120.0
"""Seconds to wait for the verdict; a model that thinks takes its time."""


def needs_verification(ctx: TurnContext, call: ProposedCall) -> bool:
    """Whether a write still has to be verified; never while the session is routine.

    A card that is already shown is the customer's to decide on. A call that was verified counts as
    verified under any id.
    """
    if not ctx.latch.is_closed or ctx.has_been_shown(call.id):
        return False
    settled = _calls_verified(events_of_this_turn(ctx.log.events), with_card=ctx.safeguards.gate)
    return _content(call) not in settled


async def verify(ctx: TurnContext, call: ProposedCall, preview: Preview) -> None:
    """Verify a write, together with the calls proposed after it, and record the outcome."""
    candidates = _call_and_later_ones(call, ctx.log.turn_with_held.answer)
    times = _verifications_since_card(events_of_this_turn(ctx.log.events))
    if times >= MOST_TIMES:
        await _leave_unverified(ctx, candidates, TOO_OFTEN)
    elif is_clerk(ctx.model.name):
        await _verify_by_rules(ctx, call, preview)
    else:
        await _verify_by_model(ctx, candidates)


async def _verify_by_rules(ctx: TurnContext, call: ProposedCall, preview: Preview) -> None:
    """Verify the clerk's write by rules; one that they object to is returned to it."""
    events = [each.event for each in ctx.log.events]
    why = rule_objection(ctx.domain, ctx.records, preview, ctx.talk, events)
    verified = WriteVerified(
        call_id=call.id,
        by=RULES,
        outcome="kept" if why is None else "blocked",
        candidates=(call,),
        words=clean(why or ""),
    )
    if why is None:
        await ctx.log.append(verified)
        return
    text = f"Error: not shown to the customer. {verified.words}"
    returned = ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    await ctx.log.append(verified, returned)


async def _verify_by_model(ctx: TurnContext, candidates: tuple[ProposedCall, ...]) -> None:
    asked = {"role": "user", "content": verification_question(candidates)}
    request = ModelRequest([*messages_so_far(ctx), asked], ctx.wording.tools, effort="high")
    try:
        answered = await request_answer(ctx, ctx.model, request, "verify", patience=PATIENCE)
    except ModelFault as fault:
        why = f"No verdict came ({fault.kind.replace('_', ' ')})."
        await _leave_unverified(ctx, candidates, why)
        return
    await _record(ctx, read_verdict(ctx, candidates, answered), answered)


async def _record(ctx: TurnContext, found: Reconsideration, answered: ModelAnswered) -> None:
    """Record the answer; it counts as the agent's next answer if it replaces the candidates."""
    verified = WriteVerified(
        call_id=found.candidates[0].id,
        by=ctx.model.name,
        outcome=found.outcome,
        candidates=found.candidates,
        instead=found.instead,
        words=answered.text or answered.reasoning,
    )
    if found.outcome == "unverified" and not ctx.safeguards.gate:
        await ctx.log.append(answered, *_withheld(ctx, found.candidates, NO_ANSWER))
        return
    match found.outcome:
        case "revised":  # the words beside the calls are a note on them, not for the customer
            act = answered.model_copy(update={"purpose": "act", "text": ""})
            await ctx.log.append(act, verified)
        case "asked" | "blocked":
            act = answered.model_copy(update={"purpose": "act"})
            await ctx.log.append(act, verified, AgentSaid(text=answered.text))
        case _:
            await ctx.log.append(answered, verified)


async def _leave_unverified(
    ctx: TurnContext, candidates: tuple[ProposedCall, ...], why: str
) -> None:
    """Let the write go on unverified, for the customer to judge, and log that.

    With the card off no one would judge it, so it is withheld.
    """
    if not ctx.safeguards.gate:
        await ctx.log.append(*_withheld(ctx, candidates, why))
        return
    await ctx.log.append(
        WriteVerified(
            call_id=candidates[0].id,
            by=ctx.model.name,
            outcome="unverified",
            candidates=candidates,
            words=why,
        )
    )


def _withheld(
    ctx: TurnContext, candidates: tuple[ProposedCall, ...], why: str
) -> Iterator[AnyEvent]:
    """Yield the events that return an unjudged write to the agent, or finally tell the customer."""
    call = candidates[0]
    ends_turn = _verifications_since_card(events_of_this_turn(ctx.log.events)) >= MOST_TIMES
    yield WriteVerified(
        call_id=call.id,
        by=ctx.model.name,
        outcome="withheld",
        candidates=candidates,
        words=clean(why),
        ends_turn=ends_turn,
    )
    text = clean(f"Error: not made. {why} {NOBODY_ELSE}")
    yield ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    if ends_turn:
        what = call.name.replace("_", " ")
        yield AgentSaid(text=clean(NOT_CHECKED.format(what=what)))


def _call_and_later_ones(
    call: ProposedCall, answer: ModelAnswered | None
) -> tuple[ProposedCall, ...]:
    """A call and those that were proposed after it in the same answer."""
    calls = () if answer is None else answer.calls
    ids = [each.id for each in calls]
    return calls[ids.index(call.id) :] if call.id in ids else (call,)


def _calls_verified(turn: Iterable[AnyEvent], *, with_card: bool) -> set[str]:
    """The calls verified in this turn and not yet made; rejecting a card discards them all.

    Calls that could not be verified are included only if their card will be looked at.
    """
    found: set[str] = set()
    for event in turn:
        match event:
            case WriteVerified(outcome="kept"):
                found.update(map(_content, event.candidates))
            case WriteVerified(outcome="unverified"):
                found.update(map(_content, event.candidates if with_card else ()))
            case WriteVerified():
                found.update(map(_content, event.instead))
            case DecisionMade(decision="reject" | "change"):
                found.clear()
            case WriteApplied():
                found.discard(_content_of(event.name, event.arguments))
            case _:
                pass
    return found


def _verifications_since_card(turn: Iterable[AnyEvent]) -> int:
    """How often writes were verified since one last reached the customer as a card."""
    count = 0
    for event in turn:
        match event:
            case WriteVerified():
                count += 1
            case CardShown():
                count = 0
            case _:
                pass
    return count


def _content(call: ProposedCall) -> str:
    """What a call does, regardless of its id and the layout of its arguments."""
    try:
        return _content_of(call.name, parse_arguments(call.arguments))
    except BadArguments:
        return f"{call.name} {call.arguments}"


def _content_of(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({canonical(arguments)})"
