"""What sounds like a wish for a booking, but is said of a trip that is booked already."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import FROM, NOT, TO, phrases, words_of
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest

Parse = Callable[[str], ParsedSentence]

OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""Intents of changes that may be details of the current booking instead."""

_FIRST = 6
"""In how many words a sentence begins to tell of a booking; later ones tell of a hotel."""


def tells_of_booking(said: ParsedSentence) -> bool:
    """Whether a sentence says that a trip is booked: "I booked …", "change a booking"."""
    changed = said.has_phrase_of("changes") and said.has_phrase_of("a reservation")
    told = [at for each in phrases("has a booking") if (at := said.find(each)) >= 0]
    begins = min(told, default=_FIRST) < _FIRST
    return changed or begins or said.has_phrase_of("wants no booking")


def without_known_bookings(wishes: list[ParsedRequest], parse: Parse) -> list[ParsedRequest]:
    """The requests; what says that there is a booking already wants no new one.

    It tells of what is changed or cancelled beside it, or else asks for a change itself. So does
    "Denver to Phoenix on May 25. Business to economy": a new booking has no old cabin.
    """
    acts = [e for e in wishes if e.intent in OF_A_BOOKING or e.intent == "cancel_reservation"]
    cabins = [parse(each.text) for each in acts if each.intent == "change_cabin"]
    moved = any(len(each.cabins) > 1 or each.has_phrase_of("moves cabin") for each in cabins)
    rest: list[ParsedRequest] = []
    for wish in wishes:
        said = parse(wish.text)
        known = tells_of_booking(said) or (moved and not said.has_phrase_of("books"))
        if wish.intent == "book_flight" and known and acts:
            acts[0].text = f"{wish.text} . {acts[0].text}"
            continue
        if wish.intent == "book_flight" and known and said.has_phrase_of("changes"):
            wish.become("change_flights")
        rest.append(wish)
    return rest


def without_same_flights(
    wishes: list[ParsedRequest], message: ParsedMessage, parse: Parse
) -> list[ParsedRequest]:
    """The requests; who wants "the same flights" changes none, nor books any beside a change."""
    others = [each for each in wishes if not _keeps_flights(each, parse)]
    acts = any(each.intent in OF_A_BOOKING and each.modality == "meant" for each in others)
    for wish in wishes:
        if acts and wish not in others:
            message.detail_sentences.append(wish.text)
        elif wish not in others and wish.intent == "change_flights":
            wish.modality = "denied"
    return others if acts else wishes


def _keeps_flights(wish: ParsedRequest, parse: Parse) -> bool:
    said = parse(wish.text)
    same = said.has_phrase("same flight", "same flights") and "as" not in said.words
    told = said.places or said.days or said.cabins or "?" in said.words
    travels = wish.intent in {"book_flight", "change_flights"} and wish.modality == "meant"
    return travels and same and not told and read_flight_slots(said).shift is None


def with_own_ticket(wishes: list[ParsedRequest], said: ParsedSentence) -> list[ParsedRequest]:
    """The requests; who comes along "on his own ticket" is booked, and joins no reservation."""
    places = [at for each in phrases("ticket apart") if (at := said.find(each)) >= 0]
    own = [e for e in wishes if e.intent in {"book_flight", "change_passengers"}]
    own = [each for each in own if each.modality == "meant"]
    if not own or all(words_of("denials") & {*said.before(at, 4)} for at in places):
        return wishes
    own[0].text = " . ".join(each.text for each in own)
    own[0].become("book_flight")
    return [each for each in wishes if each not in own[1:]]


def with_one_booking(
    wishes: list[ParsedRequest], message: ParsedMessage, parse: Parse
) -> list[ParsedRequest]:
    """The requests without those that only say more of a booking: "business if it's cheap"."""
    bookings = [e for e in wishes if e.intent == "book_flight" and e.modality == "meant"]
    more = [each for each in bookings[1:] if not parse(each.text).places]
    message.detail_sentences += (each.text for each in more)
    return [each for each in wishes if not any(each is one for one in more)]


def moves_day(said: ParsedSentence) -> bool:
    """Whether a sentence without a word for booking or a whole route names an old and a new day.

    "I want to fly to Orlando on Monday, not Sunday": a new booking has no old day.
    """
    old = {each.value for each in said.days if each.role == NOT}
    new = {each.value for each in said.days if each.role != NOT}
    booking = said.has_phrase_of("books") or {FROM, TO} <= {each.role for each in said.places}
    return bool(old and new) and not booking


def moves_time(said: ParsedSentence) -> bool:
    """Whether a sentence states a time by the booked one: "anything after lunch that day works"."""
    slots = read_flight_slots(said)
    measured = slots.shift is not None or slots.relative
    return bool(measured) and not said.places and not said.text.endswith("?")
