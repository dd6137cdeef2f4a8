"""What a customer's answer or correction does to the request it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent.clerk.retail.address import Address, address
from agent.clerk.retail.language import alike, says
from agent.clerk.retail.mentions import without_circumstances
from agent.clerk.retail.options import choose
from agent.clerk.retail.replying import Reply
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said, Thing
from agent.clerk.steps import Ask


def revise(about: Request, reply: Reply, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Fold a reply into the request at hand; True where it told more than what is wanted."""
    details = reply.details
    if reply.replaced:
        about.closed, about.outcome = True, "dropped"
        inherit(reply.rest[0], about)
        return True
    if _given_up(details, said, ask, declined):
        about.closed, about.outcome = True, "dropped"
        return True
    before, plain = repr(about), repr(_without_wishes(about))
    _fill(about, reply, said, ask, declined)
    changed = repr(about) != before
    if details.excepted and _nothing_left(about):
        about.closed, about.outcome = True, "dropped"
        return True
    if changed or _has_details(details) or (said.yes and ask is not None and not ask.choices):
        about.wait = ""
    about.otherwise += details.otherwise
    about.give_up = about.give_up or details.give_up
    if said.nothing and not changed and not said.yes and ask and about.intent in ACTIONS:
        about.closed, about.outcome = True, "dropped"
    return about.closed or repr(_without_wishes(about)) != plain


