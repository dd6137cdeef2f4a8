"""The confirmed-write nudge: tells an agent that already has a yes to make the change.

It applies to coupled sessions, once per turn. If the customer said yes to what the agent had asked
for in words, and all the agent answers is to ask for that yes again, its words are not shown to the
customer and it is told to make the call (difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from agent.control.reconsidered import asks_only_for_a_yes, has_agreed
from agent.models.history import NOTE
from agent.next_step import events_of_this_turn
from agent.session.turn_context import TurnContext
from domains.text.one_line import quotation
from sessions.events import AgentNudged, AgentSaid, CardShown, ModelAnswered

QUOTED = 300
"""Characters of its own words that are quoted to the agent."""

NUDGE = (
    "{note} the customer has already agreed to this change, so what you were about to say was "
    "not sent to them: {words}. If nothing about the change is open, make the call now. If "
    "something is, say what."
)


def say_or_nudge(ctx: TurnContext, answered: ModelAnswered) -> AgentSaid | AgentNudged:
    """The event that follows an answer in words: normally that it is said to the customer."""
    if not _asks_again(ctx, answered):
        return AgentSaid(text=answered.text)
    ctx.pass_on_piece(None)
    words = quotation(answered.text, QUOTED)
    return AgentNudged(text=NUDGE.format(note=NOTE, words=words))


def _asks_again(ctx: TurnContext, answered: ModelAnswered) -> bool:
    if not ctx.latch.is_closed or answered.calls or not asks_only_for_a_yes(answered.text):
        return False
    turn = events_of_this_turn(ctx.log.events)
    dealt_with = any(isinstance(each, AgentNudged | CardShown) for each in turn)
    return not dealt_with and has_agreed(ctx.log.events)
