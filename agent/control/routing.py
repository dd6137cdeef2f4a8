"""The routing decision for a turn: is the session routine, or coupled from here on?

It is made after each message of the customer until the session is coupled, and never again after
that (difficulty-routed control, section 3.1).
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


def needs_routing(ctx: TurnContext) -> bool:
    """Whether the current turn still has to be routed."""
    routed = ctx.safeguards.control == "routed" and not ctx.latch.is_closed
    return routed and not ctx.latch.was_routed(ctx.log.turn.number)


async def route(ctx: TurnContext) -> None:
    """Make the routing decision and record it with its reasons."""
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
    """Record that the person marks the session as coupled; does nothing if it already is."""
    if ctx.latch.is_closed:
        return
    turn = ctx.log.turn.number
    await ctx.log.append(
        RouteDecided(turn=turn, label="complex", latched=True, by=PERSON, features=(BY_HAND,))
    )


async def _verdict(ctx: TurnContext) -> Verdict:
    """The verdict of the model, or of rules if they are chosen or the agent is the clerk.

    The clerk cannot answer questions of this kind.
    """
    if ctx.safeguards.router == "model" and not is_clerk(ctx.model.name):
        return await ask_for_label(ctx)
    features = features_of(ctx.domain, ctx.talk, (each.event for each in ctx.log.events))
    return Verdict("complex" if features else "simple", RULES, features=features)
