"""The act that a change is: whether and how a sentence speaks of it."""

from __future__ import annotations

from collections.abc import Iterable

from agent.comparison.sentences import Tokens, words

_ENDINGS = frozenset(
    ("e", "ed", "ing", "led", "ling", "ped", "ping", "ation", "er", "ion", "es", "d", "t")
)


def has_verb(verbs: Iterable[str], spoken: Tokens) -> bool:
    """Whether any of these verbs stands in words, in any of its forms."""
    return any(place_of_verb(verb, spoken) is not None for verb in verbs)


def place_of_verb(verb: str, spoken: Tokens) -> int | None:
    """Where a verb stands in any of its forms: *cancel*, *cancelled*, *cancelling*."""
    first, *rest = words(verb)
    root = first.removesuffix("e")
    for place, word in enumerate(spoken):
        fits = word == first or (word.startswith(root) and word[len(root) :] in _ENDINGS)
        if fits and list(spoken[place + 1 : place + 1 + len(rest)]) == rest:
            return place
    return None
