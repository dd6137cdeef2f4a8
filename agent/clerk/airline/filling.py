"""Adding what one clause tells to the request that another clause made."""

from __future__ import annotations

from dataclasses import fields

from agent.clerk.airline.requests import Intent, Leg, Request, Trip

_NOT_FILLED = {"intent", "text", "trip", "out", "back", "closed", "outcome", "wait", "written"}
_DECIDED = {"insurance", "insured"}
"""Slots in which False is an answer, not silence."""

_WHICH_FLIGHT = {Intent.FLIGHTS}
_NOT_DESCRIBED = {Intent.BOOK, Intent.SEARCH, None}


def fill(request: Request, made: Request) -> None:
    """Take over what a later clause tells; what is known already stays."""
    if request.intent not in _NOT_DESCRIBED:
        as_description(made, keep_wishes=request.intent in _WHICH_FLIGHT)
    merge(request.trip, made.trip)
    merge(request.out, made.out)
    merge(request.back, made.back)
    for each in fields(Request):
        if each.name not in _NOT_FILLED:
            _take(request, made, each.name)


def as_description(made: Request, *, keep_wishes: bool) -> None:
    """Places and days of a clause that asks for nothing tell which reservation is meant."""
    if made.intent is not None:
        return
    trip = made.trip
    if not keep_wishes:
        days = [day for leg in (made.out, made.back) for day in (leg.date, *leg.dates) if day]
        trip.dates += [day for day in days if day not in trip.dates]
        trip.numbers += [each for each in made.out.numbers if each not in trip.numbers]
        made.out, made.back = Leg(keep=made.out.keep), Leg(keep=made.back.keep)
        made.people, made.count = [], None
    trip.origin, made.origin = trip.origin or made.origin, []
    trip.destination, made.destination = trip.destination or made.destination, []
    trip.flight_type, made.flight_type = trip.flight_type or made.flight_type, ""


def merge(known: Trip | Leg, told: Trip | Leg) -> None:
    """Fill what is empty, join what are lists."""
    for each in fields(known):
        _take(known, told, each.name)


def _take(known: object, told: object, name: str) -> None:
    mine, theirs = getattr(known, name), getattr(told, name)
    if isinstance(mine, list):
        mine.extend(each for each in theirs if each not in mine)
    elif mine is None or mine == "" or (mine is False and theirs is True and name not in _DECIDED):
        setattr(known, name, theirs)
    elif name == "nth":
        setattr(known, name, max(mine, theirs))
