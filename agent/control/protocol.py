"""The protocol guard: a call that its tool could not do anything with goes back with what to do.

Code, without a model; what it looks at stands beside each domain's tools
(difficulty-routed control, section 3.2, mistake-proofing controls).
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.control.against import Against
from agent.models.assembly import BadArguments, parse_arguments
from agent.next_step import this_turn
from agent.session.turn_context import TurnContext
from domains.core.tool import ToolCall
from sessions.events import GuardFired


def breaks_protocol(ctx: TurnContext, call_id: str, call: ToolCall) -> Against | None:
    """What is wrong with the way a tool is called; None while the session is routine.

    The agent is told once in a turn. Where it makes the very same call again, its tool answers.
    """
    if not ctx.latch.is_closed or ctx.is_left_to_person(call_id) or _was_told(ctx, call):
        return None
    others = list(_others(ctx, call_id))
    for guard in ctx.domain.tools.protocol:
        why = guard.find(call, ctx.records.draft(), others)
        if why is not None:
            return Against(guard.name, why, "protocol")
    return None


def _was_told(ctx: TurnContext, call: ToolCall) -> bool:
    return any(
        isinstance(each, GuardFired)
        and (each.kind, each.name, each.arguments) == ("protocol", call.name, call.arguments)
        for each in this_turn(ctx.log.events)
    )


def _others(ctx: TurnContext, call_id: str) -> Iterator[ToolCall]:
    """The other calls of the answer that a call is part of."""
    answer = ctx.log.turn_with_held.answer
    for each in answer.calls if answer is not None else ():
        if each.id != call_id:
            try:
                yield ToolCall(each.name, parse_arguments(each.arguments))
            except BadArguments:
                continue
