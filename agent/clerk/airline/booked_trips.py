"""What sounds like a wish for a booking, but is said of a trip that is booked already."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import NOT
from agent.clerk.understanding.parsed_message import ParsedRequest

OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""Intents of changes that may be details of the current booking instead."""

_FIRST = 6
"""In how many words a sentence begins to tell of a booking; later ones tell of a hotel."""


def tells_of_booking(said: ParsedSentence) -> bool:
    """Whether a sentence says that a trip is booked: "I booked …", "change a booking"."""
    said = said.beginning(_FIRST)
    changed = said.has_phrase_of("changes") and said.has_phrase_of("a reservation")
    return changed or said.has_phrase_of("has a booking", "wants no booking")


def without_known_bookings(
    wishes: list[ParsedRequest], parse: Callable[[str], ParsedSentence]
) -> list[ParsedRequest]:
    """The requests; what says that there is a booking already wants no new one.

    It tells of what is changed or cancelled beside it, or else asks for a change itself.
    """
    bookings = [each for each in wishes if each.intent == "book_flight"]
    told = [each for each in bookings if tells_of_booking(parse(each.text))]
    rest = [each for each in wishes if each not in told]
    acts = [e for e in rest if e.intent in OF_A_BOOKING or e.intent == "cancel_reservation"]
    for wish in told:
        if acts:
            acts[0].text = f"{wish.text} . {acts[0].text}"
        elif parse(wish.text).has_phrase_of("changes"):
            wish.become("change_flights")
    return rest if acts else wishes


def moves_cabin(said: ParsedSentence) -> bool:
    """Whether a sentence without a word for booking names an old cabin and a new one."""
    both = len({each.value for each in said.cabins}) > 1 and said.has_phrase("to", "into")
    return both and "or" not in said.words and not said.has_phrase_of("books")


def moves_day(said: ParsedSentence) -> bool:
    """Whether a sentence without a word for booking names an old day and a new one.

    "I'd like to go to Orlando on Monday rather than Sunday": a new booking has no old day.
    """
    old = {each.value for each in said.days if each.role == NOT}
    new = {each.value for each in said.days if each.role != NOT}
    return bool(old and new) and not said.has_phrase_of("books")


def names_booked_trip(
    wish: ParsedRequest, said: ParsedSentence, cabins: Sequence[ParsedSentence]
) -> bool:
    """Whether what sounds like a booking names the trip whose cabin is changed beside it.

    "Denver to Phoenix on May 25. Business to economy": a new booking has no old cabin.
    """
    moved = any(moves_cabin(each) or each.has_phrase_of("moves cabin") for each in cabins)
    return wish.intent == "book_flight" and moved and not said.has_phrase_of("books")
