"""A write on its way to the gate, and the card that it would be put on."""

from __future__ import annotations

from dataclasses import dataclass

from agent.card import make_card
from agent.comparison import compared
from agent.desk import Desk
from agent.identity import whose_records
from domains.records import Preview
from domains.tool import Tool, ToolCall
from sessions.events import Card


@dataclass(frozen=True, slots=True)
class Proposal:
    """A write that the agent wants to make, parsed and cleaned; card and tool use this object."""

    call_id: str
    tool: Tool
    call: ToolCall
    removed: tuple[str, ...] = ()
    """Code points that cleaning took out of the arguments."""


def card_of(desk: Desk, proposal: Proposal, preview: Preview) -> Card:
    """The card for what a trial of the proposal's call, or of one put in its place, showed."""
    return make_card(
        proposal.tool,
        preview,
        desk.records,
        call_id=proposal.call_id,
        owner=whose_records(desk.domain, desk.records, preview.call, desk.customer),
        comparison=compared(desk.domain, desk.records, preview, desk.talk),
        removed=proposal.removed,
        policy_shown=desk.safeguards.policy_on_card,
    )
