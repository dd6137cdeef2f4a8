"""A cache for values that follow from records or scenarios alone.

A record that has been stored is never changed in place: a write replaces it. A value derived from
the very same objects therefore stays valid, on the next card and in the next session.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_BY_VALUE = (str, tuple)

_CACHE_SIZE = 256
"""The most results cached per function: enough for the cards of the last minutes."""


def cached_by_identity(function: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results for the very same objects, and for equal strings and tuples.

    Only positional arguments are part of the key. The result is shared, so callers must not change
    it. Do not use this for a record that a tool is still writing.
    """
    kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], T]] = {}

    @wraps(function)
    def look_up(*arguments: P.args, **named: P.kwargs) -> T:
        key = tuple([each if isinstance(each, _BY_VALUE) else id(each) for each in arguments])
        found = kept.get(key)
        if found is None:
            if len(kept) >= _CACHE_SIZE:
                kept.clear()
            # keep the arguments alive, so that no other object can get their ids
            found = kept[key] = (arguments, function(*arguments, **named))
        return found[1]

    return look_up
