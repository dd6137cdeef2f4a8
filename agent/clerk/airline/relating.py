"""How a clause relates to the request before it, and to the whole message."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.language import says
from agent.clerk.airline.requests import Intent, Leg, Request

_PART_OF_BOOKING = {Intent.BAGS, Intent.INSURANCE, Intent.CABIN, Intent.FLIGHTS, Intent.PASSENGERS}


def only_back(request: Request, aside: list[str]) -> None:
    """Read "Return leg. One day sooner." as a wish for the way back alone."""
    apart = request.back.empty and not (request.out.empty or request.out.wanted)
    if request.intent is Intent.FLIGHTS and apart and any(says("only_back", one) for one in aside):
        request.out, request.back = Leg(), replace(request.out, wanted=True)


def names_a_place(made: Request) -> bool:
    """Whether a clause says where: "a wedding on the 22nd" alone tells nothing of a flight."""
    trip = made.trip
    return bool(made.origin or made.destination or trip.origin or trip.destination or trip.place)


def more_bags(made: Request, before: Request) -> bool:
    """Read "add insurance, and 2 bags", "a bag to ABC123 and another one to DEF456"."""
    if before.intent is Intent.BAGS:
        return bool(made.trip.ids and before.trip.ids and made.trip.ids != before.trip.ids)
    return bool(made.bags) and before.intent in _PART_OF_BOOKING


def elsewhere(made: Request, before: Request) -> bool:
    """Whether a clause speaks of another trip than the request before it."""
    known = {*before.trip.destination, *before.trip.place}
    told = {*made.destination, *made.trip.destination, *made.trip.place}
    dated = made.trip.dates or made.out.date
    return bool(known and told and dated and not known & told)
