"""The customers that a person can play without a scenario: who they are and what they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from domains.core.changes import Record
from domains.core.domain import Domain, Role, Sheet

MAX_CUSTOMERS = 500
"""The most customers that are read; a folder may hold any number."""

NOTHING = "nothing yet"

_THINGS = 12
"""The most orders or reservations that a role lists; the Record pane has all of them."""

_IDENTITY = {"email": "email", "zip": "zip code", "user_id": "user id"}
"""What customers give to be identified: the look-ups' parameter names, and the same in words."""

_PARTS = frozenset({"item", "flight"})
"""The labels of the lines that say what an order or a reservation contains."""

_STATUS = "status"


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer in the records whom a person can play."""

    id: str
    name: str
    summary: str
    """The customer's belongings in short: ``orders: 2 delivered, 1 pending · Visa, PayPal``."""

    role: Role


def customers(domain: Domain) -> tuple[Customer, ...]:
    """The domain's first :data:`MAX_CUSTOMERS` customers; none if it does not say who they are."""
    ids = islice(domain.base.collections.get(domain.customers, {}), MAX_CUSTOMERS)
    found = (customer(domain, each) for each in ids)
    return tuple(each for each in found if each is not None)


def customer(domain: Domain, customer_id: str) -> Customer | None:
    """The customer as in the base records; None if there is none or it cannot be read."""
    record = domain.base.collections.get(domain.customers, {}).get(customer_id)
    if record is None:
        return None
    try:
        return _read(domain, customer_id, record)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None  # records from elsewhere may lack fields that ours have


def _read(domain: Domain, customer_id: str, record: Record) -> Customer | None:
    sheets = domain.sheets(domain.records(), customer_id)
    if not sheets:
        return None
    name = sheets[0].heading
    things = [sheet for sheet in sheets if _status(sheet)]
    methods = _methods(record, sheets)
    has = " · ".join(filter(None, (_by_status(things), _kinds(record))))
    who = f"You are {name}.\nThere is no script: ask for anything you like."
    knows = (
        *(f"Your {words} is {value}." for words, value in _identity(domain, record)),
        *([f"You can pay with: {', '.join(methods)}."] if methods else []),
        *map(_thing, things[:_THINGS]),
        *([f"And {len(things) - _THINGS} more."] if len(things) > _THINGS else []),
    )
    return Customer(customer_id, name, has or NOTHING, Role(who, knows=knows))


def _identity(domain: Domain, record: Record) -> Iterator[tuple[str, str]]:
    """Yield what the domain's look-ups find this customer by, except for the name."""
    asked = {
        name
        for schema in domain.tools.schemas
        if schema["function"]["name"] in domain.identifies
        for name in schema["function"]["parameters"].get("properties", {})
    }
    for name, words in _IDENTITY.items():
        value = _string_in(record, name) if name in asked else None
        if value:
            yield words, value


def _string_in(record: Mapping[str, Any], name: str) -> str | None:
    nested = (each for each in record.values() if isinstance(each, dict))
    for each in (record, *nested):
        if isinstance(value := each.get(name), str):
            return value
    return None


def _kinds(record: Record) -> str:
    """The kinds of payment method, without repeats: ``Visa, gift card``."""
    methods = record.get("payment_methods")
    if not isinstance(methods, dict):
        return ""
    kinds = (str(each.get("brand") or each["source"]) for each in methods.values())
    return ", ".join(dict.fromkeys(_SPOKEN.get(kind, kind.replace("_", " ")) for kind in kinds))


_SPOKEN = {"paypal": "PayPal", "visa": "Visa", "mastercard": "Mastercard"}


def _methods(record: Record, sheets: list[Sheet]) -> list[str]:
    """The payment methods as the records describe them, with any balance left."""
    held = record.get("payment_methods")
    ids = frozenset(held) if isinstance(held, dict) else frozenset[str]()
    return [line.value for sheet in sheets for line in sheet.fields if line.label in ids]


def _status(sheet: Sheet) -> str:
    return next((line.value for line in sheet.fields if line.label == _STATUS), "")


def _by_status(things: list[Sheet]) -> str:
    """How many there are of each kind and status: ``orders: 2 delivered, 1 pending``."""
    kinds: dict[str, Counter[str]] = {}
    for sheet in things:
        kinds.setdefault(sheet.heading.split()[0].lower(), Counter())[_status(sheet)] += 1
    return " · ".join(
        f"{kind}s: {', '.join(f'{number} {status}' for status, number in counts.items())}"
        for kind, counts in kinds.items()
    )


def _thing(sheet: Sheet) -> str:
    parts = [line.value for line in sheet.fields if line.label in _PARTS]
    told = f": {'; '.join(parts)}" if parts else ""
    return f"{sheet.heading}, {_status(sheet)}{told}."
