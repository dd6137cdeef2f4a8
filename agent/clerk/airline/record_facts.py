"""Facts from the records of a customer of the airline, each a sentence that can be an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from math import isclose
from typing import Any

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import arrival_of, departure_of, moment_of
from agent.clerk.airline.known_records import CABINS, AirlineRecords, Journey, amount_paid, ways
from agent.clerk.airline.reservation_slots import named_reservation
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    city,
    clock,
    count,
    fare,
    journey,
    method,
    method_bare,
    money,
    name,
    state_words,
    trip,
    weekday,
)
from agent.clerk.state.records import Json
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags


def names_in(text: str, dialogue: AirlineState) -> tuple[set[str], set[str]]:
    """The ids of the reservations that a text names, and of all that there are."""
    records = dialogue.records
    said, known = dialogue.parse(text), records.reservations
    named = {*said.ids} & known.keys()
    days = {each.value for each in said.days}
    on_day = [e for e in known.values() if any(f["date"] in days for f in e["flights"])]
    one = named_reservation(said, [*known.values()]) or (on_day[0] if len(on_day) == 1 else None)
    return named or ({str(one["reservation_id"])} if one else set()), {*known}


def tell_records(records: AirlineRecords) -> Iterator[str]:
    """Yield what is known of the reservations and flights read, and of the profile."""
    for each in records.reservations.values():
        yield from _tell_reservation(each, records)
    yield from _tell_found_flights(records)
    yield from _tell_profile(records)


def _tell_reservation(record: Json, records: AirlineRecords) -> Iterator[str]:
    key, whole = record["reservation_id"], trip(record)
    if record.get("status") == "cancelled":
        yield f"Reservation {whole} is cancelled."
        return
    yield f"Reservation {whole} is in {cabin(record['cabin'])} on all its flights."
    yield from tell_days(record, f"reservation {key}")
    yield from tell_arrivals(record, records, f"reservation {key}")
    for flight in record["flights"]:
        yield tell_flight(flight, records, f"reservation {key}")
        number, day = flight["flight_number"], flight["date"]
        state = records.statuses.get((number, day))
        if state:
            how = state_words(state)
            yield f"Flight {number} on {weekday(day)} {how}."
    people = join_parts(map(name, record["passengers"]))
    yield f"{_people(record)} on reservation {key}: {people}."
    for each in record["passengers"]:
        yield f"{name(each)} on reservation {key} was born on {each['dob']}."
    yield tell_bags(record, records, f"Reservation {key}")
    insured = record["insurance"] == "yes"
    yield (
        f"Reservation {key} has travel insurance."
        if insured
        else f"Reservation {key} has no travel insurance, and it can't be added after booking."
    )
    paid = join_parts(
        dict.fromkeys(
            method_bare(records.methods.get(e["payment_id"]), e["payment_id"])
            for e in record["payment_history"]
            if e["amount"] > 0
        )
    )
    total, many = money(amount_paid(record)), len(record["passengers"])
    yield f"You paid {total} in all for reservation {key}, with your {paid}."
    if many > 1:
        yield f"The {total} for reservation {key} is for all {many} passengers together."
    yield from tell_parts(record, f"reservation {key}")
    yield f"Reservation {key} was made on {record['created_at'][:10]}."
    codes = dict.fromkeys(
        code for e in record["flights"] for code in (e["origin"], e["destination"])
    )
    yield f"The airports of reservation {key}: {join_parts(f'{city(e)} ({e})' for e in codes)}."
    kind = "a one-way trip" if record["flight_type"] == "one_way" else "a round trip"
    yield f"Reservation {key} is {kind}."


def tell_parts(record: Json, trip_name: str) -> Iterator[str]:
    """Yield what a price is made up of, if anything is in it besides the flights.

    Nothing is told where that does not come to what was paid, as after a change.
    """
    insured = INSURANCE * len(record["passengers"]) if record["insurance"] == "yes" else 0
    bags = EXTRA_BAG * record["nonfree_baggages"]
    parts = [f"{money(insured)} is for travel insurance"] if insured else []
    parts += [f"{money(bags)} is for bags"] if bags else []
    rest = amount_paid(record) - insured - bags
    seats = sum(float(each["price"]) for each in record["flights"]) * len(record["passengers"])
    if parts and isclose(rest, seats, abs_tol=0.005):
        told = join_parts([f"{money(rest)} is for the flights", *parts])
        yield f"Of the {money(amount_paid(record))} paid for {trip_name}, {told}."


def _people(record: Json) -> str:
    many = len(record["passengers"])
    return f"There {'is' if many == 1 else 'are'} {count(many, 'passenger')}"


def tell_days(record: Mapping[str, Any], trip_name: str) -> Iterator[str]:
    """Yield on which days a trip with known routes goes out and back."""
    out, back = ways(dict(record))
    yield f"On {trip_name}, the flight out is on {_days(out)}: {booked_on(out)}."
    if back:
        yield f"On {trip_name}, the flight back is on {_days(back)}: {booked_on(back)}."
        yield (
            f"On {trip_name} you fly out on {_days(out)} and back on {_days(back)}: "
            f"{booked_on([*out, *back])}."
        )


def tell_arrivals(trip_: Mapping[str, Any], records: AirlineRecords, which: str) -> Iterator[str]:
    """Yield when each way of a trip with known routes leaves and arrives, if the times are known.

    ``which`` names the trip, such as "your new booking".
    """
    known = records.times
    for flights in filter(None, ways(dict(trip_))):
        states = {records.statuses.get((e["flight_number"], e["date"])) for e in flights}
        timed = {each["flight_number"] for each in flights} <= known.keys()
        if timed and states <= {None, "available"}:
            first, last = flights[0], flights[-1]
            leaves = moment_of(first["date"], known[first["flight_number"]][0])
            lands = moment_of(last["date"], known[last["flight_number"]][1])
            ends = city(first["origin"]), city(last["destination"])
            yield f"On {which}, {_tell_journey(*ends, leaves, lands)}."
            yield from _tell_stops(flights, known)


def _tell_stops(flights: Sequence[Json], times: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Yield how long one waits where planes are changed."""
    for one, other in pairwise(flights):
        lands = moment_of(one["date"], times[one["flight_number"]][1])
        waits = moment_of(other["date"], times[other["flight_number"]][0]) - lands
        hours, minutes = divmod(int(waits.total_seconds()) // 60, 60)
        yield (
            f"The stop in {city(other['origin'])}, between {one['flight_number']} and "
            f"{other['flight_number']}, is {hours} h {minutes:02d} min long."
        )


def _tell_journey(origin: str, destination: str, leaves: datetime, lands: datetime) -> str:
    """When somebody leaves and arrives, and whether that is on one day."""
    later = (lands.date() - leaves.date()).days
    same = "the same day" if not later else "the day after" if later == 1 else f"{later} days later"
    return (
        f"you leave {origin} on {weekday(str(leaves.date()))} at {leaves:%H:%M} and arrive in "
        f"{destination} at {lands:%H:%M} on {weekday(str(lands.date()))}, {same}"
    )


def _days(flights: Sequence[Json]) -> str:
    return join_parts(dict.fromkeys(weekday(each["date"]) for each in flights))


def booked_on(flights: Sequence[Json]) -> str:
    """Flights with their routes: ``LRK226 from Boston to Chicago``."""
    return join_parts(
        f"{each['flight_number']} from {city(each['origin'])} to {city(each['destination'])}"
        for each in flights
    )


def tell_flight(flight: Mapping[str, Any], records: AirlineRecords, trip_name: str) -> str:
    """A flight of a trip, such as ``reservation ABC123``, with its times if they are known."""
    number, day = flight["flight_number"], weekday(flight["date"])
    ends = ""
    if "origin" in flight:
        ends = f" from {city(flight['origin'])} to {city(flight['destination'])}"
    times = records.times.get(number)
    if times is None:
        return f"On {trip_name}, flight {number} on {day} goes{ends}."
    leaves, lands = times
    span = moment_of(flight["date"], lands) - moment_of(flight["date"], leaves)
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    takes = f"and takes {hours} h {minutes:02d} min"
    return (
        f"On {trip_name}, flight {number} on {day}{ends} leaves at {clock(leaves)}, arrives "
        f"at {clock(lands)} {takes}."
    )


def tell_bags(record: Mapping[str, Any], records: AirlineRecords, trip_name: str) -> str:
    """The checked bags of a reservation, how many are free, and what more would cost."""
    people, total = len(record["passengers"]), int(record["total_baggages"])
    free = free_bags(records.membership, str(record["cabin"]), people)
    return (
        f"{trip_name} has {count(total, 'checked bag')}. In all, "
        f"{count(free, 'bag')} {'is' if free == 1 else 'are'} free on it, as you are a "
        f"{records.membership} member; each bag beyond that costs {money(EXTRA_BAG)}."
    )


def _tell_found_flights(records: AirlineRecords) -> Iterator[str]:
    for (stops, origin, destination, date), found in records.searches.items():
        ends = f"from {city(origin)} to {city(destination)} on {weekday(date)}"
        kind = "one-stop connection" if stops else "direct flight"
        if not found:
            yield f"There is no {kind} {ends} that can still be booked."
            continue
        names = join_parts(journey(each) for each in found)
        yield f"{count(len(found), kind).capitalize()} {ends}: {names}."
        for each in found:
            told = _tell_journey(
                city(origin), city(destination), departure_of(each), arrival_of(each)
            )
            yield f"With {_numbers(each)} {told}."
            yield from _tell_stops(each, records.times)
            prices = join_parts(f"{money(fare(each, n))} in {cabin(n)}" for n in CABINS)
            yield f"{journey(each)} on {weekday(date)} costs {prices}, for each passenger."
            seats = {n: min(flight["available_seats"][n] for flight in each) for n in CABINS}
            left = join_parts(f"{free} in {cabin(n)}" for n, free in seats.items())
            yield f"Seats left on {_numbers(each)} on {weekday(date)}: {left}."


def _numbers(journey_: Journey) -> str:
    return join_parts(each["flight_number"] for each in journey_)


def _tell_profile(records: AirlineRecords) -> Iterator[str]:
    user = records.user or {}
    if not user:
        return
    member = records.membership
    bags = join_parts(f"{free_bags(member, each, 1)} in {cabin(each)}" for each in CABINS)
    yield f"You are a {member} member."
    yield f"As a {member} member each passenger has free checked bags: {bags}."
    yield f"What being a {member} member gets you is free checked bags for each passenger: {bags}."
    for key, each in records.methods.items():
        if each.get("source") == "credit_card":
            yield f"There is a {method(each, key)} in your profile."
        elif not records.is_profile_stale:
            yield f"Your profile has a {method_bare(each, key)} worth {money(each['amount'])}."
    certificates = [e for e in records.methods.values() if e.get("source") == "certificate"]
    if not certificates and not records.is_profile_stale:
        yield "There is no travel certificate in your profile."
    saved = join_parts(f"{name(each)}, born {each['dob']}" for each in records.saved)
    yield f"Saved passengers in your profile: {saved}." if saved else "No passengers are saved."
    yield f"Your email in the profile is {user['email']}, and you were born on {user['dob']}."
    ahead = [e for e in records.reservations.values() if e.get("status") != "cancelled"]
    if len(records.reservations) == len(records.reservation_ids):
        listed = join_parts(f"{trip(each)}" for each in ahead)
        yield f"Your reservations: {listed}." if ahead else "You have no reservation."
        if ahead:
            yield "It is no problem to have no reservation number at hand: I see all of yours."


def booked(flights: list[Json]) -> str:
    """The flights in a few words: ``LRK226 on May 20 and LRK227 on May 25``."""
    return join_parts(map(booked_flight, flights))
