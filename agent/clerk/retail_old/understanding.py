"""From a typed message to requests with slots, without any context."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import lru_cache

from agent.clerk.fallbacks import Fallback, split_fallbacks
from agent.clerk.identity import identity
from agent.clerk.intents import intent_named
from agent.clerk.retail.attaching import keeps, meant, rewish, specify, thing_meant
from agent.clerk.retail.filling import fill, pays_for, share
from agent.clerk.retail.language import (
    LANGUAGE,
    LONGEST,
    alike,
    clauses,
    corrected,
    first_meaning,
    ordinals,
    pattern,
    plain,
    says,
    sentences,
)
from agent.clerk.retail.mentions import everything_but, payments, things
from agent.clerk.retail.places import names_place, order_ids, read_address
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said

_ONCE = {Intent.ADVICE, Intent.UNDO, Intent.OTHER_PERSON, Intent.OUT_OF_SCOPE, Intent.TRANSFER}
_ACTIONS = frozenset(map(str, ACTIONS))
_FIRST = ("help", "advice", "undo", "other_person", "out_of_scope", "transfer")


def understand(text: str, extra: tuple[str, ...] = ()) -> Said:
    """What a message asks for; ``extra`` are product names known from the conversation."""
    return copy.deepcopy(_understood(text, extra))


@lru_cache(maxsize=256)
def _understood(text: str, extra: tuple[str, ...]) -> Said:
    fixed = pattern("regret").sub(" ", corrected(plain(text)))
    requests: list[Request] = []
    loose = Request(None, fixed)
    aside: list[str] = []
    for sentence in sentences(fixed):
        main, fallbacks = split_fallbacks(sentence, LANGUAGE)
        taken = [(each, _take(each, requests, loose, extra, text)) for each in clauses(main)]
        aside.append(", ".join(each for each, asks in taken if not asks))
        for fallback in fallbacks:
            _attach(fallback, requests, loose, extra, text)
    requests = _without_bare_moves(requests)
    share(requests)
    flags = {name: says(name, fixed) for name in _FLAGS}
    return Said(
        plain(text),
        requests,
        loose,
        "\n".join(each for each in aside if each),
        identity(text, LANGUAGE),
        cut=len(text) > LONGEST,
        unread=[],
        ordinals=ordinals(fixed),
        **flags,
    )


_FLAGS = ("correction", "only", "also", "nothing", "yes", "no", "forget", "anything")


def _without_bare_moves(requests: list[Request]) -> list[Request]:
    """Leave out "as I'm moving", which only tells why, where something else is asked for."""
    kept = [
        each
        for each in requests
        if each.intent is not Intent.USER_ADDRESS
        or each.address
        or each.address_from
        or pattern("bare_move").search(each.text)
    ]
    return kept or requests


def intent_of(clause: str) -> Intent | None:
    """What a clause asks for; a question is first read as one, whatever verbs it holds."""
    name = intent_named(clause, LANGUAGE, _FIRST, _ACTIONS)
    if name is None:
        return None
    found = Intent(name)
    owned = (
        found is Intent.OPTIONS
        and pattern("own").search(clause)
        and not pattern("more").search(clause)
    )
    return Intent.ITEM if owned else found


def _take(
    clause: str, requests: list[Request], loose: Request, extra: tuple[str, ...], typed: str
) -> bool:
    """Make a request of a clause, or read it as a detail; True where it asks for something."""
    intent = intent_of(clause)
    before = requests[-1] if requests else None
    swapping = intent is None and before is not None and before.intent is Intent.SWAP
    made = details(clause, intent, extra, typed)
    if swapping:
        made.things = things(clause, Intent.SWAP, extra)
    if before is not None and _corrects(before, made, clause):
        requests.pop()
        loose, before = before, None  # what was said of the old change holds for the new one
    _take_up(made, loose)
    if intent is Intent.USER_ADDRESS and before and before.intent is Intent.ORDER_ADDRESS:
        made.address = made.address or before.address
    if intent is Intent.PAYMENT and made.payments and pays_for(before, clause):
        made.intent = intent = None
    if intent is Intent.SWAP and not made.payments and names_place(clause, typed):
        intent = Intent.ORDER_ADDRESS
        made = details(clause, intent, extra, typed)
    if intent is None and not made.payments and pattern("contented").search(clause):
        return True
    if intent is None:
        named = any(thing.noun for thing in made.things)
        apart = named and pattern("mention").match(clause) is not None
        fill(loose if apart or before is None else before, made, clause)
        return False
    if before and _continues(before, made, clause):
        fill(before, made, clause)
    else:
        requests.extend(_with_order_addresses(made, clause))
    return True


def _corrects(before: Request, made: Request, clause: str) -> bool:
    """Whether "return it, I mean exchange it" puts one change in the place of another."""
    both = made.intent in ACTIONS and before.intent in ACTIONS
    named = any(thing.noun or thing.item_id for thing in made.things)
    if made.intent in {before.intent, Intent.USER_ADDRESS} or named or says("also", clause):
        return False
    return both and says("correction", clause)


def _take_up(made: Request, loose: Request) -> None:
    """Read "the shoes are too small, can I exchange them": the item was named before the verb."""
    if made.intent not in _TAKING:
        return
    if not made.payments:
        made.payments, loose.payments = loose.payments, []
    made.reason, loose.reason = made.reason or loose.reason, None
    if not made.orders and made.which in (None, "same"):
        made.orders, loose.orders = loose.orders, []
    if not loose.things:
        return
    if made.intent is Intent.OPTIONS:
        made.intent = Intent.ITEM
    if any(thing.noun or thing.item_id for thing in made.things) or made.everything:
        return
    wishes = [wish for thing in made.things for wish in thing.wishes]
    made.things, loose.things = loose.things, []
    for thing in made.things:
        thing.wishes = list(wishes)


def _continues(before: Request, made: Request, clause: str) -> bool:
    """Whether a clause with its own verb only says more of the request before it."""
    if made.intent is before.intent and made.intent in _ONCE:
        return True
    if made.intent is Intent.SWAP and before.intent is Intent.SWAP:
        named = [thing for thing in made.things if thing.noun or thing.item_id]
        return all(any(alike(one.noun, each.noun) for each in before.things) for one in named)
    if made.intent is before.intent and made.intent in {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}:
        return before.address is None and before.address_from is None and not made.orders
    if made.intent is before.intent and made.intent in ACTIONS:
        return not made.orders and not made.things and not made.everything
    return False


def _with_order_addresses(made: Request, clause: str) -> Iterator[Request]:
    """A default address changed "and in all my orders" is two requests."""
    yield made
    if made.intent is Intent.USER_ADDRESS and re.search(r"\borders?\b", clause):
        yield Request(
            Intent.ORDER_ADDRESS,
            made.text,
            made.orders,
            made.which or "all",
            "pending",
            address=made.address,
            address_from=made.address_from,
        )


def details(clause: str, intent: Intent | None, extra: tuple[str, ...], typed: str) -> Request:
    """A clause's slots, whatever it asks for."""
    request = Request(intent, clause)
    request.orders = order_ids(clause)
    request.which = first_meaning("which_order", clause)
    request.status = first_meaning("statuses", clause)
    request.payments = payments(clause)
    request.reason = first_meaning("reasons", clause)
    swapping = intent is Intent.SWAP
    kept, request.excepted = (clause, []) if swapping else everything_but(clause, extra)
    hit = pattern("everything").search(clause)
    request.everything = hit is not None
    request.things = [] if intent in _NO_THINGS else things(kept, intent, extra)
    if hit and hit.group() == "both" and any(t.noun or t.item_id for t in request.things):
        request.everything = False
    if intent in _PLACES:
        request.payments = []
    if swapping and request.everything:
        for thing in request.things:
            thing.every = thing.every or not (thing.noun or thing.item_id)
    if intent in ACTIONS and request.which is None and pattern("orders").search(clause):
        request.which = "all"
    if intent in _PLACES or intent is None:
        read_address(request, clause, typed)
    return request


