"""Which values in a domain's records are personal data, declared rather than guessed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

PersonalFields = Mapping[str, str]
"""The personal fields of a record, with a word for each that says what it is."""

CUSTOMER_FIELDS: PersonalFields = {
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
"""The personal fields of customers who have names, addresses and cards."""

_ONLY_BESIDE = {"city": "zip"}
"""Fields that are personal only beside another: a city only in an address, which has a ZIP code."""


def personal_values(content: Any, kinds: PersonalFields) -> Iterator[tuple[str, str]]:
    """Yield every personal value in a JSON value, with its kind; JSON in strings is read too."""
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


def _own(record: Mapping[str, Any], kinds: PersonalFields) -> Iterator[tuple[str, str]]:
    for name in kinds.keys() & record.keys():
        value, beside = record[name], _ONLY_BESIDE.get(name)
        if isinstance(value, str) and value.strip() and (beside is None or beside in record):
            yield kinds[name], value.strip()


def _changed_fields(entry: Mapping[str, Any], kinds: PersonalFields) -> Iterator[tuple[str, str]]:
    """Yield the personal values in a field of a write's patch, which is named by its path."""
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
