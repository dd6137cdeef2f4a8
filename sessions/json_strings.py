"""Read or change every string in a JSON value, including the keys of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def leaves_in(value: object, *, keys: bool = True) -> Iterator[object]:
    """Yield the leaves of a JSON value in order: strings, numbers, booleans, nulls, and keys."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if keys:
                yield key
            yield from leaves_in(item, keys=keys)
    elif isinstance(value, list):
        for item in value:
            yield from leaves_in(item, keys=keys)
    else:
        yield value


def strings_in(value: object, *, keys: bool = True) -> Iterator[str]:
    """The strings of a JSON value, in order."""
    return (leaf for leaf in leaves_in(value, keys=keys) if isinstance(leaf, str))


def map_values(value: Any, change: Callable[[str], str]) -> Any:
    """Apply a function to every string in a JSON value except the keys of objects."""
    if isinstance(value, list):
        return [map_values(item, change) for item in value]
    if isinstance(value, dict):
        return {key: map_values(item, change) for key, item in value.items()}
    return change(value) if isinstance(value, str) else value


def map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """Apply a function to every string in a JSON value, keys included; keys become strings."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {change(str(key)): map_strings(item, change) for key, item in value.items()}
    return value
