"""What a customer's answer or correction does to the request it is about."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.address import Address
from agent.clerk.language import alike, says
from agent.clerk.mentions import without_circumstances
from agent.clerk.options import choose
from agent.clerk.requests import ACTIONS, Intent, Request, Said, Thing
from agent.clerk.steps import Ask, Choice

_PLACES = {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}


def mends(about: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Whether a message speaks of the request at hand rather than of something new."""
    if not said.requests:
        return True
    first = said.requests[0]
    if first.intent is about.intent:
        return not _elsewhere(first, about) or declined or said.correction
    if first.intent in ACTIONS and about.intent in ACTIONS:
        replaced = declined or said.correction or "instead" in said.text
        return replaced and not said.also and not _elsewhere(first, about)
    return _same_kind(first, about, ask)


def _elsewhere(first: Request, about: Request) -> bool:
    """Whether a request names other orders than the one at hand does."""
    return bool(first.orders and about.orders and not set(first.orders) & set(about.orders))


def answer(about: Request, said: Said, ask: Ask | None, declined: bool) -> list[Request]:
    """Fold a message into a request; gives the requests that are new."""
    rest = list(said.requests)
    source = said.loose
    if rest and _same_kind(rest[0], about, ask):
        source = rest.pop(0)
    elif (
        rest
        and rest[0].intent in ACTIONS
        and (declined or said.correction or "instead" in said.text)
    ):
        about.closed, about.outcome = True, "dropped"
        inherit(rest[0], about)
        return rest
    if said.forget and not _has_details(source) and not rest:
        about.closed, about.outcome = True, "dropped"
        return rest
    changed = _fill(about, source, said, ask, declined)
    if changed or (said.yes and ask is not None and not ask.choices):
        about.wait = ""
    about.otherwise += source.otherwise
    if (
        said.nothing
        and not changed
        and not said.yes
        and ask is not None
        and about.intent in ACTIONS
    ):
        about.closed, about.outcome = True, "dropped"
    return rest


def _same_kind(request: Request, about: Request, ask: Ask | None) -> bool:
    if request.intent is about.intent:
        return True
    if ask is not None and ask.slot == "address" and request.intent in _PLACES:
        return True
    return (
        request.intent is Intent.PAYMENT and ask is not None and ask.slot in {"payment", "revise"}
    )


def _has_details(source: Request) -> bool:
    return bool(
        source.orders
        or source.things
        or source.payments
        or source.address
        or source.address_from
        or source.reason
    )


