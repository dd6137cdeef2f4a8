"""Reading a store's files, checked field by field; whatever is wrong is told in one sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from domains.domain import DomainError
from domains.records import Base

if TYPE_CHECKING:
    from pydantic import ValidationError

IDS = {"products": "product_id", "users": "user_id", "orders": "order_id"}
"""The collections of a store, and the field of each that repeats a record's id."""


def read_text(path: Traversable) -> str:
    """A file's text; DomainError says what is wrong with it."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DomainError(
            f"The file {path} is missing; put it beside the others or choose another folder."
        ) from None
    except UnicodeDecodeError as error:
        raise DomainError(
            f"The file {path} is not UTF-8 text; save it as that or choose another folder."
        ) from error
    except OSError as error:
        raise DomainError(
            f"The file {path} cannot be read ({error.strerror}); choose another folder."
        ) from error


def read_base(path: Traversable, source: str) -> Base:
    """A store's records; ``source`` says in words where they are from.

    Raises DomainError that names the file and the field.
    """
    from pydantic import ValidationError

    from domains.retail.schema import Store

    content = _json(path)
    try:
        collections = Store.model_validate(content).model_dump()
    except ValidationError as error:
        raise _not_a_store(path, *_first(error)) from error
    for name, id_field in IDS.items():
        for key, record in collections[name].items():
            if record[id_field] != key:
                raise _not_a_store(path, (name, key, id_field), f"is {record[id_field]!r}")
    return Base(collections, source)


def _json(path: Traversable) -> Any:
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise DomainError(
            f"The file {path} is not valid JSON: {error.msg} in line {error.lineno}, "
            f"column {error.colno}; mend it or choose another folder."
        ) from error
    except RecursionError:
        raise DomainError(
            f"The file {path} is nested too deeply to be a store; choose another folder."
        ) from None


def _first(error: ValidationError) -> tuple[tuple[int | str, ...], str]:
    """Where the first thing wrong is, and what it is."""
    first, others = error.errors(include_url=False)[0], error.error_count() - 1
    return first["loc"], first["msg"].lower() + (f" (and {others} more)" if others else "")


def _not_a_store(path: Traversable, field: Sequence[int | str], fault: str) -> DomainError:
    """The sentence; a field's name is the file's own text, so only what prints of it is told."""
    name = ".".join(str(step) for step in field) or "the whole"
    printed = "".join(character for character in name if character.isprintable())
    return DomainError(
        f"The file {path} does not hold a retail store: {printed[:200]}: {fault}; "
        "mend that field or choose another folder."
    )
