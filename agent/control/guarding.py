"""Returns a call that a guard objects to, in a coupled session, to the agent or the customer.

The agent is given the reason, with the record's value, and may propose something else. If that has
happened several times in one turn and nothing came of it, the customer is told instead
(difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from agent.control.evidence import first_evidence_objection
from agent.control.objection import Objection
from agent.next_step import events_of_this_turn
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
"""How many writes in a row of one turn go back before the customer is told."""


def evidence_objection_to(ctx: TurnContext, call_id: str, preview: Preview) -> Objection | None:
    """The evidence against a write, if any; None while the session is routine.

    A card that is already shown is the customer's to decide on, so its call is not checked again.
    """
    if not ctx.latch.is_closed or ctx.has_been_shown(call_id):
        return None
    return first_evidence_objection(ctx.domain, ctx.records, preview, ctx.talk, ctx.seen)


async def send_back(ctx: TurnContext, call: ProposedCall, read: ToolCall, found: Objection) -> None:
    """Return the call to the agent with the reason, or tell the customer if that has not helped."""
    of_evidence = found.kind == "evidence"
    fired = GuardFired(
        call_id=call.id,
        name=call.name,
        arguments=dict(read.arguments),
        guard=found.guard,
        why=clean(found.why),
        kind=found.kind,
        ends_turn=of_evidence
        and _in_a_row(events_of_this_turn(ctx.log.events)) + 1 >= MOST_IN_A_ROW,
    )
    returned = ToolReturned(
        call_id=call.id, name=call.name, text=_sentence_for_agent(fired), error=True, ran=False
    )
    said = [AgentSaid(text=_sentence_for_person(fired))] if fired.ends_turn else []
    await ctx.log.append(fired, returned, *said)


def _in_a_row(turn: Iterable[AnyEvent]) -> int:
    """How many writes went back since one last reached the customer as a card."""
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
        f"Error: not shown to the customer, as it conflicts with what is on record. {fired.why} "
        "Look up what you need, correct the call, or ask the customer."
    )


def _sentence_for_person(fired: GuardFired) -> str:
    what = fired.name.replace("_", " ")
    return (
        f"I couldn't find a change that fits what is on record, so nothing was changed. "
        f"The problem with the last one ({what}): {fired.why} How would you like to continue?"
    )
