"""Other cabins: which one is wanted, whether it can be had, and what it costs now."""

from __future__ import annotations

from agent.clerk.airline import looking_up
from agent.clerk.airline.memory import CABINS, Memory
from agent.clerk.airline.passengers import mentions
from agent.clerk.airline.requests import Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    trip,
)
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Choice, Settled, Tell
from agent.clerk.wording import joined


def listed_flights(flights_: list[Json]) -> list[tuple[str, str]]:
    """Numbers and dates of flights, in order."""
    return [(each["flight_number"], each["date"]) for each in flights_]


def difference(record: Json, new: list[Json]) -> int:
    """Dollars that other flights, each with its ``price``, cost more for all passengers."""
    more = sum(each["price"] for each in new) - sum(each["price"] for each in record["flights"])
    return int(more) * len(record["passengers"])


def repriced(record: Json, talk: Talk, name: str) -> list[Json]:
    """A reservation's flights at what they cost now in another cabin; Settled where one is full."""
    return [price_of(record, talk, each, name) for each in record["flights"]]


def price_of(record: Json, talk: Talk, flight: Json, name: str) -> Json:
    """A reservation's flight at what a seat in another cabin costs now; Settled where none is."""
    offered = price_now(talk.memory, flight)
    people = len(record["passengers"])
    if offered is None or offered["available_seats"][name] < people:
        why = (
            "can no longer be booked" if offered is None else f"has too few seats in {cabin(name)}"
        )
        text = f"I can't change the cabin to {cabin(name)}: {booked_flight(flight)} {why}."
        raise Settled(Tell(text, "refused", focus=record["reservation_id"]))
    return {**flight, "price": int(offered["prices"][name])}


def price_now(memory: Memory, flight: Json) -> Json | None:
    """What a reservation's flight is offered at now; None where it can no longer be booked."""
    found = looking_up.search(memory, 0, flight["origin"], flight["destination"], flight["date"])
    numbers = (each[0] for each in found if each[0]["flight_number"] == flight["flight_number"])
    return next(numbers, None)


def wanted_cabin(request: Request, record: Json) -> str:
    """The cabin that was asked for; Settled with the question where "upgrade" leaves it open."""
    if request.cabin:
        return request.cabin
    place = CABINS.index(record["cabin"])
    above = CABINS[place + 1 :] if request.cabin_move != "down" else CABINS[:place][::-1]
    if request.cabin_move and len(above) == 1:
        return above[0]
    if request.cabin_move and not above:
        return str(record["cabin"])
    options = tuple(Choice(each, cabin(each)) for each in above)
    names = joined((f"**{each.words}**" for each in options), "or")
    text = f"To which cabin should I change reservation {trip(record)}: {names}?"
    ask = Ask(text, "cabin", request, None, options, focus=record["reservation_id"])
    raise Settled(ask)


def not_in_part(request: Request, record: Json) -> None:
    """Settled with a refusal where only one flight or passenger should change the cabin."""
    part = record["flight_type"] == "round_trip" and request.out.wanted != request.back.wanted
    named = [each for each in record["passengers"] if mentions(request.text, each["first_name"])]
    fewer = 0 < (len(request.people) or len(named)) < len(record["passengers"])
    if not part and not fewer:
        return
    what = "a single passenger" if fewer else "a single flight"
    text = (
        f"The cabin has to be the same on all flights and for all passengers: it cannot be "
        f"changed for {what}. Shall I change it for the whole reservation?"
    )
    if request.give_up or request.otherwise:
        raise Settled(Tell(text.partition(" Shall")[0], "refused"))
    raise Settled(Ask(text, "whole", request, None, focus=record["reservation_id"]))


def unflown(record: Json, talk: Talk) -> None:
    """Settled with a refusal where a flight was flown, after which the cabin has to stay."""
    gone = looking_up.flown(talk.memory, record, talk.today)
    if gone:
        text = (
            f"The cabin of reservation {trip(record)} can no longer be changed: "
            f"{booked_flight(gone[0])} has been flown already."
        )
        raise Settled(Tell(text, "refused", focus=record["reservation_id"]))
