"""Reading and checking a domain's files; a fault is reported in one sentence."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from importlib.resources.abc import Traversable
from operator import getitem
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domains.core.domain import DomainError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

MB = 1024 * 1024
MAX_FILE_BYTES = 32 * MB
"""The most bytes in a file: several times τ²-bench's largest, and still read in seconds."""

MAX_POLICY_BYTES = MB
"""The most bytes in a policy: more than models accept, and a hundred times τ²-bench's."""

EVERY = "*"
"""Stands for every id in a table, in the path of a table that each of its records has."""

Place = tuple[str | int, ...]
"""A position in a file: object keys and list indexes."""

Reference = tuple[Place, Place, str]
"""The place of an id, the place of the table that it refers to, and the id."""


_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""A surrogate as JSON escapes it.

Two of them make a character; one alone is text that no file can hold.
"""

_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Layout:
    """What a file of records must look like."""

    what: str
    """What the file holds, in words: ``a retail store``."""

    model: type[BaseModel]
    ids: Mapping[tuple[str, ...], str]
    """The paths of the tables, with the field in each that repeats a record's id."""

    references: Callable[[Mapping[str, Any]], Iterable[Reference]]
    """Yields every id in the content that must be in a table.

    Each is looked up before the next is asked for, so a reference may use what an earlier one
    named.
    """


def read_policy(path: Traversable) -> str:
    """The text of a policy; raises DomainError that says what is wrong with the file."""
    return read_text(path, MAX_POLICY_BYTES)


def read_text(path: Traversable, largest: int = MAX_FILE_BYTES) -> str:
    """The text of a file of at most ``largest`` bytes; DomainError says what is wrong with it."""
    try:
        if isinstance(path, Path):
            _must_be_readable(path, largest)
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DomainError(
            f"The file {path} is missing; put it beside the others or choose another folder."
        ) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DomainError(
            f"The file {path} is not UTF-8 text: see line {line}; save it as that or choose "
            "another folder."
        ) from error
    except OSError as error:
        raise DomainError(
            f"The file {path} cannot be read ({error.strerror}); choose another folder."
        ) from error
    if not text.strip():
        raise DomainError(f"The file {path} is empty; fill it or choose another folder.")
    return text


def _must_be_readable(path: Path, largest: int) -> None:
    """Raise DomainError if the path is not a file or the file is too large; nothing is read."""
    if path.exists() and not path.is_file():
        raise DomainError(
            f"{path} is not a file; put the file itself there or choose another folder."
        )
    if path.stat().st_size > largest:
        raise DomainError(
            f"The file {path} is larger than {largest // MB} MB, the largest size that is read; "
            "choose another folder."
        )


def read_records(path: Traversable, layout: Layout) -> dict[str, Any]:
    """A file's content as its model dumps it; raises DomainError naming the file and field."""
    from pydantic import ValidationError

    try:
        content = layout.model.model_validate(read_json(path, layout.what)).model_dump()
    except ValidationError as error:
        raise field_error(path, layout.what, *first_fault(error)) from error
    for place, fault in _faults(content, layout):
        raise field_error(path, layout.what, place, fault)
    return content


def _faults(content: Mapping[str, Any], layout: Layout) -> Iterator[tuple[Place, str]]:
    """Yield what does not fit together although every field has its type."""
    for pattern, field in layout.ids.items():
        for table, records in _tables((), content, pattern):
            for key, record in records.items():
                if record[field] != key:
                    yield (*table, key, field), f"is {record[field]!r}"
    for place, target, key in layout.references(content):
        if key not in reduce(getitem, target, content):  # type: ignore[arg-type]
            yield place, f"{_join_with_dots(target)} has no {key!r}"


def _tables(
    place: Place, content: Mapping[str, Any], pattern: Sequence[str]
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield the tables that a path with ``*`` in it stands for, each with its place."""
    if not pattern:
        yield place, content
        return
    for step in content if pattern[0] == EVERY else pattern[:1]:
        yield from _tables((*place, step), content[step], pattern[1:])


def read_json(path: Traversable, what: str) -> Any:
    """A file's content as JSON; raises DomainError that says what is wrong with it.

    ``what`` says in words what the file should hold.
    """
    text = read_text(path)
    try:
        content, repeats = _parse(text)
    except json.JSONDecodeError as error:
        raise DomainError(
            f"The file {path} is not valid JSON: {error.msg} in line {error.lineno}, "
            f"column {error.colno}; fix it or choose another folder."
        ) from error
    except ValueError as error:
        raise DomainError(
            f"The file {path} is not valid JSON: a number in it has too many digits; fix it or "
            "choose another folder."
        ) from error
    except RecursionError:
        raise DomainError(
            f"The file {path} is nested too deeply to be {what}; choose another folder."
        ) from None
    if repeats:  # take the last: an earlier one may be inside a value that a repeated key replaced
        holder, key = repeats[-1]
        place = next(place for place, value in _walk(content) if value is holder)
        raise field_error(path, what, (*place, key), "occurs more than once")
    if _ESCAPED_SURROGATE.search(text):
        for place, value in _walk(content):
            if any(isinstance(each, str) and _HALF.search(each) for each in (*place[-1:], value)):
                raise field_error(path, what, place, "contains half a character, such as \\ud800")
    return content


def _parse(text: str) -> tuple[Any, list[tuple[dict[str, Any], str]]]:
    """The content, and the objects that repeat a key, each with the first such key."""
    repeats: list[tuple[dict[str, Any], str]] = []

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            repeats.append((found, next(key for key in counts if counts[key] > 1)))
        return found

    return json.loads(text, object_pairs_hook=read_object), repeats


def _walk(content: Any) -> Iterator[tuple[Place, Any]]:
    """Yield every value in the content with its place, outer values first."""
    waiting: list[tuple[Place, Any]] = [((), content)]
    while waiting:
        place, value = waiting.pop()
        yield place, value
        if isinstance(value, dict | list):
            steps = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*place, step), inner) for step, inner in steps]


def first_fault(error: ValidationError) -> tuple[tuple[int | str, ...], str]:
    """The place of the first fault, and what it is."""
    first, others = error.errors(include_url=False)[0], error.error_count() - 1
    return first["loc"], first["msg"].lower() + (f" (and {others} more)" if others else "")


def field_error(
    path: Traversable, what: str, field: Sequence[int | str], fault: str
) -> DomainError:
    """The error for a fault in a file's field.

    Names and ids are the file's own text, so only their printable characters are used.
    """
    name = _print(_join_with_dots(field) or "the whole file")
    return DomainError(
        f"The file {path} does not hold {what}: {name}: {_print(fault)}; "
        "fix that field or choose another folder."
    )


def _join_with_dots(place: Sequence[int | str]) -> str:
    return ".".join(str(step) for step in place)


def _print(text: str) -> str:
    return "".join(character for character in text if character.isprintable())[:200]
