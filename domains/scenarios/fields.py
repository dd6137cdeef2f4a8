"""Checks of single values in our own scenario files.

Each returns the value if it is what it should be, and raises DomainError otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from domains.core.domain import DomainError


def as_object(
    entry: Any, what: str, *, needed: Collection[str], allowed: Collection[str]
) -> Mapping[str, Any]:
    """A JSON object with every needed field, and with none that is not allowed."""
    if not isinstance(entry, dict):
        raise DomainError(f"{what} should be an object.")
    for name in sorted(set(needed) - entry.keys()):
        raise DomainError(f"{what} lacks {name!r}.")
    for name in sorted(entry.keys() - set(allowed)):
        raise DomainError(f"{what} has an unknown {name!r}.")
    return entry


def as_list(value: Any, what: str) -> list[Any]:
    """A JSON list."""
    if not isinstance(value, list):
        raise DomainError(f"{what} should be a list.")
    return value


def as_text(value: Any, what: str) -> str:
    """A JSON string."""
    if not isinstance(value, str):
        raise DomainError(f"{what} should be text.")
    return value


def as_texts(value: Any, what: str) -> tuple[str, ...]:
    """A JSON list of strings, as a tuple."""
    return tuple(as_text(each, f"each of {what}") for each in as_list(value, what))


def as_one_of(names: Collection[str], value: Any, what: str) -> Any:
    """A JSON string that is one of ``names``."""
    if as_text(value, what) not in names:
        some = ", ".join(repr(each) for each in names if each)
        raise DomainError(f"{what} should be one of {some}, not {value!r}.")
    return value


def as_flag(value: Any, what: str) -> bool:
    """A JSON true or false."""
    if not isinstance(value, bool):
        raise DomainError(f"{what} should be true or false.")
    return value
