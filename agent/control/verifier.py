"""The pre-write verifier: a coupled session's write is reconsidered before it becomes a card.

The agent's own model is asked again, with more thought, whether the change is right; what it then
proposes takes the place of what it had proposed (difficulty-routed control, section 3.2). Where
there is no model to ask, rules look at what they can (:mod:`agent.control.rule_verifier`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agent.control.reconsidered import Reconsidered, read_verdict
from agent.control.rule_verifier import stands_against
from agent.control.workflow import question
from agent.models.asking import messages_so_far, request_answer
from agent.models.assembly import BadArguments, parse_arguments
from agent.models.choosing import is_clerk
from agent.models.protocol import ModelFault, ModelRequest
from agent.next_step import this_turn
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
"""How often a turn's writes are verified until one of them reaches the person."""

TOO_OFTEN = f"{MOST_TIMES} changes of this turn were verified before it, and came to nothing."
"""Why a write goes to the person as it is."""

NO_ANSWER = "The change was to be verified, and the answer was none that could be used."
"""Why a write is not verified whose verifier answered with nothing, or with what is no call."""

NOBODY_ELSE = (
    "There is no card on which the customer would see it, so a change that was not verified is not "
    "made. Tell the customer so, or make the call again."
)
"""What the agent reads where there is no card."""

NOT_CHECKED = (
    "I could not have this change verified ({what}), so it was not made. "
    "How would you like to go on?"
)
"""What the customer reads in the end."""

PATIENCE = 120.0
"""Seconds that the second thought is waited for; a model that thinks takes its time."""


def is_to_be_verified(ctx: TurnContext, call: ProposedCall) -> bool:
    """Whether a write waits to be verified; none does while the session is routine.

    A card that is up already is the person's, and what was verified is so under any id.
    """
    if not ctx.latch.is_closed or ctx.is_left_to_person(call.id):
        return False
    settled = _calls_verified(this_turn(ctx.log.events), with_card=ctx.safeguards.gate)
    return _content(call) not in settled


async def verify(ctx: TurnContext, call: ProposedCall, preview: Preview) -> None:
    """Verify a write, together with what was proposed after it, and record what comes of it."""
    candidates = _from(call, ctx.log.turn_with_held.answer)
    times = _times(this_turn(ctx.log.events))
    if times >= MOST_TIMES:
        await _leave_unverified(ctx, candidates, TOO_OFTEN)
    elif is_clerk(ctx.model.name):
        await _verify_by_rules(ctx, call, preview)
    else:
        await _verify_by_model(ctx, candidates)


async def _verify_by_rules(ctx: TurnContext, call: ProposedCall, preview: Preview) -> None:
    """Of an agent that has no second thoughts: what code can see sends the write back to it."""
    events = [each.event for each in ctx.log.events]
    why = stands_against(ctx.domain, ctx.records, preview, ctx.talk, events)
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
    text = f"Error: not put to the customer. {verified.words}"
    returned = ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    await ctx.log.append(verified, returned)


async def _verify_by_model(ctx: TurnContext, candidates: tuple[ProposedCall, ...]) -> None:
    asked = {"role": "user", "content": question(candidates)}
    request = ModelRequest([*messages_so_far(ctx), asked], ctx.wording.tools, effort="high")
    try:
        answered = await request_answer(ctx, ctx.model, request, "verify", patience=PATIENCE)
    except ModelFault as fault:
        why = f"No verdict came ({fault.kind.replace('_', ' ')})."
        await _leave_unverified(ctx, candidates, why)
        return
    await _record(ctx, read_verdict(ctx, candidates, answered), answered)


async def _record(ctx: TurnContext, found: Reconsidered, answered: ModelAnswered) -> None:
    """The answer, as what the agent does next where it takes the candidate's place."""
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
        case "revised":  # what is said beside the calls is a note on them, not to the customer
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
    """The write goes on as it is, to the person's judgement, and the log says so.

    With the card off nobody would judge it: then it is not made.
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
    """A write that nobody judged goes back to the agent, the last time to the customer."""
    call = candidates[0]
    ends_turn = _times(this_turn(ctx.log.events)) >= MOST_TIMES
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


def _from(call: ProposedCall, answer: ModelAnswered | None) -> tuple[ProposedCall, ...]:
    """A call and those that were proposed after it in the same answer."""
    calls = () if answer is None else answer.calls
    ids = [each.id for each in calls]
    return calls[ids.index(call.id) :] if call.id in ids else (call,)


def _calls_verified(turn: Iterable[AnyEvent], *, with_card: bool) -> set[str]:
    """What was verified in this turn and not yet made; a decision against a card opens it all.

    What could not be verified counts as long as its card will be looked at.
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


def _times(turn: Iterable[AnyEvent]) -> int:
    """How often writes were verified since one last reached the person."""
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
    """What a call does, whatever its id and however its arguments are laid out."""
    try:
        return _content_of(call.name, parse_arguments(call.arguments))
    except BadArguments:
        return f"{call.name} {call.arguments}"


def _content_of(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({canonical(arguments)})"
