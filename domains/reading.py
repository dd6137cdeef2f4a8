"""Reading a domain's files, checked field by field; whatever is wrong is told in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domains.domain import DomainError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is read; several times any store's, and read in seconds."""

Reference = tuple[tuple[str | int, ...], str, str]
"""Where in a file an id stands, the collection it is an id of, and the id."""


@dataclass(frozen=True)
class Layout:
    """What a file of records has to look like."""

    what: str
    """What it holds, in words: ``a retail store``."""

    model: type[BaseModel]
    ids: Mapping[str, str]
    """The collections, and the field of each that repeats a record's id."""

    references: Callable[[Mapping[str, Any]], Iterable[Reference]]
    """Every id in the content that must be one of another collection."""


def read_text(path: Traversable) -> str:
    """A file's text; DomainError says what is wrong with it."""
    try:
        if isinstance(path, Path) and path.stat().st_size > LARGEST:
            raise DomainError(
                f"The file {path} is larger than {LARGEST // 1024**2} MB, which no store's file "
                "is; choose another folder."
            )
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


def read_records(path: Traversable, layout: Layout) -> dict[str, Any]:
    """A file's content as its model dumps it; DomainError names the file and the field."""
    from pydantic import ValidationError

    try:
        content = layout.model.model_validate(_json(path, layout)).model_dump()
    except ValidationError as error:
        raise _misfit(path, layout, *_first(error)) from error
    for name, id_field in layout.ids.items():
        for key, record in content[name].items():
            if record[id_field] != key:
                raise _misfit(path, layout, (name, key, id_field), f"is {record[id_field]!r}")
    for place, name, key in layout.references(content):
        if key not in content[name]:
            raise _misfit(path, layout, place, f"{name} has no {key!r}")
    return content


def _json(path: Traversable, layout: Layout) -> Any:
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise DomainError(
            f"The file {path} is not valid JSON: {error.msg} in line {error.lineno}, "
            f"column {error.colno}; mend it or choose another folder."
        ) from error
    except RecursionError:
        raise DomainError(
            f"The file {path} is nested too deeply to be {layout.what}; choose another folder."
        ) from None


def _first(error: ValidationError) -> tuple[tuple[int | str, ...], str]:
    """Where the first thing wrong is, and what it is."""
    first, others = error.errors(include_url=False)[0], error.error_count() - 1
    return first["loc"], first["msg"].lower() + (f" (and {others} more)" if others else "")


def _misfit(
    path: Traversable, layout: Layout, field: Sequence[int | str], fault: str
) -> DomainError:
    """The sentence; names and ids are the file's own text, so only what prints of them is told."""
    name = _printed(".".join(str(step) for step in field) or "the whole")
    return DomainError(
        f"The file {path} does not hold {layout.what}: {name}: {_printed(fault)}; "
        "mend that field or choose another folder."
    )


def _printed(text: str) -> str:
    return "".join(character for character in text if character.isprintable())[:200]
