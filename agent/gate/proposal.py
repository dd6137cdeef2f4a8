"""A write on its way to the gate, and the card that is made for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.comparison import Talk, compare_call, sentences_about
from agent.gate.card import make_card
from agent.memory.bank import Bank
from agent.memory.on_cards import find_learned
from agent.models.assembly import parse_arguments
from agent.session.identity import Identity, ownership_check
from agent.session.turn_context import TurnContext
from domains.core.domain import Domain
from domains.core.records import Preview, Records
from domains.core.tool import Tool, ToolCall
from sessions.cleaning import clean_json, removed_characters
from sessions.events import Card, Logged, ProposedCall
from sessions.json_strings import strings_in


@dataclass(frozen=True, slots=True)
class Proposal:
    """A write that the agent wants to make, parsed and cleaned; card and tool use this object."""

    call_id: str
    tool: Tool
    call: ToolCall
    removed: tuple[str, ...] = ()
    """Code points that cleaning removed from the tool's name and the arguments."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a session just before a card; the card is made from it and the call."""

    domain: Domain
    records: Records
    talk: Talk
    """The conversation and the results of look-ups so far."""

    identity: Identity
    """The customers that its look-ups found and that the customer's own words name."""

    policy_shown: bool = True
    memory: Bank | None = None
    log: Sequence[Logged] = ()
    """The events so far, including which entries of the memory the agent was given."""


def card_at(moment: Moment, proposal: Proposal, preview: Preview) -> Card:
    """The card for the trial of a call; live cards and those made afterwards all come from here."""
    return make_card(
        proposal.tool,
        preview,
        moment.records,
        call_id=proposal.call_id,
        owner=ownership_check(moment.identity, moment.records, preview.call),
        comparison=compare_call(moment.domain, moment.records, preview, moment.talk),
        removed=proposal.removed,
        policy_shown=moment.policy_shown,
        said_about=lambda question: sentences_about(moment.talk, question.about),
        learned=find_learned(moment.memory, proposal.tool, moment.log),
    )


def card_of(ctx: TurnContext, proposal: Proposal, preview: Preview) -> Card:
    """The card for the trial of the proposal's call, or of a call that was put in its place."""
    shown = ctx.safeguards.policy_on_card
    moment = Moment(
        ctx.domain, ctx.records, ctx.talk, ctx.identity, shown, ctx.memory, ctx.log.events
    )
    return card_at(moment, proposal, preview)


def clean_arguments(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments as card and tool will both see them, and what cleaning removed from them."""
    return clean_json(dict(arguments)), removed_characters("".join(strings_in(arguments)))


def read_arguments(call: ProposedCall) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments of a model's call, cleaned, and what cleaning removed. Raises BadArguments.

    JSON text without escapes or unprintable characters holds its strings as they are, so nothing
    needs cleaning.
    """
    arguments = parse_arguments(call.arguments)
    if call.arguments.isprintable() and "\\" not in call.arguments:
        return arguments, call.removed
    arguments, taken_out = clean_arguments(arguments)
    return arguments, (*call.removed, *taken_out)