def _fill(about: Request, source: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Take over what the message tells; True where that was anything."""
    slot = ask.slot if ask else ""
    before = repr(about)
    _fill_choice(about, said, ask)
    if source.payments:
        about.payments = list(source.payments)
    elif slot == "payment" and ask:
        about.payments = _picked(said, ask) or about.payments
    if source.reason:
        about.reason = source.reason
    elif slot == "reason" and said.ordinals:
        about.reason = "no longer needed" if said.ordinals[0] == 1 else "ordered by mistake"
    if source.orders and slot != "wish":
        about.orders, about.which = list(source.orders), None
    elif source.which == "other":
        about.orders, about.which = [], None
    elif source.which and (slot in {"order", "revise"} or declined or said.correction):
        about.which = source.which
        about.orders = [] if source.which in {"all", "last", "first"} else about.orders
    _fill_address(about, source, slot)
    _fill_things(about, source, said, ask, declined)
    return repr(about) != before


def _picked(said: Said, ask: Ask) -> list[str]:
    """The choice that was meant by its number, or by a plain yes where there is one only."""
    for number in said.ordinals:
        place = number - 1 if number > 0 else len(ask.choices) - 1
        if place < len(ask.choices):
            return [ask.choices[place].value]
    if len(ask.choices) == 1 and said.yes:
        return [ask.choices[0].value]
    return [ask.choices[0].value] if said.anything and ask.choices else []


def _fill_choice(about: Request, said: Said, ask: Ask | None) -> None:
    """An answer that picks an order, an item or a variant among those offered."""
    if ask is None or not ask.choices:
        return
    if ask.slot == "order":
        about.orders = _picked(said, ask) or _all(said, ask.choices) or about.orders
    elif ask.slot == "item" and ask.thing is not None:
        ask.thing.item_id = _one_of(said, ask) or ask.thing.item_id
        ask.thing.every = ask.thing.every or says("everything", said.text)
    elif ask.slot == "wish" and ask.thing is not None:
        picked = _one_of(said, ask)
        if picked:
            ask.thing.wishes = [picked]


def _all(said: Said, choices: tuple[Choice, ...]) -> list[str]:
    return [each.value for each in choices] if says("everything", said.text) else []


def _one_of(said: Said, ask: Ask) -> str:
    picked = _picked(said, ask)
    if picked:
        return picked[0]
    variants = [
        {"item_id": each.value, "options": each.options, "price": each.price, "available": True}
        for each in ask.choices
    ]
    found = choose(said.text, variants, None).choices
    return str(found[0]["item_id"]) if len(found) == 1 else ""


def _fill_address(about: Request, source: Request, slot: str) -> None:
    if source.address is not None and about.intent in {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}:
        about.address = (
            _merged(about.address, source.address) if slot == "address" else source.address
        )
        about.address_from = None
    elif source.address_from is not None:
        about.address_from, about.address = source.address_from, None


def _merged(old: Address | None, new: Address) -> Address:
    if old is None or new.address1:
        return new if old is None else replace(new, **{k: getattr(old, k) for k in _missing(new)})
    return replace(
        old, **{k: getattr(new, k) for k in ("address2", "city", "state", "zip") if getattr(new, k)}
    )


def _missing(new: Address) -> list[str]:
    return [key for key in ("city", "state", "zip") if getattr(new, key) is None]


def _fill_things(
    about: Request, source: Request, said: Said, ask: Ask | None, declined: bool
) -> None:
    """Items named in an answer: only these, these too, these instead, or what one becomes."""
    named = [thing for thing in source.things if thing.noun or thing.item_id]
    about.excepted += source.excepted
    about.everything = about.everything or source.everything
    known = [t for t in about.things if any(_alike(t, n) for n in named)]
    if said.only and known and (declined or said.correction):
        for thing in about.things:
            thing.settled = thing.settled or thing not in known
    if about.intent is Intent.SWAP:
        _fill_wishes(about, source, said, ask, named, declined)
    elif named and not known:
        swapped = (declined or said.correction) and not said.also
        about.things = named if swapped else [*about.things, *named]
        about.everything = about.everything and not swapped
    elif ask is not None and ask.slot == "item" and source.things and not known:
        about.things = source.things


def _fill_wishes(
    about: Request, source: Request, said: Said, ask: Ask | None, named: list[Thing], declined: bool
) -> None:
    if ask is not None and ask.slot in {"payment", "order"} and not named:
        return
    new = [n for n in named if not any(_alike(n, t) for t in about.things)]
    for one in named:
        for thing in about.things:
            if _alike(one, thing) and one.wishes:
                _wish(thing, one.wishes[0])
    if new and (ask is None or ask.slot != "wish"):
        if (declined or said.correction) and not said.also and len(about.things) == 1:
            kept = about.things[0].wishes
            about.things = [replace(each, wishes=each.wishes or list(kept)) for each in new]
        else:
            about.things += new
    elif not any(one.wishes for one in named):
        _plain_wish(about, said, ask, declined, named)


def _alike(one: Thing, other: Thing) -> bool:
    return alike(one.noun, other.noun) or bool(one.item_id and one.item_id == other.item_id)


def _plain_wish(
    about: Request, said: Said, ask: Ask | None, declined: bool, named: list[Thing]
) -> None:
    """Words without a new item tell what the item at hand should become."""
    if said.only and named:
        return
    thing = ask.thing if ask is not None else None
    thing = thing or next((t for t in reversed(about.things) if not t.settled), None)
    text = without_circumstances(said.text)
    if thing is None or not text:
        return
    if ask is not None and ask.slot == "item":
        return
    if ask is not None and ask.slot == "wish" and thing.wishes and thing.wishes[0].isdigit():
        return
    _wish(thing, text)


def _wish(thing: Thing, text: str) -> None:
    """A newer wish goes on a line of its own, which overrules the lines before it."""
    thing.wishes = [f"{thing.wishes[0]}\n{text}" if thing.wishes else text, *thing.wishes[1:]]


def inherit(request: Request, before: Request) -> Request:
    """Take from an earlier request what a later one leaves out: which order, which items."""
    if not request.orders and request.which in (None, "same", "other"):
        request.orders = list(before.orders)
        request.which = request.which or before.which
    named = any(thing.noun or thing.item_id for thing in request.things)
    whole = request.everything and request.intent is not Intent.CANCEL
    if (
        not named
        and not whole
        and request.intent not in {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS, Intent.PAYMENT}
    ):
        wishes = [wish for thing in request.things for wish in thing.wishes]
        kept = [
            replace(thing, wishes=[], settled=False)
            for thing in before.things
            if thing.noun or thing.item_id
        ]
        for thing in kept:
            thing.wishes = list(wishes) if request.intent is Intent.SWAP else []
        if kept:
            request.things = kept
            request.everything = request.intent is Intent.CANCEL and "order" in request.text
            return request
        request.everything = before.everything and not kept
    return request
