"""Write the demo airline, its ``store.json``: ``python -m tests.generators.airline.generate``.

The same bytes every time. Ids and prices are digests of what they name, so that changing one
customer or one flight leaves every other record, and every scenario about it, as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from domains.airline import fares
from domains.core.changes import Record
from tests.generators.airline.cast import ME, Person, Trip, cast, crowd
from tests.generators.airline.timetable import Timetable
from tests.generators.drawing import (
    Dice,
    address,
    find_payment_method,
    full_name,
    number,
    payment_method,
    spell,
    user_id,
    write,
)

STORE = Path(__file__).parents[3] / "domains" / "airline" / "data" / "store.json"

_LETTERS, _DIGITS = "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"

CODE = (_LETTERS, _DIGITS, _LETTERS, _LETTERS, _DIGITS, _LETTERS)
"""What each place of a reservation id may be; nothing that is misread or reads as a word."""


def build() -> dict[str, dict[str, Record]]:
    """The whole store: flights, users and reservations by id, in τ²-bench's record shapes."""
    timetable = Timetable()
    users: dict[str, Record] = {}
    reservations: dict[str, Record] = {}
    for person in [*cast(), *crowd(timetable)]:
        user = _user(person)
        users[user["user_id"]] = user
        for reservation_id, trip in zip(user["reservations"], person.trips, strict=True):
            reservations[reservation_id] = _reservation(reservation_id, user, trip, timetable)
    return {"flights": timetable.records(), "users": users, "reservations": reservations}


def main() -> None:
    """Write the store and say what is in it."""
    write(build(), STORE)


def _user(person: Person) -> Record:
    key = user_id(person.name)
    methods = [payment_method(words, key, holding="amount") for words in person.methods]
    return {
        "user_id": key,
        "name": full_name(person.name),
        "address": address(person.address),
        "email": person.email,
        "dob": person.dob,
        "payment_methods": {method["id"]: method for method in methods},
        "saved_passengers": [_passenger(words) for words in person.saved],
        "membership": person.membership,
        "reservations": [
            spell(CODE, "reservation", key, str(index)) for index in range(len(person.trips))
        ],
    }


def _passenger(words: str) -> Record:
    name, _, dob = words.rpartition(" ")
    return {**full_name(name), "dob": dob}


def _reservation(reservation_id: str, user: Record, trip: Trip, timetable: Timetable) -> Record:
    flights = [
        _seat(words, trip.cabin, reservation_id, timetable) for words in (*trip.out, *trip.back)
    ]
    passengers = [
        {**user["name"], "dob": user["dob"]} if words == ME else _passenger(words)
        for words in trip.passengers
    ]
    allowance = fares.free_bags(user["membership"], trip.cabin, len(passengers))
    nonfree = max(0, trip.bags - allowance)
    seats: Iterable[int] = (flight["price"] for flight in flights)
    total = fares.total(sum(seats), len(passengers), nonfree, insured=trip.insured)
    return {
        "reservation_id": reservation_id,
        "user_id": user["user_id"],
        "origin": flights[0]["origin"],
        "destination": flights[len(trip.out) - 1]["destination"],
        "flight_type": "round_trip" if trip.back else "one_way",
        "cabin": trip.cabin,
        "flights": flights,
        "passengers": passengers,
        "payment_history": _payments(user, trip, total),
        "created_at": trip.booked,
        "total_baggages": trip.bags,
        "nonfree_baggages": nonfree,
        "insurance": "yes" if trip.insured else "no",
        **({"status": "cancelled"} if trip.cancelled else {}),
    }


def _seat(words: str, cabin: str, reservation_id: str, timetable: Timetable) -> Record:
    """A flight of a reservation, at the price for one passenger when it was booked."""
    flight_number, day = words.split(" ")
    flight = timetable.flights[flight_number]
    return {
        "flight_number": flight_number,
        "origin": flight.origin,
        "destination": flight.destination,
        "date": day,
        "price": flight.prices(Dice("booked", reservation_id, words))[cabin],
    }


def _payments(user: Record, trip: Trip, total: int) -> list[Record]:
    """What was paid with each method, and given back where the reservation was cancelled."""
    *partly, rest = trip.paid
    amounts = [int(words.rpartition(" ")[2]) for words in partly]
    methods = [_method(user, words) for words in partly] + [find_payment_method(user, rest)]
    paid = _move(methods, [*amounts, total - sum(amounts)])
    back = [{**move, "amount": -move["amount"]} for move in paid] if trip.cancelled else []
    return [*paid, *back]


def _method(user: Record, words: str) -> str:
    """The method that paid a part; a certificate is used up by that and leaves the profile."""
    if words.startswith("certificate"):
        return f"certificate_{number(7, 'used', user['user_id'], words)}"
    return find_payment_method(user, words)


def _move(methods: Sequence[str], amounts: Sequence[int]) -> list[Record]:
    return [
        {"payment_id": method, "amount": amount}
        for method, amount in zip(methods, amounts, strict=True)
    ]


if __name__ == "__main__":
    main()