def _given_up(details: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Whether the customer drops the request, in so many words or by a plain no to "or not?"."""
    if _has_details(details):
        return False
    offered = declined or (ask is not None and ask.slot in {"revise", "intent"})
    return said.forget or (offered and said.nothing and not said.yes)


def _nothing_left(about: Request) -> bool:
    """Whether every item that was to be changed is kept as it is after all."""
    kept = bool(about.things) and all(each.settled for each in about.things)
    return kept and not (about.everything or about.written)


def _without_wishes(request: Request) -> Request:
    return replace(request, things=[replace(each, wishes=[]) for each in request.things])


def _has_details(source: Request) -> bool:
    return bool(
        source.orders
        or source.things
        or source.excepted
        or source.payments
        or source.address
        or source.address_from
        or source.reason
    )


def _fill(about: Request, reply: Reply, said: Said, ask: Ask | None, declined: bool) -> None:
    """Take over what the message tells of the request."""
    details, slot = reply.details, ask.slot if ask else ""
    picked = _pick(about, reply, said, ask)
    if details.payments:
        about.payments = list(details.payments)
    refused = about.reason == "other" and slot == "reason"
    if refused and (said.no or details.reason in (None, "other")):
        about.reason = "none"
    elif details.reason:
        about.reason = details.reason
    elif slot == "reason" and said.no:
        about.reason = "other"
    elif slot == "reason" and reply.ordinals:
        about.reason = "no longer needed" if reply.ordinals[0] == 1 else "ordered by mistake"
    _fill_order(about, details, slot, corrects=declined or said.correction)
    if slot == "address" and details.address is None and not details.address_from:
        details.address = address(reply.text, partly=True)
    _fill_address(about, details, slot)
    _fill_things(about, reply, said, ask if not picked else None, declined)
    only_kept = bool(details.excepted) and not details.things
    if about.intent in (None, Intent.SWAP) and not (picked or only_kept):
        _fill_wishes(about, reply, said, ask, declined)


def _fill_order(about: Request, details: Request, slot: str, *, corrects: bool) -> None:
    if details.orders and slot != "wish":
        about.orders, about.which = list(details.orders), None
    elif details.which == "other":
        about.orders, about.which = [], None
    elif details.which and (slot in {"order", "revise"} or corrects):
        about.which = details.which
        about.orders = [] if details.which in {"all", "last", "first"} else about.orders


def _pick(about: Request, reply: Reply, said: Said, ask: Ask | None) -> bool:
    """Take one of the choices that were offered; True where an item or variant was picked."""
    if ask is None or not ask.choices:
        return False
    if ask.slot == "payment" and not reply.details.payments:
        about.payments = _by_number(reply, said, ask) or about.payments
    elif ask.slot == "order":
        every = [each.value for each in ask.choices] if says("everything", reply.text) else []
        about.orders = _by_number(reply, said, ask) or every or about.orders
    elif ask.slot == "item" and ask.thing is not None:
        ask.thing.item_id = _one_of(reply, said, ask) or ask.thing.item_id
        ask.thing.every = ask.thing.every or says("everything", reply.text)
        return bool(ask.thing.item_id or ask.thing.every)
    elif ask.slot == "wish" and ask.thing is not None:
        picked = _one_of(reply, said, ask)
        if picked:
            _wish(ask.thing, picked)
        return bool(picked)
    return False


def _by_number(reply: Reply, said: Said, ask: Ask) -> list[str]:
    """The choice that was meant by its number, or by a plain yes where there is one only."""
    for number in reply.ordinals:
        place = number - 1 if number > 0 else len(ask.choices) - 1
        if place < len(ask.choices):
            return [ask.choices[place].value]
    if len(ask.choices) == 1 and said.yes:
        return [ask.choices[0].value]
    return [ask.choices[0].value] if said.anything and ask.choices else []


def _one_of(reply: Reply, said: Said, ask: Ask) -> str:
    """The choice that the words describe, where they describe exactly one."""
    picked = _by_number(reply, said, ask)
    if picked:
        return picked[0]
    variants: list[Mapping[str, Any]] = [
        {"item_id": each.value, "options": each.options, "price": each.price, "available": True}
        for each in ask.choices
    ]
    found = choose(reply.text, variants, None).choices
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


def _fill_things(about: Request, reply: Reply, said: Said, ask: Ask | None, declined: bool) -> None:
    """Items named in an answer: only these, these too, or these instead."""
    details, corrects = reply.details, declined or said.correction
    named = [thing for thing in details.things if thing.noun or thing.item_id]
    about.excepted += details.excepted
    about.everything = about.everything or details.everything
    for thing in about.things:
        kept = any(_alike(thing, each) for each in details.excepted)
        thing.settled = thing.settled or kept
    known = [t for t in about.things if any(_alike(t, n) for n in named)]
    if said.only and known and corrects:
        for thing in about.things:
            thing.settled = thing.settled or thing not in known
    elif named and not known and about.intent not in (None, Intent.SWAP):
        about.things = named if corrects and not said.also else [*about.things, *named]
        about.everything = about.everything and not (corrects and not said.also)
    elif ask is not None and ask.slot == "item" and details.things and not known:
        about.things = details.things


def _fill_wishes(about: Request, reply: Reply, said: Said, ask: Ask | None, declined: bool) -> None:
    """What the items of a swap should become, and items to swap that were not named before."""
    named = [thing for thing in reply.details.things if thing.noun or thing.item_id]
    if ask is not None and ask.slot in {"payment", "order"} and not _speaks_of_items(reply, said):
        return
    new = [n for n in named if not any(_alike(n, t) for t in about.things)]
    for one in named:
        for thing in about.things:
            if _alike(one, thing) and one.wishes:
                _wish(thing, f"{one.words} {one.wishes[0]}".strip())
    if new and (ask is None or ask.slot != "wish" or any(each.wishes for each in new)):
        _more_items(about, new, swapped=(declined or said.correction) and not said.also)
    elif not any(one.wishes for one in named) and not (said.only and named):
        _plain_wish(about, reply, ask)


def _speaks_of_items(reply: Reply, said: Said) -> bool:
    bare = said.yes or said.anything or said.nothing or reply.details.payments or reply.ordinals
    return bool(said.correction or reply.details.things or not bare)


def _more_items(about: Request, new: list[Thing], *, swapped: bool) -> None:
    if swapped and len(about.things) == 1:
        kept = about.things[0].wishes
        about.things = [replace(each, wishes=each.wishes or list(kept)) for each in new]
    else:
        about.things += new


def _alike(one: Thing, other: Thing) -> bool:
    return alike(one.noun, other.noun) or bool(one.item_id and one.item_id == other.item_id)


def _plain_wish(about: Request, reply: Reply, ask: Ask | None) -> None:
    """Words without a new item tell what the item at hand should become."""
    thing = ask.thing if ask is not None else None
    thing = thing or next((t for t in reversed(about.things) if not t.settled), None)
    lines = [without_circumstances(line) for line in reply.text.split("\n")]
    text = "\n".join(line for line in lines if line)
    if thing is None:
        return
    meant = [t for t in about.things if not t.settled] if says("for_all", text) else [thing]
    for each in meant if text else ():
        _wish(each, text)
    thing.wishes += reply.details.fallbacks


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
