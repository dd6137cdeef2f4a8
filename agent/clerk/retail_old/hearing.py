"""Taking in what the customer typed: which request it is about, and which ones it makes."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.openings import says_something
from agent.clerk.retail.language import LANGUAGE, meanings, means, pattern
from agent.clerk.retail.referring import addressed, resolve_pronouns
from agent.clerk.retail.replying import reply_to
from agent.clerk.retail.requests import OUTCOMES, Intent, Request, Said, Thing
from agent.clerk.retail.revising import revise
from agent.clerk.retail.talk import ABOUT_PRODUCTS, Talk
from agent.clerk.retail.understanding import understand

_MERGED = {Intent.SWAP, Intent.RETURN}


def hear(talk: Talk, text: str) -> None:
    """Take in what the customer typed."""
    said = understand(text, talk.names)
    talk.last, talk.unclear, talk.farewell, talk.noted = said, False, False, False
    talk.heard, talk.cut = talk.heard + 1, said.cut
    talk.introducing, talk.introduced = talk.memory.user is None, _only_who(said)
    _notice_others(talk, said)
    talk.identity.add(said.identity)
    if talk.second_customer:
        said.requests = [Request(Intent.OTHER_PERSON, said.text)]
    about = addressed(talk, said)
    if said.yes or pattern("after_all").search(said.text):
        talk.unwanted.clear()
    rest = _answered(talk, about, said) if about else said.requests
    talk.fresh = bool(rest)
    for request in rest:
        _add(talk, request, said)
    talk.farewell = said.nothing and not rest and about is None
    talk.unclear = not rest and about is None and not said.nothing and not said.forget
    if talk.unclear and (said.loose.things or said.loose.orders):
        _open_topic(talk, said)
    if talk.unclear and talk.asked_human and said.yes:
        _add(talk, Request(Intent.TRANSFER, said.text), said)
    if talk.introducing and talk.unclear and not talk.opening:
        talk.opening = text if says_something(said.text, said.identity, LANGUAGE) else ""
    talk.misses = talk.misses % 3 + 1 if talk.unclear and talk.memory.user is not None else 0
    talk.puzzled |= talk.unclear and talk.memory.user is not None and not _only_who(said)
    talk.declined = False


def _answered(talk: Talk, about: Request, said: Said) -> list[Request]:
    """Take over what a message tells of the request at hand; gives what it asks besides."""
    ask = talk.ask if about is talk.about else None
    if ask is not None and ask.slot == "either":
        return _choose_one(talk, said)
    said.loose.things = [each for each in said.loose.things if _can_be_mine(talk, each)]
    reply = reply_to(about, said, ask, talk.declined, talk.names)
    talk.noted = revise(about, reply, said, ask, talk.declined)
    if talk.declined and said.also and reply.rest and not about.closed:
        about.wait = ""
        talk.unwanted.clear()
    for request in reply.rest:
        if request.intent in OUTCOMES and ask is not None:
            request.wait = "now"
        if request.intent in ABOUT_PRODUCTS and ask is not None and ask.thing is not None:
            request.things = request.things or [replace(ask.thing, wishes=[])]
    return reply.rest


def _choose_one(talk: Talk, said: Said) -> list[Request]:
    """Of a return and an exchange that rule each other out, one is kept."""
    kept = next((i for i in (Intent.RETURN, Intent.SWAP) if i in _chosen(talk, said)), None)
    for request in talk.open:
        if request.intent in _MERGED and kept is not None and request.intent is not kept:
            request.closed, request.outcome = True, "dropped"
    if kept is None and (said.forget or said.nothing):
        for request in talk.open:
            request.closed, request.outcome = True, "dropped"
    return [each for each in said.requests if each.intent not in _MERGED]


def _chosen(talk: Talk, said: Said) -> set[Intent | None]:
    found = {each.intent for each in said.requests} & _MERGED
    return found or {Intent(each) for each in meanings("either", said.text)}


def _can_be_mine(talk: Talk, thing: Thing) -> bool:
    """Whether the customer may have such an item, as far as their orders were read."""
    orders = talk.memory.orders
    if not thing.noun or any(each not in orders for each in talk.memory.order_ids):
        return True
    return any(means(thing.noun, each["name"]) for o in orders.values() for each in o["items"])


def _notice_others(talk: Talk, said: Said) -> None:
    """Once a customer is known, another e-mail address is another customer."""
    user = talk.memory.user
    if user is None:
        return
    mine = str(user.get("email", "")).lower()
    talk.second_customer = any(
        email != mine and email not in talk.identity.emails for email in said.identity.emails
    )


def _add(talk: Talk, request: Request, said: Said) -> None:
    """Put a request on the list; items to swap or return go to one already there."""
    if request.intent is Intent.TRANSFER:
        insisted = talk.asked_human or _stuck(talk)
        alone = all(each.intent is Intent.TRANSFER for each in said.requests)
        request.wait = ("at once" if alone else "insisted") if insisted else ""
        talk.asked_human = True
    resolve_pronouns(talk, request)
    before = talk.requests[-1].intent if talk.requests else None
    if request.intent is Intent.ORDER_ADDRESS and before is Intent.PROFILE:
        request.intent = request.intent if "order" in request.text else Intent.USER_ADDRESS
    for other in talk.open:
        if (
            other.intent is request.intent
            and request.intent in _MERGED
            and _joinable(other, request)
        ):
            other.things += [t for t in request.things if t.wishes or not _known(t, other)]
            other.payments = other.payments or request.payments
            other.orders += [each for each in request.orders if each not in other.orders]
            other.otherwise += request.otherwise
            return
    talk.requests.append(request)


def _stuck(talk: Talk) -> bool:
    return talk.puzzled or any(each.outcome == "refused" for each in talk.requests)


def _open_topic(talk: Talk, said: Said) -> None:
    """An item or order was named and nothing asked: what about it comes next."""
    topic = replace(said.loose, intent=None, text=said.aside)
    for thing in topic.things:
        thing.wishes = []
    talk.requests.append(topic)
    talk.unclear = False


def _known(thing: Thing, request: Request) -> bool:
    return any(thing.noun == t.noun and thing.item_id == t.item_id for t in request.things)


def _only_who(said: Said) -> bool:
    return bool(said.identity.emails or said.identity.names or said.identity.zips)


def _joinable(one: Request, other: Request) -> bool:
    if other.status is not None and other.status != one.status:
        return False
    return not one.orders or not other.orders or one.orders == other.orders
