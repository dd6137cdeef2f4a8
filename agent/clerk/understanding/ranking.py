"""Finds a choice by its place in an order: "the cheaper one", "the earliest", "the biggest"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from agent.clerk.understanding.tokens import Tokens, has, tokens

_TIME = re.compile(r"\b(\d\d):(\d\d)–")
_PRICE = re.compile(r"\$(\d[\d,]*(?:\.\d\d)?)")
_SIZE = re.compile(r"(?:pieces|cups|size): (\d+)|\b(\d+(?:\.\d+)?) (cm|mm|ml|liters?|hours|W)\b")
_LETTERED = re.compile(r"size: (XS|S|M|L|XL|XXL)\b")
_LETTERS = ("XS", "S", "M", "L", "XL", "XXL")
_IN_ML = 1000.0
_HOUR = 60


def _time(choice: str) -> float | None:
    found = _TIME.search(choice)
    return int(found[1]) * _HOUR + int(found[2]) if found else None


def _price(choice: str) -> float | None:
    found = _PRICE.search(choice)
    return float(found[1].replace(",", "")) if found else None


def _size(choice: str) -> float | None:
    lettered, found = _LETTERED.search(choice), _SIZE.search(choice)
    if lettered:
        return float(_LETTERS.index(lettered[1]))
    if found is None:
        return None
    return float(found[1] or found[2]) * (_IN_ML if (found[3] or "").startswith("liter") else 1)


_RANKS: tuple[tuple[Callable[[str], float | None], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        _time,
        ("earliest", "earlier", "the early", "early one", "morning one"),
        ("latest", "later", "the late", "late one", "evening one"),
    ),
    (
        _price,
        ("cheapest", "cheaper", "the cheap", "cheap one", "least expensive", "less expensive"),
        ("dearest", "dearer", "priciest", "most expensive", "more expensive", "the expensive"),
    ),
    (
        _size,
        (
            "smallest",
            "smaller",
            "the small",
            "small one",
            "shortest",
            "shorter",
            "fewer",
            "thinner",
        ),
        ("biggest", "bigger", "largest", "larger", "the big", "big one", "longest", "longer"),
    ),
)
"""Values by which choices are ranked, and the words for the lowest and the highest."""

_NO_PICK = ("not", "no longer", "than", "anything", "something", "an earlier", "a later")
"""What is said of a rank that names none of the choices."""

_BOUNDS = frozenset({"before", "after", "by", "until", "under", "between", "from", "below"})

_ALL_OF = {2: "of the two", 3: "of the three", 4: "of the four", 5: "of the five"}


def pick_by_rank(words: Tokens, choices: Sequence[str]) -> int | None:
    """The index of the choice that is named by its price, time or size; None if none is.

    Each choice must have another value: of two that cost the same neither is the cheaper one.
    """
    some = has(words, "of the") and not has(words, _ALL_OF.get(len(choices), "of them"))
    if some or has(words, *_NO_PICK):
        return None
    for value, lowest, highest in _RANKS:
        values = [each for each in map(value, choices) if each is not None]
        if len({*values}) == len(choices) > 1:
            if _names(words, lowest):
                return values.index(min(values))
            if _names(words, highest):
                return values.index(max(values))
    return None


def _names(words: Tokens, ranks: Sequence[str]) -> bool:
    """Whether a rank names a choice: "the later one", and not "I'll decide later"."""
    forms = "the {}", "{} one", "{} please", "{} flight", "{} of"
    bounded = any(a in _BOUNDS and b.isdecimal() for a, b in pairwise(words))
    if bounded:  # "before 7, the cheapest" is the cheapest of those before 7
        ranks = [each for each in ranks if not each.endswith("est")]
    surely = [each for each in ranks if each.endswith("est") or " " in each]
    named = has(words, *surely, *(form.format(each) for each in ranks for form in forms))
    return named or words in {tokens(each) for each in ranks}
