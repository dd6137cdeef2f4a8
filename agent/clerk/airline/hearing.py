"""Taking in what the customer typed: which request it is about, and which ones it makes."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.airline.choosing import chosen, in_slots, offered
from agent.clerk.airline.filling import as_description
from agent.clerk.airline.language import says
from agent.clerk.airline.locating import points_at
from agent.clerk.airline.open_wishes import OFFERS
from agent.clerk.airline.replying import Reply, left_open, reply_to, tells
from agent.clerk.airline.requests import (
    ABOUT_RESERVATIONS,
    ACTIONS,
    OF_BOOKING,
    OUTCOMES,
    WHETHER,
    WITH_PAYMENT,
    Intent,
    Person,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.revising import revise
from agent.clerk.airline.succeeding import inherit, merged, overlay
from agent.clerk.airline.taking_up import of_own_trip, take_up
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.understanding import asks_something, understand
from agent.clerk.offers import offered_intents
from agent.clerk.quoting import as_typed
from agent.clerk.steps import Ask


def hear(talk: Talk, text: str) -> None:
    """Take in what the customer typed."""
    said = understand(text, talk.today)
    talk.last, talk.unclear, talk.farewell, talk.noted = said, False, False, False
    talk.heard, talk.cut = talk.heard + 1, said.cut
    talk.introducing, talk.introduced = talk.memory.user is None, bool(said.identity.user_ids)
    _notice_ids(talk, said)
    if chosen(talk, said):
        talk.fresh = talk.noted = True
        return
    _let_go(talk, said)
    helped = any(each.intent is Intent.HELP for each in said.requests)
    if talk.introducing or talk.ask is not None:
        said.requests = [each for each in said.requests if each.intent is not Intent.HELP]
    take_up(talk, said)
    about = _addressed(talk, said)
    if said.yes or said.insists:
        talk.unwanted.clear()
    asked = _wondered(said) if about and about.intent in ACTIONS else []
    rest = [*(_answered(talk, about, said) if about else said.requests), *asked]
    talk.fresh = bool(rest)
    unread = [as_typed(each, text) for each in said.unread] if rest else []
    talk.unread = [*(talk.unread if talk.introducing else ()), *unread]
    for request in rest:
        _add(talk, request, said)
    if about is not None and not about.closed and not talk.noted and not talk.declined:
        _postpone(talk, about, rest)
    talk.farewell = said.nothing and not rest and about is None
    if not rest and about is None:
        rest = _alone(talk, said)
    if talk.introducing and not (rest or talk.introduced or helped or {*said.asides} - {"detail"}):
        talk.opening = talk.opening or text
    known = talk.memory.user is not None
    talk.misses = talk.misses % 3 + 1 if talk.unclear and known else 0
    talk.puzzled |= talk.unclear and known
    talk.declined = False


def _alone(talk: Talk, said: Said) -> list[Request]:
    """What a message asks that has no wish of its own and answers nothing."""
    quiet = said.nothing or said.forget or _was_done(talk, said)
    rest = [] if quiet else _opened(talk, said)
    quiet = quiet or talk.introduced or _agrees(said)
    found = None if rest or quiet else offered(talk, said)
    if found is not None:
        _add(talk, found, said)
        rest = [found]
    talk.unclear = not (rest or quiet)
    if talk.unclear and talk.asked_human and said.yes:
        _add(talk, Request(Intent.TRANSFER, said.text), said)
        talk.unclear = False
    return rest


def _let_go(talk: Talk, said: Said) -> None:
    """What is denied lets go of the request at hand, unless it is a detail of a booking."""
    about = talk.about if talk.about is not None and not talk.about.closed else None
    for wish in said.denied:
        of_booking = about is not None and about.intent in WITH_PAYMENT
        if about is not None and of_booking and wish.intent is Intent.CABIN and about.cabin:
            about.cabin, about.cabin_move = "", ""
        elif of_booking and wish.intent in _DETAILS:
            overlay(said.loose, in_slots(wish.text, None, talk, said.typed))
        elif not said.requests:
            said.forget, said.yes = True, False
            said.loose = Request(None, said.loose.text)


_DETAILS = frozenset({Intent.BAGS, Intent.INSURANCE})


def _wondered(said: Said) -> list[Request]:
    """The requests that only ask what would come of something, taken out of a message."""
    found = [each for each in said.requests if WHETHER in each.asks]
    said.requests = [each for each in said.requests if WHETHER not in each.asks]
    return found


def _agrees(said: Said) -> bool:
    """Whether a message says yes to nothing in particular: "ok, great"."""
    return said.yes and "?" not in said.text and not tells(said.loose)


def _was_done(talk: Talk, said: Said) -> bool:
    """Whether a message only names the reservation that was dealt with just now: "the May one"."""
    done = any(each.outcome == "done" for each in talk.requests[-2:])
    known = talk.memory.reservations
    spoken_of = [known[talk.focus]] if talk.focus in known else list(known.values())
    if said.requests or not done or said.loose.trip.empty:
        return False
    alone = not tells(replace(said.loose, trip=Trip()))
    return alone and any(points_at(said.loose.trip, each, talk.memory) for each in spoken_of)


def _postpone(talk: Talk, about: Request, rest: list[Request]) -> None:
    """Let what was asked just now go before a question that the customer has left open."""
    if about.intent not in ACTIONS and rest:
        about.closed, about.outcome = True, "dropped"
    elif any(each.intent in ACTIONS for each in rest):
        talk.requests = [*(each for each in talk.requests if each is not about), about]


def _notice_ids(talk: Talk, said: Said) -> None:
    """Take up user ids; once a customer is known, another id is another customer."""
    ids = said.identity.user_ids
    if talk.memory.user is None:
        talk.user_ids += [each for each in ids if each not in talk.user_ids]
    elif any(each != talk.memory.user_id for each in ids):
        said.requests = [Request(Intent.OTHER_PERSON, said.text)]


def _addressed(talk: Talk, said: Said) -> Request | None:
    """The request that a message answers or corrects, if it does."""
    if talk.about is not None and not talk.about.closed:
        return talk.about
    kept = next((each for each in talk.open if each.intent is None and not each.guesses), None)
    if said.requests and kept:
        if all(left_open(each) for each in said.requests):
            return kept
        kept.closed, kept.outcome = True, "dropped"
    if said.requests or said.nothing or not talk.requests:
        return None
    if talk.open:
        return talk.open[-1] if tells(said.loose) or said.insists else None
    return _reopened(talk, said)


def _reopened(talk: Talk, said: Said) -> Request | None:
    """A remark after the answer ("it's for health reasons") takes up the last request again."""
    last = talk.requests[-1]
    loose = said.loose
    if last.intent in ACTIONS and last.outcome in {"refused", "dropped"}:
        if said.insists or (tells(loose) and not _of_something_else(last, loose)):
            last.closed, last.wait = False, ""
            return last
        return None
    if last.intent in ACTIONS or last.intent not in _REPEATABLE or not tells(loose):
        return None
    if _wants_change(talk, said):
        return None
    again = Request(last.intent, f"{last.text}\n{said.text}", asks=list(last.asks))
    again.trip, again.cabin = last.trip, last.cabin
    again.origin, again.destination = list(last.origin), list(last.destination)
    again.out = last.out
    talk.requests.append(again)
    return again


def _of_something_else(last: Request, told: Request) -> bool:
    """Whether what was told cannot be about a cancellation: bags, a cabin, who flies."""
    other = (told.bags, told.bags_each, told.bags_more, told.cabin or None, told.insurance)
    return last.intent is Intent.CANCEL and any(each is not None for each in other)


def _wants_change(talk: Talk, said: Said) -> bool:
    """Whether another day, time or cabin was named as a wish, not in a question."""
    told = said.loose
    named = not (told.out.empty and told.back.empty) or bool(told.cabin)
    if not (talk.focus and named) or _QUESTION.match(said.text):
        return False
    record = talk.memory.reservations.get(talk.focus, {})
    known = {each["date"] for each in record.get("flights", ())}
    as_it_is = told.out.date in known and replace(told.out, date="").empty and told.back.empty
    return not as_it_is or bool(told.cabin)


_QUESTION = re.compile(
    r"\W*(?:(?:and|so|ok|hm+|well)[\s,.]+)*(?:how|what|when|which|who|is|are|do)\b"
)
_REPEATABLE = frozenset(
    {Intent.STATUS, Intent.RESERVATION, Intent.PAID, Intent.PRICE, Intent.SEARCH, Intent.ALLOWANCE}
)
"""Questions that "and in business?" asks once more."""


def _answered(talk: Talk, about: Request, said: Said) -> list[Request]:
    """Take over what a message tells of the request at hand; gives what it asks besides."""
    ask = talk.ask if about is talk.about else None
    for request in said.requests:
        moves = not (request.out.empty and request.back.empty)
        if about.intent is Intent.FLIGHTS and request.intent is Intent.PRICE and moves:
            request.intent = Intent.FLIGHTS
    _read_as_details(talk, about, said, ask)
    reply: Reply = reply_to(about, said, ask, talk.declined)
    talk.noted = revise(about, reply, said, ask, talk.declined)
    if talk.declined and said.also and reply.rest and not about.closed:
        about.wait = ""
        talk.unwanted.clear()
    for request in reply.rest:
        if request.intent in OUTCOMES and (ask is not None or talk.declined):
            request.wait = "now"
            named = about.intent is None or about.intent in ABOUT_RESERVATIONS
            if named and left_open(request):
                request.trip, told = replace(about.trip), request.trip.cabin
                request.cabin = request.cabin or told
        if about.intent is None and request.intent in ABOUT_RESERVATIONS and left_open(request):
            request.trip = replace(about.trip)
        if about.intent is Intent.BOOK:
            _of_the_booking(about, request)
    return reply.rest


def _read_as_details(talk: Talk, about: Request, said: Said, ask: Ask | None) -> None:
    """Beside an open question, what sounds like a question and asks nothing is its answer."""
    if ask is None and not talk.declined:
        return
    for request in [*said.requests]:
        if request.intent is Intent.PASSENGERS and about.intent is Intent.BOOK:
            said.requests = [each for each in said.requests if each is not request]
            overlay(said.loose, in_slots(request.text, None, talk, said.typed))
        elif request.intent in ACTIONS | _NEVER_DETAILS or asks_something(request.text, said.text):
            continue
        else:
            told = in_slots(request.text, None, talk, said.typed)
            if tells(told):
                said.requests = [each for each in said.requests if each is not request]
                overlay(said.loose, told)


_NEVER_DETAILS = frozenset({Intent.TRANSFER, Intent.OUT_OF_SCOPE, Intent.COMPLAINT})


def _of_the_booking(about: Request, request: Request) -> None:
    """Read "what does business cost?" while a flight is being booked as a question about that."""
    if not replace(request.trip, which="", cabin="", flight_type="").empty:
        return
    about.flight_type = about.flight_type or request.trip.flight_type
    if request.intent is Intent.ALLOWANCE:
        request.cabin, request.asks = request.cabin or about.cabin, [OF_BOOKING]
    asks_flights = request.intent is Intent.RESERVATION and {*request.asks} & _OF_FLIGHTS
    if request.intent not in {Intent.PRICE, Intent.SEARCH} and not asks_flights:
        return
    if request.origin or request.destination or not about.origin:
        return
    request.intent, request.trip = Intent.SEARCH, Trip()
    request.origin, request.destination = list(about.origin), list(about.destination)
    request.out = merged(replace(about.out, numbers=[]), request.out)
    request.cabin, request.count = request.cabin or about.cabin, about.count


_OF_FLIGHTS = frozenset({"duration", "times", "seats", "price"})


def _add(talk: Talk, request: Request, said: Said) -> None:
    """Put a request on the list, with the reservation that was spoken of where it points there."""
    request.made = talk.heard
    if request.intent is Intent.TRANSFER:
        alone = all(each.intent is Intent.TRANSFER for each in said.requests)
        request.wait = ("at once" if alone else "insisted") if _may_hand_over(talk) else ""
        talk.asked_human = True
    of_own_trip(request)
    acts = any(each.intent in WITH_PAYMENT for each in said.requests)
    about_change = request.intent in {Intent.PRICE, Intent.PAID} and not request.cabin
    if about_change and acts and left_open(request):
        request.intent = Intent.OUTCOME
    _resolve(talk, request)
    if request.intent is Intent.BOOK and says("for_others", request.text):
        request.people = request.people or _others_before(talk)
    if request.intent is Intent.CANCEL and not request.reason:
        request.reason = _reason_before(talk, request)
    talk.requests.append(request)


def _others_before(talk: Talk) -> list[Person]:
    """Who was to come along, or to be taken out, before: "then book him a seat"."""
    last = talk.requests[-1] if talk.requests else Request(None)
    known = [each for each in (*last.adding, *last.removing) if each.first or each.relation]
    return known or [Person(relation="companion")]


def _reason_before(talk: Talk, request: Request) -> str:
    """The reason that was given when the same reservation was to be cancelled before."""
    before = (each for each in reversed(talk.requests) if each.intent is Intent.CANCEL)
    ids = set(request.trip.ids)
    return next((each.reason for each in before if set(each.trip.ids) <= ids), "")


def _opened(talk: Talk, said: Said) -> list[Request]:
    """What was named without a verb: a route is to be booked, another day is a change."""
    loose = said.loose
    request = Request(None, said.typed)
    overlay(request, loose)
    if loose.origin and loose.destination:
        request.intent = Intent.SEARCH if "?" in said.text else Intent.BOOK
    elif not talk.focus and loose.out.around == "same" and loose.out.date:
        request.intent = Intent.FLIGHTS
    elif _wants_change(talk, said):
        legs = not (loose.out.empty and loose.back.empty)
        request.intent = Intent.FLIGHTS if legs else Intent.CABIN
    elif talk.memory.user is None:
        as_description(loose, keep_wishes=False)
        request.trip = loose.trip
        if loose.trip.empty:
            return []
    elif loose.trip.empty:
        return []
    if request.intent is None and said.unsure:
        request.guesses = offered_intents(said.unsure[0].guesses, OFFERS)
    _add(talk, request, said)
    return [request]


def _may_hand_over(talk: Talk) -> bool:
    """Whether a wish for a human was repeated, and not merely made because of a refusal."""
    refused = any(each.outcome == "refused" for each in talk.requests)
    return not refused and (talk.asked_human or talk.puzzled)


def _resolve(talk: Talk, request: Request) -> None:
    """Read "cancel it", "and my bags there?": the reservation that was spoken of before."""
    told = request.trip
    if OF_BOOKING in request.asks:
        return
    if request.intent not in ABOUT_RESERVATIONS | {Intent.PRICE, Intent.OUTCOME}:
        return
    if told.which == "same" and talk.focus:
        told.ids, told.which = [talk.focus], ""
        return
    earlier = [each for each in talk.requests if each.intent in ABOUT_RESERVATIONS]
    if told.empty and talk.focus and talk.memory.user is not None:
        told.ids = [talk.focus]
    elif earlier and left_open(request):
        inherit(request, earlier[-1])
