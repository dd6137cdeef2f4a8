"""The confirmed-write nudge: an agent that has its yes is sent to the change, not to ask again.

Of a coupled session, and once a turn: where the customer said yes to what the agent had asked for
in words, and all that it answers is to ask for that yes once more, its words are kept from the
customer and it is told to make the call (difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from agent.control.reconsidered import asks_only_for_a_yes, has_agreed
from agent.models.history import NOTE
from agent.next_step import this_turn
from agent.session.turn_context import TurnContext
from domains.text.one_line import quotation
from sessions.events import AgentNudged, AgentSaid, CardShown, ModelAnswered

QUOTED = 300
"""Characters of its own words that the agent is handed."""

NUDGE = (
    "{note} the customer has agreed to this change already, so that what you were about to say "
    "was not put to them: {words}. If nothing about the change is open, make the call now. If "
    "something is, say what."
)


def say_or_nudge(ctx: TurnContext, answered: ModelAnswered) -> AgentSaid | AgentNudged:
    """What follows on an answer in words: as a rule that it is said to the customer."""
    if not _asks_again(ctx, answered):
        return AgentSaid(text=answered.text)
    ctx.hear(None)
    words = quotation(answered.text, QUOTED)
    return AgentNudged(text=NUDGE.format(note=NOTE, words=words))


def _asks_again(ctx: TurnContext, answered: ModelAnswered) -> bool:
    if not ctx.latch.is_closed or answered.calls or not asks_only_for_a_yes(answered.text):
        return False
    turn = this_turn(ctx.log.events)
    dealt_with = any(isinstance(each, AgentNudged | CardShown) for each in turn)
    return not dealt_with and has_agreed(ctx.log.events)
