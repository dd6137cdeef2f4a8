"""Corrects a slip: *2215 not 2251*, *it's Jenifer with one n*.

The wrong part is found in the values given before, so that the customer need not repeat the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz import fuzz

from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, tokens

_WORD = re.compile(r"[\w'-]+")
_MOST = 3
"""How many words are corrected at once at most."""

_ALIKE = 60.0
"""How similar two words must be, in percent, to count as spellings of the same word."""

_SPELLED = re.compile(
    r"\b([a-z][\w'-]+)\s*,?\s+(?:(?:is|are|spelled|spelt|written)\s+)*with\s+(?:just\s+|only\s+)?"
    r"(?:an?|one|two|three|double|single)\s+['\"]?[a-z]['\"]?(?:'?s)?(?![\w])",
    re.IGNORECASE,
)
_BESIDE = frozenset(GENERAL.by_name["beside what is put right"])
"""Words around a correction that are not part of it."""


def after_correction(words: Tokens, places: Sequence[int]) -> list[int]:
    """The places of a slot's values that still count: "in wine, no sorry, graphite" is graphite.

    If the customer corrects themselves between two values, the values before that do not count.
    """
    if len(places) < 2:
        return [*places]
    first, last = min(places), max(places)
    ends = (
        start + len(mark)
        for mark in map(tokens, GENERAL.by_name["self-correction"])
        for start in range(first + 1, last - len(mark) + 1)
        if words[start : start + len(mark)] == mark
    )
    end = max(ends, default=0)
    return [each for each in places if each >= end]


def is_correction(words: Tokens) -> bool:
    """Whether a clause only says that what was said before is to be corrected: "ah no"."""
    return words in set(map(tokens, GENERAL.by_name["self-correction"]))


def corrected_values(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """The values given before that a text corrects, each in its corrected form."""
    found: dict[str, str] = {}
    for wrong, right in _pairs(text, given):
        for name, value in given.items():
            fixed = _replace(value, wrong, right)
            if fixed != value:
                found[name] = fixed
    return found


def _pairs(text: str, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each wrong part with its replacement."""
    spoken = _WORD.findall(text.replace("’", "'"))
    for place, word in enumerate(spoken):
        instead = word.lower() == "of" and spoken[place - 1].lower() == "instead"
        if word.lower() == "not" or instead:
            before = spoken[: place - instead]
            pair = _in_its_place(before, spoken[place + 1 :], given)
            yield from [pair] if pair else []
    for hit in _SPELLED.finditer(text.replace("’", "'")):
        wrong = _most_like(hit[1], given)
        if wrong:
            yield wrong, hit[1]


def _in_its_place(
    before: list[str], after: list[str], given: Mapping[str, str]
) -> tuple[str, str] | None:
    """The wrong part and its replacement in *X not Y* or *not Y, X*, if Y was given before."""
    while before and before[-1].lower() in _BESIDE:
        before = before[:-1]
    for count in range(min(_MOST, len(after)), 0, -1):
        wrong, rest = " ".join(after[:count]), after[count:]
        while rest and rest[0].lower() in _BESIDE:
            rest = rest[1:]
        if any(_replace(value, wrong, "") != value for value in given.values()):
            figure = [each for each in before if each[0].isdigit()][-1:]
            for right in (before[-count:], rest[:count], figure):
                if _is_alike(after[:count], right):
                    return wrong, " ".join(right)
    return None


def _is_alike(wrong: list[str], right: list[str]) -> bool:
    """Whether numbers replace numbers and words replace words, without any filler words."""
    kinds = [[each[0].isdigit() for each in some] for some in (wrong, right)]
    return kinds[0] == kinds[1] and not _BESIDE & {each.lower() for each in right}


def _most_like(word: str, given: Mapping[str, str]) -> str:
    known = [each for value in given.values() for each in _WORD.findall(value)]
    scored = [(fuzz.ratio(each.lower(), word.lower()), each) for each in known]
    closeness, found = max(scored, default=(0.0, ""))
    return found if closeness >= _ALIKE else ""


def _replace(value: str, wrong: str, right: str) -> str:
    """The value with the wrong part replaced, capitalised like the part that it replaces."""
    hit = re.search(rf"(?<![\w]){re.escape(wrong)}(?![\w])", value, re.IGNORECASE)
    if hit is None:
        return value
    large = right.title() if right.islower() and hit.group()[:1].isupper() else right
    return value[: hit.start()] + large + value[hit.end() :]
