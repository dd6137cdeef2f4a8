"""What follows from records or scenarios alone, worked out once while they stay the same objects.

A record that has been stored is never changed in place: a write puts another in its place. So what
was made of the very same objects still holds, on the next card, in the next session.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_BY_VALUE = (str, tuple)

_MOST = 256
"""Results that are kept of one function; those of the cards of the last minutes."""


def derived(function: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function gives for the very same objects, and for equal texts and tuples.

    For positional arguments alone. The result is shared: whoever gets it does not change it.
    Never for a record that a tool is still writing.
    """
    kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], T]] = {}

    @wraps(function)
    def look_up(*arguments: P.args, **named: P.kwargs) -> T:
        key = tuple([each if isinstance(each, _BY_VALUE) else id(each) for each in arguments])
        found = kept.get(key)
        if found is None:
            if len(kept) >= _MOST:
                kept.clear()
            # the arguments stay alive with it, so that no other object gets their ids
            found = kept[key] = (arguments, function(*arguments, **named))
        return found[1]

    return look_up
