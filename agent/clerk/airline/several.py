"""One request for several reservations: each is dealt with in turn, refusals come at the end."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.locating import meant, to_do
from agent.clerk.airline.requests import Request
from agent.clerk.airline.talk import Talk
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Settled, Tell

HAND_OVER = "transfer_to_human_agents"


def for_each(
    request: Request,
    talk: Talk,
    one: Callable[[Request, Talk, Json], Call | Ask | Tell],
    told: Callable[[Request, Talk], Tell],
) -> Call | Ask | Tell:
    """The next step for the reservations that a request is about.

    Args:
        request: what is wanted.
        talk: the conversation so far.
        one: the step for one of the reservations; may raise Settled with it.
        told: what came of those that are done.
    """
    if not request.trip.several:
        record = to_do(request, talk)
        return told(request, talk) if record is None else one(request, talk, record)
    refusals: list[Tell] = []
    hand_over: Call | None = None
    for record in meant(request, talk):
        if record["reservation_id"] in request.written:
            continue
        step = _step(request, talk, record, one)
        if isinstance(step, Tell):
            refusals.append(step)
        elif isinstance(step, Call) and step.name == HAND_OVER:
            hand_over = step
        else:
            return step
    return hand_over or _summed(request, talk, refusals, told)


def _step(
    request: Request,
    talk: Talk,
    record: Json,
    one: Callable[[Request, Talk, Json], Call | Ask | Tell],
) -> Call | Ask | Tell:
    try:
        return one(request, talk, record)
    except Settled as settled:
        return settled.step


def _summed(
    request: Request, talk: Talk, refusals: list[Tell], told: Callable[[Request, Talk], Tell]
) -> Call | Ask | Tell:
    """What was done and what could not be, once nothing is left to do."""
    if not request.written and not refusals:
        to_do(request, talk)
        return Tell("I find no reservation of yours for that.", "refused")
    done = [told(request, talk)] if request.written else []
    text = "\n\n".join(each.text for each in [*done, *refusals])
    forbidden = next((each.forbidden for each in refusals if each.forbidden), None)
    return Tell(text, "done" if done else "refused", None if done else forbidden)
