"""The turn loop: the one place to read to understand the program.

    customer speaks -> route -> assemble context -> model proposes
        -> a look-up?  run it at once
        -> a change?   guard, verify, reflect, put up a card, apply it or let the agent revise
        -> words?      the agent has answered, and it is the customer's turn

Everything that happens is appended to the log before anything acts on it, and what comes next is
read from the log (:mod:`agent.next_step`), so a turn that was cut short anywhere simply goes on.
"""

from __future__ import annotations

from agent.auxiliary.auxiliary import mutates, summarise_blocks, write_reminder
from agent.context.selection import assemble, blocks_without_summary
from agent.control.guarding import send_back, speaks_against
from agent.control.protocol import breaks_protocol
from agent.control.routing import is_to_be_routed, route
from agent.control.verifier import is_to_be_verified, verify
from agent.gate.feedback import refusal_of_another_card
from agent.gate.gate import confirm
from agent.gate.proposal import Proposal, read_arguments
from agent.memory.recalling import recall
from agent.models.asking import ask_model
from agent.models.assembly import BadArguments
from agent.models.protocol import ModelFault
from agent.next_step import AskModel, EndTurn, RunCall, next_step, this_turn
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

PASSED_OVER = "Error: not run, because an earlier call was declined."
"""What the agent reads of a call that stood behind one the customer did not want."""

STEPS = 40
"""How many steps (answers of the model and calls it makes) one turn may take."""


async def take_turn(ctx: TurnContext, words: str) -> None:
    """The customer speaks, and the agent works until it has answered.

    Raises ModelFault when the model fails for good; the turn can be taken up with `go_on`.
    """
    turn = ctx.log.turn.number + 1
    await ctx.log.append(CustomerSaid(text=clean(words), turn=turn))
    await go_on(ctx)


async def go_on(ctx: TurnContext) -> None:
    """Go on with the turn that the log is in the middle of, until it is the customer's again.

    Raises ModelFault, and LimitReached where the session has used up what it may.
    """
    await _route(ctx)
    await _assemble_context(ctx)
    try:
        await _take_steps(ctx)
    finally:
        await run_shielded(ctx.log.append())  # an answer that was held when a step was cut short


async def _take_steps(ctx: TurnContext) -> None:
    for _ in range(STEPS):
        match next_step(ctx.log.turn_with_held):
            case AskModel(reminder):
                _stay_within(ctx.limits, ctx)
                await ask_model(ctx, reminder)
            case RunCall() as step:
                _stay_within(Limits(actions=ctx.limits.actions), ctx)
                await _run(ctx, step)
            case EndTurn():
                return
    raise ModelFault(
        "stuck",
        f"The agent took {STEPS} steps without an answer for you. "
        "Say something else, retry, or change the model.",
        retryable=True,
    )


def _stay_within(limits: Limits, ctx: TurnContext) -> None:
    reason = ctx.spending.first_reached(limits)
    if reason is not None:
        raise LimitReached(reason)


async def _route(ctx: TurnContext) -> None:
    """Tell once a turn whether what is asked for hangs together, until it does."""
    if is_to_be_routed(ctx):
        _stay_within(ctx.limits, ctx)
        await route(ctx)


async def _assemble_context(ctx: TurnContext) -> None:
    """Choose the blocks for this turn, once (SABER, section 4.1, block-based context filtering)."""
    log = ctx.log.events
    if not any(isinstance(event, ContextAssembled) for event in this_turn(log)):
        blocks = ctx.blocks.for_model("")
        finished = await summarise_blocks(ctx, blocks_without_summary(blocks, log))
        chosen = await assemble(
            blocks, log, ctx.wording.prompt, ctx.safeguards, ctx.ranker, ctx.log.turn.number,
            coupled=ctx.latch.is_closed, recalled=await recall(ctx.memory, ctx.log, ctx.ranker),
        )  # fmt: skip
        await ctx.log.append(*finished, chosen)


async def _run(ctx: TurnContext, step: RunCall) -> None:
    """Deal with one call of the model: refuse it, look it up, or take it to the gate."""
    if step.declined_before:
        await _refuse_unrun(ctx, step.call, PASSED_OVER)
        return
    try:
        arguments, taken_out = read_arguments(step.call)
    except BadArguments as refusal:
        await _return(ctx, step.call, f"Error: {refusal}")
        return
    call = ToolCall(step.call.name, arguments)
    if (misuse := breaks_protocol(ctx, step.call.id, call)) is not None:
        await send_back(ctx, step.call, call, misuse)
    elif await mutates(ctx, call):
        await _change(ctx, step, call, taken_out)
    else:
        await _look_up(ctx, step.call.id, call)


async def _change(
    ctx: TurnContext, step: RunCall, call: ToolCall, taken_out: tuple[str, ...]
) -> None:
    """A write: hold it against what is on record and have it verified where the session is coupled,
    remind the agent of what bears on it, then let the person decide on a card.
    """
    tool = ctx.domain.tools.get(call.name)
    preview = ctx.records.preview(call)
    enough = refusal_of_another_card(ctx.log.events, ctx.safeguards)
    if tool is None or preview.result.error:
        await _return(ctx, step.call, preview.result.text)
    elif enough is not None:
        await _refuse_unrun(ctx, step.call, enough)
    elif (against := speaks_against(ctx, step.call.id, preview)) is not None:
        await send_back(ctx, step.call, call, against)
    elif is_to_be_verified(ctx, step.call):
        _stay_within(ctx.limits, ctx)
        await verify(ctx, step.call, preview)
    elif ctx.safeguards.reflection and not step.reflected:
        await _reflect(ctx, step.call.id, preview)
    else:
        await confirm(ctx, Proposal(step.call.id, tool, call, taken_out), preview)


async def _reflect(ctx: TurnContext, call_id: str, preview: Preview) -> None:
    """Targeted reflection, at the point of mutation only (SABER, section 4.1)."""
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
    """A call that changes nothing runs at once."""
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
    """A call that failed goes back to the agent with the reason."""
    await ctx.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=clean(text), error=True)
    )


async def _refuse_unrun(ctx: TurnContext, call: ProposedCall, text: str) -> None:
    """A call that was not even tried goes back to the agent with the reason."""
    await ctx.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    )
