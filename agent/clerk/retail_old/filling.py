"""Adding what a clause tells to a request that another clause made."""

from __future__ import annotations

import re

from agent.clerk.retail.language import EMAIL, alike
from agent.clerk.retail.mentions import without_circumstances
from agent.clerk.retail.requests import WITH_PAYMENT, Intent, Request


def fill(request: Request, made: Request, clause: str) -> None:
    """Add a clause's details to a request that was made before."""
    request.orders += [each for each in made.orders if each not in request.orders]
    request.which = request.which or made.which
    request.status = request.status or made.status
    request.payments += [each for each in made.payments if each not in request.payments]
    request.reason = request.reason or made.reason
    request.address = request.address or made.address
    request.address_from = request.address_from or made.address_from
    request.excepted += made.excepted
    request.everything = request.everything or made.everything
    request.fallbacks += made.fallbacks
    _fill_things(request, made, clause)


def _fill_things(request: Request, made: Request, clause: str) -> None:
    if request.intent is Intent.SWAP and request.things:
        if any(thing.noun and thing.wishes for thing in made.things):
            _fill_named(request, made)
            return
        target = request.things[-1]
        text = wish_text(clause)
        if text and not EMAIL.search(clause):
            target.wishes[:1] = [f"{target.wishes[0]}, {text}" if target.wishes else text]
    elif request.intent is None or not request.things or request.intent is Intent.RETURN:
        named = {thing.noun for thing in request.things if thing.noun}
        request.things += [t for t in made.things if t.noun not in named or not t.noun]


def _fill_named(request: Request, made: Request) -> None:
    """Wishes for items by name; an item that was not spoken of before is a further one."""
    for thing in made.things:
        known = next((t for t in request.things if alike(thing.noun, t.noun)), None)
        if known is None:
            every = next((t for t in request.things if t.every and not t.noun), None)
            if every is not None and every.wishes:
                thing.wishes = [
                    f"{every.wishes[0]}\n{thing.wishes[0]}" if thing.wishes else every.wishes[0]
                ]
            request.things.append(thing)
        elif thing.wishes:
            known.wishes[:1] = [
                f"{known.wishes[0]}\n{thing.wishes[0]}" if known.wishes else thing.wishes[0]
            ]


def pays_for(before: Request | None, clause: str) -> bool:
    """Whether a payment named after another request is meant for that one."""
    if before is None or before.intent not in WITH_PAYMENT:
        return False
    return "order" not in clause or not re.search(r"\b(?:change|update|modify|switch)\b", clause)


def wish_text(clause: str) -> str:
    """What a clause says of the wanted item, without how it is paid or identified."""
    return without_circumstances(clause)


def share(requests: list[Request]) -> None:
    """A reason or payment said once holds for the like requests of the same message."""
    reason = next((each.reason for each in requests if each.reason), None)
    paid = next(
        (each.payments for each in requests if each.payments and each.intent in WITH_PAYMENT), []
    )
    for request in requests:
        if request.intent is Intent.CANCEL and request.reason is None:
            request.reason = reason
        if request.intent in {Intent.SWAP, Intent.RETURN} and not request.payments:
            request.payments = list(paid)
