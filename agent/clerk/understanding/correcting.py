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

_MARKS = [tokens(each) for each in GENERAL.by_name["self-correction"]]


def after_correction(words: Tokens, places: Sequence[int]) -> list[int]:
    """The places of a slot's values that still count: "in wine, no sorry, graphite" is graphite.

    If the customer corrects themselves between two values, the values before that do not count.
    """
    between = range(min(places, default=0) + 1, max(places, default=0))
    ends = (
        start + len(mark)
        for mark in _MARKS
        for start in between
        if words[start : start + len(mark)] == mark and start + len(mark) <= between.stop
    )
    end = max(ends, default=0)
    return [each for each in places if each >= end]


def is_correction(words: Tokens) -> bool:
    """Whether a clause only says that what was said before is to be corrected: "ah no"."""
    return words in _MARKS


def corrected_values(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """The values given before that a text corrects, each in its corrected form."""
    found: dict[str, str] = {}
    for wrong, right in _pairs(text.replace("’", "'"), given):
        for name, value in given.items():
            fixed = _replace(value, wrong, right)
            if fixed != value:
                found[name] = fixed
    return found


def _pairs(text: str, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each wrong part with its replacement."""
    spoken = _WORD.findall(text)
    for place, word in enumerate(spoken):
        instead = [each.lower() for each in spoken[place - 1 : place + 1]] == ["instead", "of"]
        if word.lower() == "not" or instead:
            before = _without_fillers(spoken[: place - instead][::-1])[::-1]
            yield from _in_its_place(before, spoken[place + 1 :], given)
    known = [each for value in given.values() for each in _WORD.findall(value)]
    for hit in _SPELLED.finditer(text):
        scored = [(fuzz.ratio(each.lower(), hit[1].lower()), each) for each in known]
        closeness, wrong = max(scored, default=(0.0, ""))
        if closeness >= _ALIKE:
            yield wrong, hit[1]


def _without_fillers(words: list[str]) -> list[str]:
    """The words from the first one that may be part of a correction."""
    return words[next((n for n, e in enumerate(words) if e.lower() not in _BESIDE), len(words)) :]


def _in_its_place(
    before: list[str], after: list[str], given: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield what was wrong and its replacement in *X not Y* or *not Y, X*, if Y was given before.

    Numbers replace numbers and words replace words.
    """
    figure = [each for each in before if each[0].isdigit()][-1:]
    for count in range(min(_MOST, len(after)), 0, -1):
        wrong, rest = after[:count], _without_fillers(after[count:])
        if not any(_replace(value, " ".join(wrong), "") != value for value in given.values()):
            continue
        for right in (before[-count:], rest[:count], figure):
            kinds = [[each[0].isdigit() for each in some] for some in (wrong, right)]
            if kinds[0] == kinds[1] and not _BESIDE & {each.lower() for each in right}:
                yield " ".join(wrong), " ".join(right)
                return


def _replace(value: str, wrong: str, right: str) -> str:
    """The value with the wrong part replaced, capitalised like the part that it replaces."""
    hit = re.search(rf"(?<![\w]){re.escape(wrong)}(?![\w])", value, re.IGNORECASE)
    if hit is None:
        return value
    large = right.title() if right.islower() and hit.group()[:1].isupper() else right
    return value[: hit.start()] + large + value[hit.end() :]
