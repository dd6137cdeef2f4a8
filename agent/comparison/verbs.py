"""The act that a change is: whether and how a sentence speaks of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from agent.comparison.sentences import Tokens, words

_ENDINGS = frozenset(
    ("e", "ed", "ing", "led", "ling", "ped", "ping", "ation", "er", "ion", "es", "d", "t")
)


def has_verb(verbs: Iterable[str], spoken: Tokens) -> bool:
    """Whether any of these verbs stands in words, in any of its forms."""
    return any(place_of_verb(verb, spoken) is not None for verb in verbs)


def place_of_verb(verb: str, spoken: Tokens) -> int | None:
    """Where a verb stands in any of its forms: *cancel*, *cancelled*, *cancelling*."""
    first, root, rest = _parts(verb)
    for place, word in enumerate(spoken):
        fits = word == first or (word.startswith(root) and word[len(root) :] in _ENDINGS)
        if fits and spoken[place + 1 : place + 1 + len(rest)] == rest:
            return place
    return None


@lru_cache(maxsize=256)
def _parts(verb: str) -> tuple[str, str, Tokens]:
    """A verb, what all its forms begin with, and what follows it: *send back*."""
    first, *rest = words(verb)
    return first, first.removesuffix("e"), tuple(rest)
