"""From a typed message to requests with slots, without any context."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.clerk.address import address
from agent.clerk.attaching import keeps, meant, rewish, specify, thing_meant
from agent.clerk.fallbacks import Fallback, split_fallbacks
from agent.clerk.filling import fill, share
from agent.clerk.identity import identity
from agent.clerk.language import (
    ORDER_ID,
    clauses,
    corrected,
    first_meaning,
    pattern,
    plain,
    says,
    sentences,
    table,
    words,
)
from agent.clerk.mentions import everything_but, payments, things
from agent.clerk.requests import ACTIONS, WITH_PAYMENT, Intent, Request, Said

_ONCE = {Intent.ADVICE, Intent.UNDO, Intent.OTHER_PERSON, Intent.OUT_OF_SCOPE, Intent.TRANSFER}
_FIRST = ("advice", "undo", "other_person", "out_of_scope", "transfer")


def understand(text: str, extra: tuple[str, ...] = ()) -> Said:
    """What a message asks for; ``extra`` are product names known from the conversation."""
    low = plain(text)
    fixed = corrected(low)
    requests: list[Request] = []
    loose = Request(None, fixed)
    for sentence in sentences(fixed):
        main, fallbacks = split_fallbacks(sentence)
        for clause in clauses(main):
            _take(clause, requests, loose, extra, text)
        for fallback in fallbacks:
            _attach(fallback, requests, loose, extra, text)
    share(requests)
    return Said(
        low,
        requests,
        loose,
        identity(text),
        correction=says("correction", fixed),
        only=says("only", fixed),
        also=says("also", fixed),
        nothing=says("nothing", fixed),
        yes=says("yes", fixed),
        no=says("no", fixed),
        forget=says("forget", fixed),
        anything=says("anything", fixed),
        ordinals=ordinals(fixed),
    )


def ordinals(text: str) -> list[int]:
    """The positions a customer pointed at: "the second one", "2", "option 3"."""
    bare = re.fullmatch(r"\W*(?:number |option |#)?([1-9])\W*", text)
    if bare:
        return [int(bare.group(1))]
    listed = words()["ordinals"]
    found = re.finditer(
        rf"\b(?:the )?({'|'.join(map(re.escape, listed))})(?= (?:one|option|item|choice|of)\b|(?<!last) order\b|\W*$|,| and\b)",
        text,
    )
    return [listed[hit.group(1)] for hit in found]


def intent_of(clause: str) -> Intent | None:
    """What a clause asks for; a question is first read as one, whatever verbs it holds."""
    special = next(
        (name for name, each in table("intents") if name in _FIRST and each_hit(each, clause)), None
    )
    if special:
        return Intent(special)
    hits = [Intent(name) for name, each in table("intents") if each_hit(each, clause)]
    if not hits:
        return None
    asked = pattern("question").match(clause) is not None and not pattern("proposal").match(clause)
    preferred = [hit for hit in hits if (hit not in ACTIONS) == asked]
    found = (preferred or hits)[0]
    owned = (
        found is Intent.OPTIONS
        and pattern("own").search(clause)
        and not pattern("more").search(clause)
    )
    return Intent.ITEM if owned else found


def each_hit(expression: re.Pattern[str], clause: str) -> bool:
    """Whether a table's expression occurs in a clause."""
    return expression.search(clause) is not None


def _take(
    clause: str, requests: list[Request], loose: Request, extra: tuple[str, ...], typed: str
) -> None:
    """Make a request of a clause, or read it as a detail of the one before."""
    intent = intent_of(clause)
    before = requests[-1] if requests else None
    swapping = intent is None and before is not None and before.intent is Intent.SWAP
    made = details(clause, intent, extra, typed)
    if swapping:
        made.things = things(clause, Intent.SWAP, extra)
    _take_up(made, loose)
    if intent is Intent.PAYMENT and made.payments and _pays_for(before, clause):
        made.intent = intent = None
    if intent is None:
        fill(before or loose, made, clause)
    elif before and _continues(before, made, clause):
        fill(before, made, clause)
    else:
        requests.extend(_with_order_addresses(made, clause))


def _take_up(made: Request, loose: Request) -> None:
    """ "the shoes are too small, can I exchange them": the item was named before the verb."""
    if made.intent not in {Intent.SWAP, Intent.RETURN, Intent.CANCEL}:
        return
    made.reason, loose.reason = made.reason or loose.reason, None
    if not made.orders and made.which in (None, "same"):
        made.orders, loose.orders = loose.orders, []
    if not loose.things:
        return
    if any(thing.noun or thing.item_id for thing in made.things) or made.everything:
        return
    wishes = [wish for thing in made.things for wish in thing.wishes]
    made.things, loose.things = loose.things, []
    for thing in made.things:
        thing.wishes = list(wishes)


def _pays_for(before: Request | None, clause: str) -> bool:
    """Whether a payment named after another request is meant for that one."""
    if before is None or before.intent not in WITH_PAYMENT:
        return False
    return "order" not in clause or not re.search(r"\b(?:change|update|modify|switch)\b", clause)


def _continues(before: Request, made: Request, clause: str) -> bool:
    """Whether a clause with its own verb only says more of the request before it."""
    if made.intent is before.intent and made.intent in _ONCE:
        return True
    if made.intent is Intent.SWAP and before.intent is Intent.SWAP:
        return not any(thing.noun or thing.item_id for thing in made.things)
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
        _read_address(request, clause, typed)
    return request


_PLACES = {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}
_NO_THINGS = {Intent.USER_ADDRESS, Intent.PROFILE, Intent.BALANCE, Intent.TRANSFER}


def order_ids(text: str) -> list[str]:
    """Order ids as the records write them: ``#W1234567``."""
    found = (f"#W{hit.group().lstrip('#')[1:]}" for hit in ORDER_ID.finditer(text))
    return list(dict.fromkeys(found))


def _read_address(request: Request, clause: str, typed: str) -> None:
    """Addresses are read from the text as typed, so that capitals are kept."""
    request.address = address(_as_typed(clause, typed))
    if request.address is not None and not request.address.empty:
        return
    request.address = None
    other = pattern("same_as_order").search(clause)
    if other and request.intent:
        request.address_from = order_ids(other.group(1))[0]
        request.orders = [each for each in request.orders if each != request.address_from]
    elif pattern("back").search(clause):
        request.address_from = "previous"
    elif pattern("partial").search(clause) and request.intent is not Intent.USER_ADDRESS:
        request.address_from = "default"
    elif pattern("partial").search(clause) and re.search(
        r"\bto (?:my|the) (?:default|profile)", clause
    ):
        request.intent, request.address_from = Intent.ORDER_ADDRESS, "default"


def _as_typed(clause: str, typed: str) -> str:
    """The clause with the customer's own capitals, where it can be found again."""
    start = plain(typed).find(clause)
    same = re.sub(r"[ \t\xa0]+", " ", typed).strip()
    return same[start : start + len(clause)] if start >= 0 and len(same) >= len(clause) else clause


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
        target.wait = ""
