"""A call of a coupled session that a guard speaks against goes back, to the agent or the person.

The agent is told why, with the record's value, and may propose something else. Where it has been
told so a few times in one turn and nothing came through, the person is told instead
(difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from agent.control.against import Against
from agent.control.evidence import evidence_against
from agent.next_step import this_turn
from agent.session.turn_context import TurnContext
from domains.core.records import Preview
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CardShown,
    GuardFired,
    ProposedCall,
    ToolReturned,
)

MOST_IN_A_ROW = 3
"""How many writes of one turn go back before the person is told."""


def speaks_against(ctx: TurnContext, call_id: str, preview: Preview) -> Against | None:
    """What evidence there is against a write; none while the session is routine.

    A card that is up already is the person's: nothing is taken from under their eyes.
    """
    if not ctx.latch.is_closed or ctx.is_left_to_person(call_id):
        return None
    return evidence_against(ctx.domain, ctx.records, preview, ctx.talk, ctx.seen)


async def send_back(ctx: TurnContext, call: ProposedCall, read: ToolCall, found: Against) -> None:
    """Tell the agent why its call goes back, or the person where that was of no use."""
    of_evidence = found.kind == "evidence"
    fired = GuardFired(
        call_id=call.id,
        name=call.name,
        arguments=dict(read.arguments),
        guard=found.guard,
        why=clean(found.why),
        kind=found.kind,
        ends_turn=of_evidence and _in_a_row(this_turn(ctx.log.events)) + 1 >= MOST_IN_A_ROW,
    )
    returned = ToolReturned(
        call_id=call.id, name=call.name, text=_sentence_for_agent(fired), error=True, ran=False
    )
    said = [AgentSaid(text=_sentence_for_person(fired))] if fired.ends_turn else []
    await ctx.log.append(fired, returned, *said)


def _in_a_row(turn: Iterable[AnyEvent]) -> int:
    """How many writes went back since one last reached the person."""
    count = 0
    for event in turn:
        match event:
            case GuardFired(kind="evidence"):
                count += 1
            case CardShown():
                count = 0
            case _:
                pass
    return count


def _sentence_for_agent(fired: GuardFired) -> str:
    if fired.kind == "protocol":
        return f"Error: not run. {fired.why}"
    return (
        f"Error: not put to the customer, because of what is on record. {fired.why} "
        "Look up what you need, correct the call, or ask the customer."
    )


def _sentence_for_person(fired: GuardFired) -> str:
    what = fired.name.replace("_", " ")
    return (
        f"I could not settle a change that fits what is on record, so nothing was changed. "
        f"What stood against the last one ({what}): {fired.why} How would you like to go on?"
    )
