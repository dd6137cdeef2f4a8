"""The turn loop: the one place to read to understand the program.

    customer speaks -> assemble context -> model proposes
        -> a look-up?  run it at once
        -> a change?   reflect, put up a card, apply it or let the agent revise
        -> words?      the agent has answered, and it is the customer's turn

Everything that happens is appended to the log before anything acts on it, and what comes next is
read from the log (:mod:`agent.next_step`), so a turn that was cut short anywhere simply goes on.
"""

from __future__ import annotations

from agent.auxiliary.auxiliary import mutates, reminded, summarised
from agent.context.selection import assemble, unsummarised
from agent.gate.feedback import declined_too_often
from agent.gate.gate import confirm
from agent.gate.proposal import Proposal, cleaned
from agent.models.asking import ask_model
from agent.models.assembly import BadArguments, parse_arguments
from agent.models.protocol import ModelFault
from agent.next_step import AskModel, Listen, RunCall, next_step, this_turn, turn_number
from agent.reflection.reflection import reflect
from agent.session.limits import LimitReached
from agent.session.turn_context import Desk
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


async def take_turn(desk: Desk, words: str) -> None:
    """The customer speaks, and the agent works until it has answered.

    Raises ModelFault when the model fails for good; the turn can be taken up with `go_on`.
    """
    turn = turn_number(desk.log.events) + 1
    await desk.log.append(CustomerSaid(text=clean(words), turn=turn))
    await go_on(desk)


async def go_on(desk: Desk) -> None:
    """Go on with the turn that the log is in the middle of, until it is the customer's again.

    Raises ModelFault, and LimitReached where the session has used up what it may.
    """
    await _assemble_context(desk)
    for _ in range(STEPS):
        match next_step(desk.log.events):
            case AskModel(reminder):
                _stay_within(desk.limits, desk)
                await ask_model(desk, reminder)
            case RunCall() as step:
                _stay_within(Limits(actions=desk.limits.actions), desk)
                await _run(desk, step)
            case Listen():
                return
    raise ModelFault(
        "stuck",
        f"The agent took {STEPS} steps without an answer for you. "
        "Say something else, retry, or change the model.",
        retryable=True,
    )


def _stay_within(limits: Limits, desk: Desk) -> None:
    reason = desk.spending.reached(limits)
    if reason is not None:
        raise LimitReached(reason)


async def _assemble_context(desk: Desk) -> None:
    """Choose the blocks for this turn, once (SABER, section 4.1, block-based context filtering)."""
    log = desk.log.events
    if not any(isinstance(event, ContextAssembled) for event in this_turn(log)):
        blocks = desk.blocks.for_model("")
        finished = await summarised(desk, unsummarised(blocks, log))
        chosen = await assemble(
            blocks, log, desk.domain.policy, desk.safeguards, desk.ranker, turn_number(log)
        )
        await desk.log.append(*finished, chosen)


async def _run(desk: Desk, step: RunCall) -> None:
    """Deal with one call of the model: refuse it, look it up, or take it to the gate."""
    if step.declined_before:
        await _put_aside(desk, step.call, PASSED_OVER)
        return
    try:
        arguments, taken_out = _read_arguments(step.call)
    except BadArguments as refusal:
        await _return(desk, step.call, f"Error: {refusal}")
        return
    call = ToolCall(step.call.name, arguments)
    if await mutates(desk, call):
        await _change(desk, step, call, taken_out)
    else:
        await _look_up(desk, step.call.id, call)


async def _change(desk: Desk, step: RunCall, call: ToolCall, taken_out: tuple[str, ...]) -> None:
    """A write: remind the agent of what bears on it, then let the person decide on a card."""
    tool = desk.domain.tools.get(call.name)
    preview = desk.records.preview(call)
    enough = declined_too_often(desk.log.events, desk.safeguards)
    if tool is None or preview.result.error:
        await _return(desk, step.call, preview.result.text)
    elif enough is not None:
        await _put_aside(desk, step.call, enough)
    elif desk.safeguards.reflection and not step.reflected:
        await _reflect(desk, step.call.id, preview)
    else:
        await confirm(desk, Proposal(step.call.id, tool, call, taken_out), preview)


async def _reflect(desk: Desk, call_id: str, preview: Preview) -> None:
    """Targeted reflection, at the point of mutation only (SABER, section 4.1)."""
    chosen, lines = reflect(desk.domain, preview.call, desk.records)
    text, by, struck = await reminded(desk, preview.call, chosen)
    await desk.log.append(
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


async def _look_up(desk: Desk, call_id: str, call: ToolCall) -> None:
    """A call that changes nothing runs at once."""
    arguments = dict(call.arguments)
    await desk.log.append(ToolCalled(call_id=call_id, name=call.name, arguments=arguments))
    result = desk.records.look_up(call)
    customer = desk.domain.identified(call, result)
    await desk.log.append(
        ToolReturned(
            call_id=call_id,
            name=call.name,
            text=clean(result.text),
            error=result.error,
            customer=customer and clean(customer),
        )
    )


async def _return(desk: Desk, call: ProposedCall, text: str) -> None:
    """A call that failed goes back to the agent with the reason."""
    await desk.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=clean(text), error=True)
    )


async def _put_aside(desk: Desk, call: ProposedCall, text: str) -> None:
    """A call that was not even tried goes back to the agent with the reason."""
    await desk.log.append(
        ToolReturned(call_id=call.id, name=call.name, text=text, error=True, ran=False)
    )


def _read_arguments(call: ProposedCall) -> tuple[dict[str, object], tuple[str, ...]]:
    """The arguments as card and tool will both see them, and what cleaning took out of them."""
    arguments, taken_out = cleaned(parse_arguments(call.arguments))
    return arguments, (*call.removed, *taken_out)
