"""Who shops in the demo store, in outline: the cast that scenarios are about, and a crowd.

The cast is written by hand in ``data/cast.json``. The crowd is drawn from word lists with a fixed
seed. An outline names items and payment methods in words; ``generate`` turns it into records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.generators.drawing import Dice, draw_city, draw_street, make_email

DATA = Path(__file__).parent / "data"

CROWD_SIZE = 27
"""With the cast this makes fifty customers."""

STATUSES = {
    "delivered": 28,
    "pending": 24,
    "processed": 13,
    "cancelled": 12,
    "pending (item modified)": 7,
    "exchange requested": 7,
    "return requested": 9,
}
"""How often the crowd's orders have each status, in parts of a hundred."""

WALLETS = (
    ("visa",),
    ("mastercard",),
    ("paypal",),
    ("visa", "mastercard"),
    ("visa", "gift card"),
    ("mastercard", "visa", "paypal"),
    ("paypal", "gift card"),
    ("mastercard", "paypal", "gift card"),
)
"""The payment methods that customers of the crowd hold together."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """An order in outline."""

    status: str
    paid: str
    """The start of one of the customer's methods: ``visa``."""

    items: tuple[str, ...]
    """Each as ``Product: option / option``."""

    to: tuple[str, ...] = ()
    """The address, where it is not the customer's own."""


@dataclass(frozen=True, slots=True)
class Person:
    """A customer in outline."""

    name: str
    email: str
    address: tuple[str, ...]
    """Two address lines, city, state, zip."""

    methods: tuple[str, ...]
    """Each as ``visa 4417``, ``paypal`` or ``gift card 45.00``."""

    orders: tuple[Purchase, ...]
    """Oldest first."""


def cast() -> list[Person]:
    """The customers that scenarios are about, as written in ``data/cast.json``."""
    return [
        Person(
            name=entry["name"],
            email=entry["email"],
            address=tuple(entry["address"]),
            methods=tuple(entry["methods"]),
            orders=tuple(_purchase(order) for order in entry["orders"]),
        )
        for entry in _read("cast.json")
    ]


def crowd(catalogue: Sequence[Mapping[str, Any]]) -> list[Person]:
    """Customers drawn from the word lists, who buy what is in the catalogue."""
    words = _read("people.json")
    dice = Dice("crowd")
    firsts = dice.shuffle(words["first_names"])[:CROWD_SIZE]
    lasts = dice.shuffle(words["last_names"])
    return [
        _stranger(first, last, words, catalogue) for first, last in zip(firsts, lasts, strict=False)
    ]


def _stranger(
    first: str, last: str, words: Mapping[str, list[str]], catalogue: Sequence[Mapping[str, Any]]
) -> Person:
    dice = Dice("stranger", first, last)
    street = draw_street(words, dice)
    methods = tuple(_method(kind, dice) for kind in dice.pick(WALLETS))
    return Person(
        name=f"{first} {last}",
        email=make_email(f"{first} {last}", dice),
        address=(*street, *draw_city(words, dice)),
        methods=methods,
        orders=tuple(_draw_purchase(methods, catalogue, dice) for _ in range(dice.between(2, 6))),
    )


def _method(kind: str, dice: Dice) -> str:
    if kind == "paypal":
        return kind
    if kind == "gift card":
        return f"{kind} {dice.between(2, 26) * 5}.00"
    return f"{kind} {dice.between(1000, 9999)}"


def _draw_purchase(
    methods: Sequence[str], catalogue: Sequence[Mapping[str, Any]], dice: Dice
) -> Purchase:
    bought = dice.shuffle(catalogue)[: dice.pick((1, 1, 2, 2, 3, 4))]
    return Purchase(
        status=dice.draw_weighted(STATUSES),
        paid=dice.pick(methods),
        items=tuple(f"{product['name']}: {dice.pick(product['variants'])}" for product in bought),
    )


def _purchase(entry: Mapping[str, Any]) -> Purchase:
    return Purchase(
        entry["status"], entry["paid"], tuple(entry["items"]), tuple(entry.get("to", ()))
    )


def _read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))
