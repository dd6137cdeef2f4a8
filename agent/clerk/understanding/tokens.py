"""Words normalised for comparison: lower case, singular, numbers separated from their units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from agent.comparison.sentences import stem

Tokens = tuple[str, ...]

_TOKEN = re.compile(
    r"\bt[- ]shirts?\b|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’](?:t|m|s|re|ll|ve|d)\b)?|[%>&]|->"
)
_LETTERS = 5
"""How long a word must be for a typo in it to be tolerated."""

_ALIKE = 84.0
_UNITS = {
    "litre": "liter", "ltr": "liter", "inche": "inch", "grey": "gray",
    "centimeter": "cm", "millilitre": "ml", "milliliter": "ml", "tshirt": "t-shirt", "lbs": "lb",
    "pound": "lb", "colour": "color", "purpl": "purple", "headphone": "headphones",
    "earphone": "earphones", "kilo": "kg", "hr": "hour", "sneaker": "sneakers",
}  # fmt: skip


@lru_cache(maxsize=4096)
def tokens(text: str) -> Tokens:
    """The tokens of a text; ``1000ml`` and ``1000 ml`` give the same two."""
    return tuple(_plain(each) for each in _TOKEN.findall(text.lower().replace("’", "'")))


def span(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the tokens of a text from one to before another stand in it."""
    places = [each.span() for each in _TOKEN.finditer(text.lower().replace("’", "'"))]
    return places[start][0], places[end - 1][1]


def _plain(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    short = stem(word.replace(" ", "-"))
    return _UNITS.get(short, short)


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two tokens are the same word; a typo is tolerated in a longer one."""
    if one == other:
        return True
    long = min(len(one), len(other)) >= _LETTERS and one[0] == other[0] and not one[0].isdigit()
    return long and fuzz.ratio(one, other) >= _ALIKE


def find(needle: Sequence[str], text: Sequence[str], start: int = 0) -> int:
    """The index at which tokens occur in sequence in a text, typos tolerated; -1 if they do not."""
    width = len(needle)
    for place in range(start, len(text) - width + 1):
        if all(map(alike, needle, text[place : place + width])):
            return place
    return -1


def has(text: Sequence[str], *phrases: str) -> bool:
    """Whether any of the phrases occurs in a text exactly."""
    words, known = tuple(text), frozenset(text)
    return any(
        words[place : place + len(each)] == each
        for each in map(tokens, phrases)
        if known.issuperset(each)
        for place in range(len(words) - len(each) + 1)
    )
