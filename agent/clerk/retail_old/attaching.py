"""Which request, and which item of it, a fallback speaks of."""

from __future__ import annotations

from agent.clerk.fallbacks import Fallback
from agent.clerk.retail.language import alike, pattern
from agent.clerk.retail.mentions import things
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said, Thing


def specify(target: Request, fallback: Fallback, extra: tuple[str, ...]) -> None:
    """Read "if there is no keyboard that is clicky and full size": what is wanted, once more."""
    hit = pattern("lacking").search(fallback.condition)
    thing = thing_meant(fallback.condition, target, extra)
    if hit and thing is not None and target.intent is Intent.SWAP and thing.wishes:
        thing.wishes[0] = f"{thing.wishes[0]}\n{hit.group(1).strip()}"


def rewish(made: list[Request], target: Request) -> bool:
    """Whether a fallback only names another variant of what is swapped anyway."""
    if target.intent is not Intent.SWAP or made[0].intent is not Intent.SWAP:
        return False
    return not any(thing.noun for thing in made[0].things)


def keeps(target: Request, inner: Said, fallback: Fallback, extra: tuple[str, ...]) -> bool:
    """Read "only exchange the thermostat": every other item of the request may be left out."""
    nouns = {thing.noun for request in inner.requests for thing in request.things}
    nouns |= {thing.noun for thing in things(fallback.then, None, extra)}
    kept = [thing for thing in target.things if any(alike(thing.noun, each) for each in nouns)]
    if not kept or len(kept) == len(target.things):
        return False
    for thing in target.things:
        thing.may_drop = thing.may_drop or thing not in kept
    return True


def meant(fallback: Fallback, requests: list[Request], extra: tuple[str, ...]) -> Request | None:
    """The request that a fallback is for: the one whose item it names, else the last change."""
    actions = [each for each in requests if each.intent in ACTIONS]
    nouns = {thing.noun for thing in things(fallback.condition, None, extra)}
    for request in reversed(actions):
        if any(alike(thing.noun, each) for thing in request.things for each in nouns):
            return request
    pool = actions or requests
    return pool[-1] if pool else None


def thing_meant(condition: str, target: Request, extra: tuple[str, ...]) -> Thing | None:
    """The item of a request that a condition names, else the last one."""
    nouns = [thing.noun for thing in things(condition, None, extra)]
    named = [thing for thing in target.things if any(alike(thing.noun, each) for each in nouns)]
    pool = named or target.things
    return pool[-1] if pool else None
