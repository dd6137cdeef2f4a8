"""Answers to a question, read in the light of the slot that was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.clerk.airline.language import LANGUAGE, says
from agent.clerk.airline.language import number as number_of
from agent.clerk.airline.payment_answers import paid
from agent.clerk.airline.picking import by_order, picked
from agent.clerk.airline.replying import tells
from agent.clerk.airline.requests import (
    Intent,
    Leg,
    Person,
    Rename,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.slots.bags import further
from agent.clerk.airline.slots.times import leg
from agent.clerk.airline.succeeding import merged
from agent.clerk.airline.wording import shifted
from agent.clerk.steps import Ask
from agent.clerk.understanding.picking import picked as picked_place


def _flight(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """One of the flights that were offered, by number, by time, or by what it is called."""
    back = ask.slot.startswith("back")
    told = as_leg(details)
    both = said.text and says("both_legs", said.text) and not details.back.empty
    other = replace(details.back, wanted=False) if both else Leg()
    told = leg(said.text) if told.empty else told
    details.out, details.back = Leg(), Leg()
    choice = picked(said, ask) or by_order(said, ask) if told.empty else None
    if choice is not None:
        told = Leg(numbers=choice.value.split(), date=str(choice.options.get("date", "")))
    if told.numbers:
        offered = [each for each in ask.choices if set(told.numbers) & set(each.value.split())]
        if offered:
            told.numbers = offered[0].value.split()
            told.date = told.date or str(offered[0].options.get("date", ""))
    _put(about, back, told)
    _put(about, not back, other)


def as_leg(details: Request) -> Leg:
    """What was said of a flight, whichever way the words were hung on."""
    told = details.back if details.out.empty else details.out
    return replace(told, wanted=False) if told.wanted else told


def _put(about: Request, back: bool, told: Leg) -> None:
    if told.empty:
        return
    if back:
        about.back = merged(about.back, told)
    else:
        about.out = merged(about.out, told)


def _date(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """A day for one way of a trip; a second day is that of the way back."""
    back = ask.slot.startswith("back")
    told = as_leg(details)
    other = details.back if not details.out.empty and not details.back.empty else Leg()
    if not told.date and details.trip.dates:
        told = replace(told, date=details.trip.dates[0])
        details.trip = replace(details.trip, dates=[])
    if back and told.shift is not None and about.out.date:
        told = replace(told, date=shifted(about.out.date, told.shift), shift=None)
    details.out, details.back = Leg(), Leg()
    _put(about, back, told)
    if not back:
        _put(about, True, other)


def _places(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Where a trip begins or ends."""
    trip = details.trip
    origin, destination = details.origin or trip.origin, details.destination or trip.destination
    bare = trip.place or ([] if origin and destination else origin or destination)
    if ask.slot == "origin":
        origin, destination = origin or bare, (destination if origin else [])
    elif ask.slot == "destination":
        origin, destination = (origin if destination else []), destination or bare
    elif not origin and not destination:
        destination = bare
    details.origin, details.destination, details.trip = origin, destination, Trip()


def _cabin(about: Request, details: Request, said: Said, ask: Ask) -> None:
    choice = picked(said, ask)
    details.cabin = details.cabin or details.trip.cabin or (choice.value if choice else "")
    details.trip = replace(details.trip, cabin="")


