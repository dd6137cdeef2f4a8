"""Which existing reservations a clause points at."""

from __future__ import annotations

from agent.clerk.airline.language import first_meaning, number, pattern, says, table
from agent.clerk.airline.requests import Trip
from agent.clerk.airline.slots.days import Day
from agent.clerk.airline.slots.places import ASIDE, FROM, TO, Place


def pointed_at(clause: str) -> Trip:
    """How reservations are pointed at, places and days excepted."""
    trip = Trip(which=_which(clause))
    trip.upcoming, trip.past = says("upcoming", clause), says("past", clause)
    trip.same_day = says("several_same_day", clause)
    trip.passengers = _passengers(clause)
    trip.longer_than, trip.shorter_than = (
        _hours("longer_than", clause),
        _hours("shorter_than", clause),
    )
    if says("one_stop_now", clause):
        trip.stops = 1
    if says("insured", clause):
        trip.insured = True
    return trip


def _which(clause: str) -> str:
    without = pattern("not_same").sub(" ", clause)
    return first_meaning("which", without) or ""


def _passengers(clause: str) -> int | None:
    hit = pattern("passengers_now").search(clause)
    if hit is None:
        return None
    told = hit.group("n") or hit.group("m") or "1"
    return 1 if "single" in told else number(told)


def _hours(name: str, clause: str) -> float | None:
    hit = pattern(name).search(clause)
    if hit is None:
        return None
    told = next(each for each in hit.groups() if each)
    return float(number(told)) if told.isalpha() else float(told)


def add_places(trip: Trip, found: list[Place]) -> None:
    """Take in places that a clause describes a reservation by."""
    for place in found:
        codes = list(place.codes)
        if place.way == FROM:
            trip.origin = trip.origin or codes
        elif place.way == TO:
            trip.destination = trip.destination or codes
        elif place.way != ASIDE:
            trip.place = trip.place or codes


def add_more_places(trip: Trip, found: list[Place]) -> None:
    """Read "my trips to Boston and Miami": several reservations, one for each city."""
    aims = [code for place in found if place.way == TO for code in place.codes]
    if trip.destination and len({place.codes for place in found if place.way == TO}) > 1:
        trip.destination, trip.which = list(dict.fromkeys(aims)), trip.which or "all"


def add_days(trip: Trip, found: list[Day]) -> None:
    """Take in days that a reservation was described by."""
    trip.dates += [day.iso for day in found if day.iso not in trip.dates]


def cabins(clause: str) -> tuple[str, str]:
    """The cabin that is wanted, and the one there is now."""
    clause = pattern("cabin_aside").sub(" ", clause)
    wanted, now = "", ""
    for start, end, cabin in _cabin_hits(clause):
        described = says("cabin_now_before", clause[:start]) and says(
            "cabin_now_after", clause[end:]
        )
        leaving = says("cabin_left", clause[:start])
        if described or leaving:
            now = now or cabin
        else:
            wanted = wanted or cabin
    return wanted, now


def _cabin_hits(clause: str) -> list[tuple[int, int, str]]:
    hits = [
        (hit.start(), hit.end(), cabin)
        for cabin, each in table("cabins")
        for hit in each.finditer(clause)
    ]
    return sorted(hits)