_TAKING = {
    Intent.SWAP,
    Intent.RETURN,
    Intent.CANCEL,
    Intent.PAYMENT,
    Intent.ORDER_ADDRESS,
    Intent.STATUS,
    Intent.TRACKING,
    Intent.TOTAL,
    Intent.ITEM,
    Intent.OPTIONS,
}
"""Requests that may be about an item named before them."""

_PLACES = {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}
_NO_THINGS = {Intent.USER_ADDRESS, Intent.PROFILE, Intent.BALANCE, Intent.TRANSFER}


def _attach(
    fallback: Fallback, requests: list[Request], loose: Request, extra: tuple[str, ...], typed: str
) -> None:
    """Hang "if that is not possible, …" on the request it speaks of."""
    target = meant(fallback, requests, extra) or loose
    inner = understand(fallback.then, extra)
    specify(target, fallback, extra)
    thing = thing_meant(fallback.condition, target, extra)
    if says("only", fallback.then) and keeps(target, inner, fallback, extra):
        return
    if inner.requests and not rewish(inner.requests, target):
        target.otherwise += inner.requests
    elif inner.loose.payments and not (thing and re.search(r"\bone\b", fallback.then)):
        target.payments += [each for each in inner.loose.payments if each not in target.payments]
    elif says("forget", fallback.then) or re.search(
        r"\b(?:nothing|no exchange|no changes?|no action)\b", fallback.then
    ):
        target.give_up = True
        if thing is not None:
            thing.may_drop = True
    elif thing is not None and target.intent is Intent.SWAP:
        thing.wishes.append(fallback.then)
    else:
        target.fallbacks.append(fallback.then)
