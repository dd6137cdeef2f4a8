"""Finding flights on the same day, between the same airports and in the same cabin, for less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from domains.airline import wording
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.facts import Cheaper, Requirements


def cheaper_flights(
    draft: Draft, after: Record, listed: Sequence[Record]
) -> Callable[[Requirements], Cheaper | None]:
    """A function that finds flights on the same days and between the same airports for less.

    ``after`` is the reservation with the change made, whose cabin counts, and ``listed`` has its
    flights.
    """

    def look(wanted: Requirements) -> Cheaper | None:
        for journey in _journeys(after, listed):
            found = _cheapest(draft, after["cabin"], len(after["passengers"]), journey, wanted)
            price = sum(flight["price"] for flight in journey)
            if found is not None and found[0] < price:
                names = tuple(each["flight_number"] for each in found[1])
                called = wording.listing([wording.value(each) for each in names])
                words = (
                    f"{called} on {wording.day(journey[0]['date'])} would be "
                    f"{wording.money(found[0])} each, not {wording.money(price)}"
                )
                return Cheaper(words, names)
        return None

    return look


def _journeys(reservation: Record, listed: Sequence[Record]) -> list[list[Record]]:
    """The outbound flights and the return flights, without an empty list."""
    there: list[Record] = []
    back: list[Record] = []
    turned = False
    for each in listed:
        (back if turned else there).append(each)
        turned = turned or each["destination"] == reservation["destination"]
    return [each for each in (there, back) if each]


def _cheapest(
    draft: Draft, cabin: str, people: int, journey: Sequence[Record], wanted: Requirements
) -> tuple[int, list[Record]] | None:
    """The lowest price per passenger for a journey on that day, and its flights, or None."""
    origin, destination = journey[0]["origin"], journey[-1]["destination"]
    date = journey[0]["date"]
    flights = [
        (flight, day)
        for _, flight in draft.items("flights")
        if (day := flight["dates"].get(date)) is not None
        and day["status"] == "available"
        and day["available_seats"][cabin] >= people
        and (not wanted.earliest or flight["scheduled_departure_time_est"] >= wanted.earliest)
    ]
    direct = [
        (day["prices"][cabin], [flight])
        for flight, day in flights
        if (flight["origin"], flight["destination"]) == (origin, destination)
        and (not wanted.latest or flight["scheduled_departure_time_est"][:5] <= wanted.latest)
    ]
    found = (
        direct
        if wanted.direct or wanted.latest
        else [*direct, *_with_a_stop(flights, cabin, origin, destination)]
    )
    return min(found, key=lambda each: each[0], default=None)


def _with_a_stop(
    flights: Sequence[tuple[Record, Record]], cabin: str, origin: str, destination: str
) -> Iterator[tuple[int, list[Record]]]:
    """Yield the ways with one change of planes on the same day, each with its price and flights."""
    first = [each for each in flights if each[0]["origin"] == origin]
    second = [each for each in flights if each[0]["destination"] == destination]
    for (one, day), (other, then) in product(first, second):
        joins = one["destination"] == other["origin"]
        arrives = one["scheduled_arrival_time_est"]
        if joins and "+" not in arrives and arrives <= other["scheduled_departure_time_est"]:
            yield day["prices"][cabin] + then["prices"][cabin], [one, other]
