"""Words normalised for comparison: lower case, singular, numbers separated from their units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from agent.comparison.sentences import stem

Tokens = tuple[str, ...]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’](?:t|m|s|re|ll|ve|d)\b)?|[%>&]|->")
APART = 7
"""Within how many words of the first word of a two-word verb the second one must be."""

_LETTERS = 5
"""How long a word must be for a typo in it to be tolerated."""

_ALIKE = 84.0
_UNITS = {
    "l": "liter", "litre": "liter", "ltr": "liter", "inche": "inch", "grey": "gray", "in": "in",
    "centimeter": "cm", "millilitre": "ml", "milliliter": "ml", "tshirt": "t-shirt", "lbs": "lb",
    "pound": "lb", "colour": "color", "purpl": "purple", "headphone": "headphones",
    "earphone": "earphones", "kilo": "kg", "hour": "hour", "hr": "hour", "sneaker": "sneakers",
}  # fmt: skip


@lru_cache(maxsize=4096)
def tokens(text: str) -> Tokens:
    """The tokens of a text; ``1000ml`` and ``1000 ml`` give the same two."""
    joined = (
        text.lower().replace("’", "'").replace("t-shirt", "tshirt").replace("t shirt", "tshirt")
    )
    return tuple(_plain(each) for each in _TOKEN.findall(joined))


def _plain(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    short = stem(word)
    return _UNITS.get(short, short) if short != "l" else "l"


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two tokens are the same word; a typo is tolerated in a longer one."""
    if one == other:
        return True
    if min(len(one), len(other)) < _LETTERS or one[0] != other[0]:
        return False
    if one[0].isdigit():
        return False
    return fuzz.ratio(one, other) >= _ALIKE


def find(needle: Sequence[str], text: Sequence[str], start: int = 0) -> int:
    """The index at which tokens occur in sequence in a text, typos tolerated; -1 if they do not."""
    width = len(needle)
    for place in range(start, len(text) - width + 1):
        if all(map(alike, needle, text[place : place + width])):
            return place
    return -1


def places_of(verb: Tokens, words: Tokens) -> Iterator[tuple[int, int]]:
    """Yield the start and end of a verb; two words of one may be apart: "send the lamp back"."""
    place = find(verb, words)
    while place >= 0:
        yield place, place + len(verb)
        place = find(verb, words, place + 1)
    if len(verb) == 2:
        starts = (n for n, word in enumerate(words) if word == verb[0])
        yield from ((n, n + 1) for n in starts if verb[1] in words[n + 2 : n + APART])


def has(text: Sequence[str], *phrases: str) -> bool:
    """Whether any of the phrases occurs in a text exactly."""
    words, known = tuple(text), frozenset(text)
    return any(
        words[place : place + len(each)] == each
        for each in map(tokens, phrases)
        if known.issuperset(each)
        for place in range(len(words) - len(each) + 1)
    )
