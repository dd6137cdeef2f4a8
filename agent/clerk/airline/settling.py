"""What can only be told of a message's requests when all of it was read."""

from __future__ import annotations

from itertools import pairwise

from agent.clerk.airline.filling import as_description, fill
from agent.clerk.airline.language import says
from agent.clerk.airline.requests import Intent, Request
from agent.clerk.airline.slots.details import says_where


def settled(requests: list[Request], loose: Request) -> tuple[list[Request], Request]:
    """The requests of a message, and the details that belong to none of them."""
    only_asks = all(each.intent is Intent.HELP for each in requests)
    if only_asks and _unspoken(loose) is not None:
        loose.intent = _unspoken(loose)
        requests, loose = [loose], Request(None, loose.text)
    requests = _with_complaints_joined(_with_calling_off_joined(requests))
    if any(each.intent is Intent.FLIGHTS for each in requests):
        requests = [each for each in requests if not _asks_what_now(each)]
    requests = _priced(_without_what_follows(requests))
    if any(each.intent is Intent.COMPENSATION for each in requests):
        requests = [each for each in requests if each.intent is not Intent.OUT_OF_SCOPE]
    _share_reason(requests)
    return requests, loose


def _unspoken(loose: Request) -> Intent | None:
    """What details ask for that come without a verb.

    "Seattle to Orlando, one way, 21 May" is a booking; "my trip to Dallas: the cheapest flight the
    day after" is a change.
    """
    named = loose.reason or not loose.trip.empty or loose.destination
    if says("not_going", loose.text) and named:
        as_description(loose, keep_wishes=False)
        return Intent.CANCEL
    wished = loose.out.date or loose.flight_type or loose.count
    if loose.trip.empty:
        return Intent.BOOK if loose.origin and loose.destination and wished else None
    moved = says_where(loose.out) and (not loose.out.date or loose.trip.dates)
    return Intent.FLIGHTS if moved and not loose.origin else None


def _with_calling_off_joined(requests: list[Request]) -> list[Request]:
    """Read "you cancelled my flight, so cancel the reservation": one tells why the other."""
    kept = list(requests)
    for one, other in pairwise(requests):
        told, asked = (one, other) if one.intent is Intent.COMPLAINT else (other, one)
        called_off = told.intent is Intent.COMPLAINT and told.complaint == "cancelled"
        if called_off and asked.intent is Intent.CANCEL:
            fill(asked, Request(None, told.text, told.trip, reason="airline cancelled"))
            kept = [each for each in kept if each is not told]
    return kept


def _priced(requests: list[Request]) -> list[Request]:
    """Read "business for all of us, how much?", without a verb, as a question for the price."""
    if len(requests) != _WITH_PRICE or requests[0].intent is not Intent.CABIN:
        return requests
    wished, asked = requests
    bare = asked.intent in {Intent.OUTCOME, Intent.PRICE} and not asked.cabin
    if not (bare and wished.cabin) or says("moving", wished.text) or "grad" in wished.text:
        return requests
    wished.intent = Intent.PRICE
    return [wished]


_WITH_PRICE = 2


def _without_what_follows(requests: list[Request]) -> list[Request]:
    """Read "what if I upgrade to economy, can you change it then?" as a question of the first."""
    if not requests or requests[0].intent is not Intent.PRICE or not requests[0].cabin:
        return requests
    first, *rest = requests
    asked = "if" in first.text.split()
    return [first, *(each for each in rest if not (asked and says("hypothetical", each.text)))]


def _with_complaints_joined(requests: list[Request]) -> list[Request]:
    """A delay that is told of and what is asked for it are one request."""
    if any(each.intent is Intent.COMPLAINT for each in requests):
        requests = [each for each in requests if not _asks_what_now(each)]
    asked = next((each for each in requests if each.intent is Intent.COMPENSATION), None)
    if asked is None:
        return requests
    for each in requests:
        if each.intent is Intent.COMPLAINT:
            fill(asked, each)
    return [each for each in requests if each.intent is not Intent.COMPLAINT]


def _asks_what_now(request: Request) -> bool:
    """Whether it only asks what can be done: "what are my options?"."""
    named = request.origin or request.destination or not request.trip.empty
    return request.intent is Intent.HELP or (request.intent is Intent.SEARCH and not named)


def _share_reason(requests: list[Request]) -> None:
    """A reason said once holds for every cancellation of the message."""
    reason = next((each.reason for each in requests if each.reason), "")
    for request in requests:
        if request.intent is Intent.CANCEL:
            request.reason = request.reason or reason
