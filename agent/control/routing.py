"""The decision for a turn: is the session routine, or coupled from here on?

It is made after each message of the customer's until the session is coupled, and never again then
(difficulty-routed control, section 3.1).
"""

from __future__ import annotations

from agent.control.model_router import ask_for_label
from agent.control.rule_router import features_of
from agent.control.verdict import Verdict
from agent.models.choosing import is_clerk
from agent.session.turn_context import TurnContext
from sessions.events import PERSON, RULES, RouteDecided

BY_HAND = (
    "You escalated the session: every change is checked against what you said and the records."
)


def is_to_be_routed(ctx: TurnContext) -> bool:
    """Whether this turn of the session waits to be routed."""
    routed = ctx.safeguards.control == "routed" and not ctx.latch.is_closed
    return routed and not ctx.latch.was_routed(ctx.log.turn.number)


async def route(ctx: TurnContext) -> None:
    """Decide it, and record the decision with its reasons."""
    verdict = await _verdict(ctx)
    await ctx.log.append(
        RouteDecided(
            turn=ctx.log.turn.number,
            label=verdict.label,
            latched=verdict.label == "complex",
            by=verdict.by,
            raw=verdict.raw,
            malformed=verdict.malformed,
            features=verdict.features,
        )
    )


async def escalate(ctx: TurnContext) -> None:
    """The person holds the session to be coupled; nothing where it is already."""
    if ctx.latch.is_closed:
        return
    turn = ctx.log.turn.number
    await ctx.log.append(
        RouteDecided(turn=turn, label="complex", latched=True, by=PERSON, features=(BY_HAND,))
    )


async def _verdict(ctx: TurnContext) -> Verdict:
    """By rules where they are chosen, and of the clerk, which takes no questions of this kind."""
    if ctx.safeguards.router == "model" and not is_clerk(ctx.model.name):
        return await ask_for_label(ctx)
    features = features_of(ctx.domain, ctx.talk, (each.event for each in ctx.log.events))
    return Verdict("complex" if features else "simple", RULES, features=features)
