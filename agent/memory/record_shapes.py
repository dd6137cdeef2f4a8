"""What a domain's records look like, and nothing of what they hold: a model's view of a database.

(PolicyBank, appendix B: the policy agent is given the database's schema.) Derived from the records
themselves, so that it is never another's; ids and values are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

MOST_RECORDS = 50
"""Records of a collection, or things in a list, that are looked at."""

MOST_FIELDS = 20
"""Names that objects of one kind may have between them, where none has half of them."""

Shape = dict[str, Any] | list[Any] | str

_KINDS = {bool: "true or false", int: "number", float: "number", str: "text"}


def record_shapes(collections: Mapping[str, Mapping[str, Any]]) -> dict[str, Shape]:
    """The fields of each collection's records, each with its kind."""
    return {
        name: shape_of(list(islice(records.values(), MOST_RECORDS)))
        for name, records in collections.items()
    }


def shape_of(values: Sequence[Any]) -> Shape:
    """What is common to values that stand in one place."""
    objects = [each for each in values if isinstance(each, dict)]
    if objects:
        return _fields(objects)
    lists = [each for each in values if isinstance(each, list)]
    if lists:
        return [shape_of([item for each in lists for item in each][:MOST_RECORDS])]
    kinds = {_KINDS[type(each)] for each in values if type(each) in _KINDS}
    return " or ".join(sorted(kinds)) or "nothing"


def _fields(objects: Sequence[dict[str, Any]]) -> Shape:
    """The names of objects' fields; where they name things, what stands under any of them."""
    found: dict[str, list[Any]] = {}
    for each in objects:
        for name, value in each.items():
            found.setdefault(name, []).append(value)
    widest = max(map(len, objects))
    if any(map(_is_id, found)) or (len(found) > MOST_FIELDS and widest < len(found) / 2):
        return {"by id": shape_of([value for values in found.values() for value in values])}
    return {name: shape_of(values) for name, values in found.items()}


def _is_id(name: str) -> bool:
    """Whether it names one thing among many: no field's name has two digits."""
    return sum(map(str.isdigit, name)) > 1
