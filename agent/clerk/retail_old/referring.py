"""What a message refers back to: the open question, the last answer, "it" and "that order"."""

from __future__ import annotations

from agent.clerk.retail.language import pattern, says
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said
from agent.clerk.retail.revising import inherit
from agent.clerk.retail.talk import ABOUT_ORDERS, ABOUT_PRODUCTS, Talk
from agent.clerk.retail.values import space, values_in


def addressed(talk: Talk, said: Said) -> Request | None:
    """The request that a message answers or corrects, if it does."""
    if talk.about is not None and not talk.about.closed:
        return talk.about
    return _reopened(talk, said)


def _reopened(talk: Talk, said: Said) -> Request | None:
    """A remark after the answer ("and the other order?") takes up the last request again."""
    loose = said.loose
    if said.requests or not talk.requests or said.nothing:
        return None
    dropped = talk.requests[-1].outcome == "dropped" and not talk.open
    if dropped and pattern("after_all").search(said.text):
        talk.requests[-1].closed, talk.requests[-1].wait = False, ""
        return talk.requests[-1]
    further = pattern("further").match(said.text) or _names_option(talk, said)
    if further and not talk.open:
        return _asked_again(talk, said)
    if not (
        loose.orders
        or loose.things
        or loose.reason
        or loose.payments
        or loose.which
        or loose.address
    ):
        return None
    last = talk.requests[-1] if talk.requests[-1].intent in ACTIONS | ABOUT_ORDERS else None
    if last is not None and (not last.closed or last.outcome == "done"):
        last = None
    if last is not None and last.intent not in ACTIONS and not (loose.orders or loose.things):
        return None
    if talk.open or last is None:
        return talk.open[-1] if talk.open else None
    last.closed = False
    return last


def _names_option(talk: Talk, said: Said) -> bool:
    """Whether an option of a product is named right after a question about that product."""
    if talk.requests[-1].intent not in ABOUT_PRODUCTS:
        return False
    products = talk.memory.products.values()
    return any(values_in(said.text, space(p["variants"].values())) for p in products)


def _asked_again(talk: Talk, said: Said) -> Request | None:
    """Read "and with a screw lid?": the last question once more, with what is different now."""
    last = next((r for r in reversed(talk.requests) if r.intent not in ACTIONS), None)
    if last is None or last.intent in {Intent.TRANSFER, Intent.ADVICE}:
        return None
    loose = said.loose
    again = Request(
        last.intent,
        f"{last.text}\n{said.text}",
        loose.orders or list(last.orders),
        loose.which or (None if loose.orders else last.which),
        loose.status or last.status,
        loose.things or list(last.things),
    )
    talk.requests.append(again)
    return again


def resolve_pronouns(talk: Talk, request: Request) -> None:
    """Read "return it", "that order": what the message or the conversation spoke of before."""
    if (
        request.intent not in ACTIONS | ABOUT_ORDERS
        or request.orders
        or request.which not in (None, "same")
    ):
        return
    named = any(thing.noun or thing.item_id for thing in request.things)
    pointed = says("pointing", request.text)
    if talk.focus and pointed and (request.which == "same" or not named):
        request.orders = [talk.focus]
        if "order" in request.text or request.intent not in ACTIONS:
            return
    before = talk.requests[-1] if talk.requests else None
    asks = request.intent in ABOUT_ORDERS and not pointed
    over = before is not None and before.outcome == "done" and not pointed
    if before is not None and not (asks or named or over or request.everything):
        inherit(request, before)
