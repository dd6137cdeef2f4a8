"""The turn loop: the one file to read to understand the program.

    customer speaks -> route -> assemble context -> model proposes
        -> a look-up?  run it at once
        -> a write?    guard, verify, reflect, put up a card, then apply it or let the agent revise
        -> words?      the agent has answered, and it is the customer's turn

Every event is appended to the log before anything acts on it, and the next step is derived from the
log (:mod:`agent.next_step`). A turn that was interrupted at any point can therefore simply be
continued.
"""

from __future__ import annotations

from agent.auxiliary.auxiliary import mutates, summarise_blocks, write_reminder
from agent.context.selection import assemble, blocks_without_summary
from agent.control.guarding import evidence_objection_to, send_back
from agent.control.protocol_guard import protocol_objection
from agent.control.routing import needs_routing, route
from agent.control.verifier import needs_verification, verify
from agent.gate.feedback import refusal_of_another_card
from agent.gate.gate import confirm
from agent.gate.proposal import Proposal, read_arguments
from agent.memory.recalling import recall
from agent.models.asking import ask_model
from agent.models.assembly import BadArguments
from agent.models.protocol import ModelFault
from agent.next_step import AskModel, EndTurn, RunCall, events_of_this_turn, next_step
from agent.reflection.reflection import reflect
from agent.session.limits import LimitReached
from agent.session.shielding import run_shielded
from agent.session.turn_context import TurnContext
from domains.core.records import Preview
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    ContextAssembled,
    CustomerSaid,
    Limits,
    ProposedCall,
    ReflectionWritten,
    ToolCalled,
    ToolReturned,
)

CALL_SKIPPED = "Error: not run, because an earlier call was declined."
"""The result of a call that is skipped because the customer declined an earlier one."""

MAX_STEPS = 40
"""The most steps (model answers and tool calls) that one turn may take."""


async def take_turn(ctx: TurnContext, words: str) -> None:
    """Record what the customer said, then run the agent until it has answered.

    Raises ModelFault when the model fails for good; `go_on` can then continue the turn. Raises
    LimitReached when the session has used up one of its limits.
    """
    turn = ctx.log.turn.number + 1
    await ctx.log.append(CustomerSaid(text=clean(words), turn=turn))
    await go_on(ctx)


async def go_on(ctx: TurnContext) -> None:
    """Continue the current turn from wherever the log stands until it is the customer's turn again.

    Raises ModelFault when the model fails for good, and LimitReached when the session has used up
    one of its limits.
    """
    await _route(ctx)
    await _assemble_context(ctx)
    try:
        await _take_steps(ctx)
    finally:
        await run_shielded(ctx.log.append())  # write an answer still held by an interrupted step


async def _take_steps(ctx: TurnContext) -> None:
    for _ in range(MAX_STEPS):
        match next_step(ctx.log.turn_with_held):
            case AskModel(reminder):
                _check_limits(ctx.limits, ctx)
                await ask_model(ctx, reminder)
            case RunCall() as step:
                _check_limits(Limits(actions=ctx.limits.actions), ctx)
                await _run(ctx, step)
            case EndTurn():
                return
    raise ModelFault(
        "stuck",
        f"The agent took {MAX_STEPS} steps without an answer for you. "
        "Say something else, retry, or change the model.",
        retryable=True,
    )


def _check_limits(limits: Limits, ctx: TurnContext) -> None:
    reason = ctx.spending.first_reached(limits)
    if reason is not None:
        raise LimitReached(reason)


async def _route(ctx: TurnContext) -> None:
    """Classify the request once per turn until the latch closes (see ``agent.control``)."""
    if needs_routing(ctx):
        _check_limits(ctx.limits, ctx)
        await route(ctx)