def _people(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Who flies, or the part of a passenger that was missing."""
    if isinstance(ask.thing, Person):
        _complete(about, details, ask.thing, said.text)
    elif ask.slot == "people_more":
        details.people = [*about.people, *details.people]
    elif said.profile and not details.people:
        details.people = [Person(relation="saved")]
    elif not tells(details) and (said.only or said.yes or said.no):
        details.count = 1


def _complete(about: Request, details: Request, missing: Person, text: str) -> None:
    """Fill the part of a passenger that was asked for; a day without its year is no birth."""
    told = details.people[0] if details.people else Person()
    day = details.out.date or next(iter(details.trip.dates), "")
    dob = told.dob or (day if day[:4] in text else "")
    details.out, details.trip, details.people = Leg(), Trip(), []
    for n, each in enumerate(about.people):
        same = each.first == missing.first or (each.relation and each.relation == missing.relation)
        if same:
            last = told.last or (told.first if each.first and not each.last else "")
            about.people[n] = Person(
                each.first or told.first, each.last or last, each.dob or dob, each.relation
            )
            return


def _bags(about: Request, details: Request, said: Said, ask: Ask) -> None:
    told = (details.bags, details.bags_each, details.bags_more)
    if any(each is not None for each in told) or details.bags_free:
        return
    word = said.text.strip(" .!")
    if about.intent is Intent.BAGS and (more := further(word)):
        details.bags_more = more
    elif word.isdigit() or word in LANGUAGE.words["numbers"]:
        details.bags = number_of(word)
    elif (said.no or said.nothing) and not said.yes:
        details.bags = 0
    elif said.ordinals and re.search(r"\d", said.text):
        details.bags = said.ordinals[0]


def _insurance(about: Request, details: Request, said: Said, ask: Ask) -> None:
    if details.insurance is None and (said.yes or said.no or said.nothing):
        details.insurance = said.yes and not said.no


_REASONS = ("change of plan", "airline cancelled", "other")


def _reason(about: Request, details: Request, said: Said, ask: Ask) -> None:
    if details.reason:
        return
    if said.ordinals and 0 < said.ordinals[0] <= len(_REASONS):
        details.reason = _REASONS[said.ordinals[0] - 1]
    elif not (said.requests or said.unknown or said.nothing or tells(details)) and said.aside:
        details.reason = "other"


def _covered(about: Request, details: Request, said: Said, ask: Ask) -> None:
    if not details.reason:
        details.reason = "health" if said.yes and not said.no else "change of plan"


def _reservation(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """One of the reservations that were offered, or another description of it."""
    choice = picked(said, ask) if not details.trip.ids else None
    if choice is not None:
        details.trip = Trip(ids=[choice.value])
        about.trip = Trip()
    elif details.trip.empty:
        dates = [details.out.date] if details.out.date else []
        places = [*details.origin, *details.destination]
        details.trip = Trip(place=places, dates=dates)
        if dates or places:
            details.out, details.origin, details.destination = Leg(), [], []
    if details.trip.ids:
        about.trip = Trip()


def _way(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Which way of a round trip is to be changed."""
    choice = picked(said, ask)
    back = choice.value == "back" if choice else details.back.wanted or not details.back.empty
    told, details.out, details.back = about.out, Leg(), Leg()
    if back:
        about.out, about.back = Leg(), merged(about.back, replace(told, wanted=True))
    else:
        about.out = replace(told, wanted=True)


def _whole(about: Request, details: Request, said: Said, ask: Ask) -> None:
    if said.yes or says("both_legs", said.text):
        about.out.wanted = about.back.wanted = False
        about.people = []


_BECOMES = re.compile(
    r"([a-z'-]+ [a-z'-]+)(?:,? (?:is|to|into|becomes|should be|is now)|:|->| =) "
    r"(?:now |to |called )?([a-z'-]+ [a-z'-]+)"
)


def _transfer(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Whether what no tool can do goes to a human."""
    place = picked_place(said.text, [each.words for each in ask.choices])
    if place is not None:
        about.chosen = ask.choices[place].value
    elif said.yes:
        about.chosen = "human"
    elif said.no or said.nothing or said.forget:
        about.chosen = "leave"


def _what(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """What is to be done about a reservation that was only named: a reason calls it off."""
    if about.intent is not None or said.no or said.forget:
        return
    if details.reason:
        about.intent = Intent.CANCEL
    elif not (details.out.empty and details.back.empty):
        about.intent = Intent.FLIGHTS
    elif details.cabin:
        about.intent = Intent.CABIN


def _go(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """A change that was only asked about is wanted."""
    if said.yes or details.payments:
        about.intent = Intent.FLIGHTS


def _renames(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Who is meant, or the date of birth of somebody new."""
    choice = picked(said, ask)
    hit = _BECOMES.search(said.text)
    if ask.slot == "renames" and not (details.renames or hit):
        _newly_named(about, details)
    asked = said.yes or said.requests or "?" in said.text
    if ask.slot == "renames" and not details.renames and hit and not asked:
        old, new = (Person(*each.split(" ", 1)) for each in hit.groups())
        details.renames = [Rename(old, Person(new.first.title(), new.last.title()))]
        details.people = []
    if isinstance(ask.thing, Rename):
        told = details.people[0].dob if details.people else details.out.date
        for each in about.renames:
            if each == ask.thing:
                each.new.dob = told or each.new.dob
        details.people, details.out = [], Leg()
    elif isinstance(ask.thing, Person):
        name = choice.value if choice else _named(details, ask)
        for each in about.renames:
            if each.old == ask.thing and name:
                first, _, last = name.partition(" ")
                each.old = Person(first, last)
        details.people = []


def _newly_named(about: Request, details: Request) -> None:
    """Read a name alone as the new one of whoever is meant."""
    whole = [each for each in details.people if each.first and each.last]
    if len(whole) == 1:
        old = Person(relation="companion") if says("her_place", about.text) else Person()
        old = Person(relation="self") if says("my_place", about.text) else old
        details.renames, details.people = [Rename(old, whole[0])], []


def _named(details: Request, ask: Ask) -> str:
    """The passenger on offer whose first name was said."""
    first = details.people[0].first.lower() if details.people else ""
    fitting = (each.value for each in ask.choices if each.value.lower().startswith(first))
    return next(fitting, "") if first else ""


SLOTS: dict[str, Callable[[Request, Request, Said, Ask], None]] = {
    "out_flight": _flight,
    "back_flight": _flight,
    "out_date": _date,
    "back_date": _date,
    "origin": _places,
    "destination": _places,
    "route": _places,
    "cabin": _cabin,
    "people": _people,
    "people_more": _people,
    "bags": _bags,
    "insurance": _insurance,
    "payment": paid,
    "payment_rest": paid,
    "payment_which": paid,
    "reason": _reason,
    "covered": _covered,
    "reservation": _reservation,
    "way": _way,
    "whole": _whole,
    "go": _go,
    "intent": _what,
    "transfer": _transfer,
    "renames": _renames,
    "passenger": _renames,
    "dob": _renames,
}
"""How an answer is read in the light of the slot that was asked for."""
