"""Which values of a domain's records are about a person, as a matter of record and not of guess."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Kinds = Mapping[str, str]
"""A record's fields that are personal, and what each is, in a word."""

SHOP: Kinds = {
    "user_id": "user",
    "first_name": "first-name",
    "last_name": "last-name",
    "email": "email",
    "address1": "street",
    "address2": "unit",
    "city": "city",
    "zip": "zip",
    "dob": "birth-date",
    "last_four": "card",
}
"""For customers who have names, addresses and cards."""

_ONLY_BESIDE = {"city": "zip"}
"""Fields that say something of a person only in an address."""


def values(content: Any, kinds: Kinds) -> Iterator[tuple[str, str]]:
    """Every personal value anywhere in a JSON value, with its kind; JSON in texts is read too."""
    waiting = [content]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield from _own(value, kinds)
            yield from _changed_fields(value, kinds)
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
        elif isinstance(value, str) and value[:1] in ("{", "["):
            waiting.append(_read(value))


def _own(record: Mapping[str, Any], kinds: Kinds) -> Iterator[tuple[str, str]]:
    for name in kinds.keys() & record.keys():
        value, beside = record[name], _ONLY_BESIDE.get(name)
        if isinstance(value, str) and value.strip() and (beside is None or beside in record):
            yield kinds[name], value.strip()


def _changed_fields(entry: Mapping[str, Any], kinds: Kinds) -> Iterator[tuple[str, str]]:
    """A field of a write's patch names what it changes by its path."""
    path = entry.get("path")
    if isinstance(path, list | tuple) and path and path[-1] in kinds:
        for value in (entry.get("before"), entry.get("after")):
            if isinstance(value, str) and value.strip():
                yield kinds[path[-1]], value.strip()


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
