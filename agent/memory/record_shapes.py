"""Describes the structure of a domain's records for a model, without any of their content.

PolicyBank, appendix B: the policy agent is given the database's schema. It is derived from the
records themselves, so that it always fits them; ids and values are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

MOST_RECORDS = 50
"""How many records of a collection, or items of a list, are examined."""

MOST_FIELDS = 20
"""How many names objects of one kind may have in total before the names count as ids.

They never do if an object has half of the names.
"""

Shape = dict[str, Any] | list[Any] | str

_KINDS = {bool: "true or false", int: "number", float: "number", str: "text"}


def record_shapes(collections: Mapping[str, Mapping[str, Any]]) -> dict[str, Shape]:
    """The fields of each collection's records, each with its kind."""
    return {
        name: shape_of(list(islice(records.values(), MOST_RECORDS)))
        for name, records in collections.items()
    }


def shape_of(values: Sequence[Any]) -> Shape:
    """The shape that values in the same place have in common."""
    objects = [each for each in values if isinstance(each, dict)]
    if objects:
        return _fields(objects)
    lists = [each for each in values if isinstance(each, list)]
    if lists:
        return [shape_of([item for each in lists for item in each][:MOST_RECORDS])]
    kinds = {_KINDS[type(each)] for each in values if type(each) in _KINDS}
    return " or ".join(sorted(kinds)) or "nothing"


def _fields(objects: Sequence[dict[str, Any]]) -> Shape:
    """The fields of the objects; if their names are ids, the shape of what is under any of them."""
    found: dict[str, list[Any]] = {}
    for each in objects:
        for name, value in each.items():
            found.setdefault(name, []).append(value)
    widest = max(map(len, objects))
    if any(map(_is_id, found)) or (len(found) > MOST_FIELDS and widest < len(found) / 2):
        return {"by id": shape_of([value for values in found.values() for value in values])}
    return {name: shape_of(values) for name, values in found.items()}


def _is_id(name: str) -> bool:
    """Whether a name is the id of one thing among many: no field's name has two digits."""
    return sum(map(str.isdigit, name)) > 1
