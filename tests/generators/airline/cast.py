"""Who flies with the demo airline, in outline: the cast that scenarios are about, and a crowd.

The cast is written by hand in ``data/cast.json``. The crowd is drawn from word lists with a fixed
seed. An outline names flights, passengers and payment methods in words; ``generate`` turns it into
records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from domains.airline.fares import free_bags
from tests.generators.airline.timetable import CABINS, DAYS, NOW, Flight, Timetable
from tests.generators.drawing import Dice, draw_city, draw_street, make_email

DATA = Path(__file__).parent / "data"

CROWD_SIZE = 20
"""With the cast this makes forty-two customers."""

MEMBERSHIPS = {"regular": 9, "silver": 6, "gold": 5}
"""How often the crowd has each membership, in parts of twenty."""

WALLETS = (
    ("visa",),
    ("mastercard",),
    ("visa", "mastercard"),
    ("visa", "gift card"),
    ("mastercard", "certificate"),
    ("visa", "gift card", "certificate"),
    ("mastercard", "gift card", "gift card"),
)
"""The payment methods that customers of the crowd hold together."""

CHANGE = timedelta(minutes=45)
"""The least time between two flights of one journey."""

STAY = 6
"""The most days between going there and coming back."""

ME = "me"
"""The customer as a passenger."""


@dataclass(frozen=True, slots=True)
class Trip:
    """A reservation in outline."""

    booked: str
    """When, as ``2024-05-03T20:31:10`` EST."""

    cabin: str
    out: tuple[str, ...]
    """The flights there, each as ``LRK115 2024-05-22``."""

    back: tuple[str, ...]
    """The flights back, where it is a round trip."""

    passengers: tuple[str, ...]
    """``me``, or a name and date of birth: ``Remy Aubert 2006-11-30``."""

    paid: tuple[str, ...]
    """What it was paid with, in order: ``gift card 120`` for so much of it, ``visa`` for the
    rest."""

    bags: int
    insured: bool = False
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A customer in outline."""

    name: str
    email: str
    dob: str
    membership: str
    address: tuple[str, ...]
    """Two address lines, city, state, zip."""

    methods: tuple[str, ...]
    """Each as ``visa 4417``, ``gift card 45`` or ``certificate 100``."""

    saved: tuple[str, ...]
    """Other passengers in the profile, each as name and date of birth."""

    trips: tuple[Trip, ...]
    """In the order that they stand in the profile."""


def cast() -> list[Person]:
    """The customers that scenarios are about, as written in ``data/cast.json``."""
    return [
        Person(
            name=entry["name"],
            email=entry["email"],
            dob=entry["dob"],
            membership=entry["membership"],
            address=tuple(entry["address"]),
            methods=tuple(entry["methods"]),
            saved=tuple(entry["saved"]),
            trips=tuple(_trip(trip) for trip in entry["trips"]),
        )
        for entry in _read("cast.json")
    ]


def crowd(timetable: Timetable) -> list[Person]:
    """Customers drawn from the word lists, who fly what is in the timetable."""
    words = _read("people.json")
    dice = Dice("airline crowd")
    firsts = dice.shuffle(words["first_names"])[:CROWD_SIZE]
    lasts = dice.shuffle(words["last_names"])
    names = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=False)]
    return [_stranger(name, words, timetable) for name in names]


def _stranger(name: str, words: Mapping[str, list[str]], timetable: Timetable) -> Person:
    dice = Dice("passenger", name)
    membership = dice.draw_weighted(MEMBERSHIPS)
    family = [first for first in words["first_names"] if not name.startswith(first)]
    saved = tuple(
        f"{first} {name.split()[1]} {_birthday(dice)}"
        for first in dice.shuffle(family)[: dice.between(0, 3)]
    )
    methods = tuple(_method(kind, dice) for kind in dice.pick(WALLETS))
    return Person(
        name=name,
        email=make_email(name, dice),
        dob=_birthday(dice),
        membership=membership,
        address=(*draw_street(words, dice), *draw_city(words, dice)),
        methods=methods,
        saved=saved,
        trips=tuple(
            _draw_trip(membership, methods, saved, timetable, dice)
            for _ in range(dice.between(2, 5))
        ),
    )


def _birthday(dice: Dice) -> str:
    return (date(1952, 1, 1) + timedelta(days=dice.between(0, 20_000))).isoformat()


def _method(kind: str, dice: Dice) -> str:
    if kind == "gift card":
        return f"{kind} {dice.between(3, 60) * 5}"
    if kind == "certificate":
        return f"{kind} {dice.between(1, 6) * 50}"
    return f"{kind} {dice.between(1000, 9999)}"


def _draw_trip(
    membership: str,
    methods: Sequence[str],
    saved: Sequence[str],
    timetable: Timetable,
    dice: Dice,
) -> Trip:
    out, back = _journey(timetable, dice)
    passengers = (ME, *saved[: dice.between(0, len(saved))])
    cabin = dice.pick(CABINS)
    held = [words.rpartition(" ")[0] for words in methods]
    allowance = free_bags(membership, cabin, len(passengers))
    return Trip(
        booked=_booking_time(date.fromisoformat(out[0].split()[1]), dice),
        cabin=cabin,
        out=out,
        back=back,
        passengers=passengers,
        paid=(dice.pick([kind for kind in held if kind != "certificate"]),),
        bags=max(0, min(allowance, len(passengers)) + dice.pick((-1, 0, 0, 0, 1))),
        insured=dice.between(1, 3) == 1,
        cancelled=dice.between(1, 8) == 1,
    )


def _journey(timetable: Timetable, dice: Dice) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Flights there and perhaps back: direct, or sometimes with one stop on the way there."""
    flights = list(timetable.flights.values())
    day = dice.pick(DAYS[:-STAY])
    out = [dice.pick(flights)]
    onward = [each for each in flights if _connects(out[0], each, day)]
    if onward and dice.between(1, 4) == 1:
        out.append(dice.pick(onward))
    home = [
        each
        for each in flights
        if (each.origin, each.destination) == (out[-1].destination, out[0].origin)
    ]
    there = tuple(f"{each.number} {day}" for each in out)
    if not home or dice.between(1, 5) < 3:
        return there, ()
    return there, (f"{dice.pick(home).number} {day + timedelta(days=dice.between(1, STAY))}",)


def _connects(first: Flight, second: Flight, day: date) -> bool:
    """Whether the second flight can be caught on the same day, and leads on."""
    return (
        second.origin == first.destination
        and second.destination != first.origin
        and first.arrival(day) + CHANGE <= second.departure(day)
    )


def _booking_time(first: date, dice: Dice) -> str:
    """Some days before the first flight, and before now."""
    latest = min(datetime.combine(first, datetime.min.time()), NOW)
    return (
        latest - timedelta(minutes=dice.between(600, 40_000), seconds=dice.between(0, 59))
    ).isoformat()


def _trip(entry: Mapping[str, Any]) -> Trip:
    listed = ("out", "back", "passengers", "paid")
    return Trip(**{"back": (), **entry, **{name: tuple(entry.get(name, ())) for name in listed}})


def _read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))