async def _assemble_context(ctx: TurnContext) -> None:
    """Choose the context once per turn (SABER, section 4.1, block-based context filtering)."""
    log = ctx.log.events
    if not any(isinstance(event, ContextAssembled) for event in events_of_this_turn(log)):
        blocks = ctx.blocks.for_model("")
        finished = await summarise_blocks(ctx, blocks_without_summary(blocks, log))
        chosen = await assemble(
            blocks, log, ctx.wording.prompt, ctx.safeguards, ctx.ranker, ctx.log.turn.number,
            coupled=ctx.latch.is_closed, recalled=await recall(ctx.memory, ctx.log, ctx.ranker),
        )  # fmt: skip
        await ctx.log.append(*finished, chosen)


async def _run(ctx: TurnContext, step: RunCall) -> None:
    """Handle one call that the model proposed: refuse it, look it up, or take it to the gate."""
    if step.declined_before:
        await _refuse_unrun(ctx, step.call, CALL_SKIPPED)
        return
    try:
        arguments, taken_out = read_arguments(step.call)
    except BadArguments as refusal:
        await _return(ctx, step.call, f"Error: {refusal}")
        return
    call = ToolCall(step.call.name, arguments)
    if (misuse := protocol_objection(ctx, step.call.id, call)) is not None:
        await send_back(ctx, step.call, call, misuse)
    elif await mutates(ctx, call):
        await _change(ctx, step, call, taken_out)
    else:
        await _look_up(ctx, step.call.id, call)


async def _change(
    ctx: TurnContext, step: RunCall, call: ToolCall, taken_out: tuple[str, ...]
) -> None:
    """Take a write through the safeguards, one per step, and finally to the customer's card.

    A coupled session checks it against the evidence and has it verified; the agent is reminded of
    the rules that apply; then the customer decides on a card. Each of these appends an event, and
    the loop comes back here with the next step until the call is settled.
    """
    tool = ctx.domain.tools.get(call.name)
    preview = ctx.records.preview(call)
    enough = refusal_of_another_card(ctx.log.events, ctx.safeguards)
    if tool is None or preview.result.error:
        await _return(ctx, step.call, preview.result.text)
    elif enough is not None:
        await _refuse_unrun(ctx, step.call, enough)
    elif (against := evidence_objection_to(ctx, step.call.id, preview)) is not None:
        await send_back(ctx, step.call, call, against)
    elif needs_verification(ctx, step.call):
        _check_limits(ctx.limits, ctx)
        await verify(ctx, step.call, preview)
    elif ctx.safeguards.reflection and not step.reflected:
        await _reflect(ctx, step.call.id, preview)
    else:
        await confirm(ctx, Proposal(step.call.id, tool, call, taken_out), preview)


async def _reflect(ctx: TurnContext, call_id: str, preview: Preview) -> None:
    """Remind the agent before a write, and only there (SABER, section 4.1, targeted reflection)."""
    from_records = ctx.safeguards.reflection_from == "policy+records"
    chosen, lines = reflect(ctx.domain, preview.call, ctx.records, from_records=from_records)
    text, by, struck = await write_reminder(ctx, preview.call, chosen)
    await ctx.log.append(
        ReflectionWritten(
            call_id=call_id,
            call_name=preview.call.name,
            arguments=dict(preview.call.arguments),
            text=text,
            policy_lines=lines,
            by=by,
            struck=struck,
        )
    )


async def _look_up(ctx: TurnContext, call_id: str, call: ToolCall) -> None:
    """Run a call that changes nothing and record its result."""
    arguments = dict(call.arguments)
    await ctx.log.append(ToolCalled(call_id=call_id, name=call.name, arguments=arguments))
    result = ctx.records.look_up(call)
    customer = ctx.domain.customer_identified_by(call, result)
    await ctx.log.append(
        ToolReturned(
            call_id=call_id,
            name=call.name,
            text=clean(result.text),
            error=result.error,
            customer=customer and clean(customer),
        )
    )


async def _return(ctx: TurnContext, call: ProposedCall, text: str) -> None:
    """Return a failed call to the agent with the reason."""
    await ctx.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=clean(text), error=True)
    )


async def _refuse_unrun(ctx: TurnContext, call: ProposedCall, text: str) -> None:
    """Return a call to the agent with the reason why it was not run."""
    await ctx.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    )
