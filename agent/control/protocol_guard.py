"""The protocol guard: returns a call that its tool cannot use, and says what to do instead.

It is code, without a model; the rules are defined beside each domain's tools (difficulty-routed
control, section 3.2, mistake-proofing controls).
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.control.objection import Objection
from agent.models.assembly import BadArguments, parse_arguments
from agent.next_step import events_of_this_turn
from agent.session.turn_context import TurnContext
from domains.core.tool import ToolCall
from sessions.events import GuardFired


def protocol_objection(ctx: TurnContext, call_id: str, call: ToolCall) -> Objection | None:
    """What is wrong with how a tool is called, if anything; None while the session is routine.

    The agent is told once per turn. If it makes the very same call again, the tool itself answers.
    """
    if not ctx.latch.is_closed or ctx.has_been_shown(call_id) or _was_told(ctx, call):
        return None
    others = list(_others(ctx, call_id))
    for guard in ctx.domain.tools.protocol:
        why = guard.first_objection(call, ctx.records.draft(), others)
        if why is not None:
            return Objection(guard.name, why, "protocol")
    return None


def _was_told(ctx: TurnContext, call: ToolCall) -> bool:
    return any(
        isinstance(each, GuardFired)
        and (each.kind, each.name, each.arguments) == ("protocol", call.name, call.arguments)
        for each in events_of_this_turn(ctx.log.events)
    )


def _others(ctx: TurnContext, call_id: str) -> Iterator[ToolCall]:
    """Yield the other calls of the answer that a call is part of."""
    answer = ctx.log.turn_with_held.answer
    for each in answer.calls if answer is not None else ():
        if each.id != call_id:
            try:
                yield ToolCall(each.name, parse_arguments(each.arguments))
            except BadArguments:
                continue
