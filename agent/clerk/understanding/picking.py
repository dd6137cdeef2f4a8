"""Finds which of the offered choices a customer picks: "2", "the second", or by its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import alike, has, tokens

_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "fifth": 5,
    "last": -1, "former": 1, "latter": 2,
}  # fmt: skip
_BARE = re.compile(r"^\W*(?:option|number|no\.?|nr\.?|the)?\s*#?([1-9])\W*$", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:number|option|no\.|nr\.?|choice) ?#?([1-9])\b|(?<!\w)#([1-9])\b", re.IGNORECASE
)
_REJECTED = re.compile(r"\bnot\b[^,.;]*", re.IGNORECASE)
"""What is said not to be meant: "not the 200 one, the 125"."""

_BETWEEN_FIGURES = re.compile(r"(?<=\d),(?=\d)")
_CLAUSE = re.compile(r"[,.;!?:()]+(?!\d)|\s-+\s|\b(?:but|because|and)\b", re.IGNORECASE)
_FILLERS = frozenset(GENERAL.words["beside numbers"] | GENERAL.words["empty"]) | frozenset(
    tokens("lol haha yea yep yeah yes pls so then say said already no. nr go with do nah hm hmm um")
    + tokens("thats that's")
)
"""Words of a pick that tell nothing themselves."""

_RANGE = re.compile(r"\b([1-9])\s*(?:-|–|to|through)\s*([1-9])\b")
MARGIN = 0.3
"""By how much the score of the best choice's words must exceed that of the next one."""


def pick_place(text: str, choices: Sequence[str], *, by_words: bool = True) -> int | None:
    """The index of the choice that is meant; None if that is unclear."""
    count = len(choices)
    bare = _BARE.match(text)
    if bare:
        place = int(bare.group(1)) - 1
        return place if place < count else None
    named = _NAMED.search(text)
    if named and int(named.group(1) or named.group(2)) <= count:
        return int(named.group(1) or named.group(2)) - 1
    told = _by_digits(text, choices)
    if told is None:
        told = _by_number_among_fillers(text, count)
    if told is not None:
        return told
    words = tokens(text)
    if has(words, "not the", "don't", "dont", "neither", "none", "do not"):
        return None
    for name, number in _ORDINALS.items():
        if has(words, f"{name} one", f"the {name}", f"{name} option") or words == (name,):
            place = count - 1 if number < 0 else number - 1
            return place if 0 <= place < count else None
    ranked = has(words, "cheapest", "cheaper", "most expensive", "dearest", "best")
    any_one = (words == ("either",) or tells(words, "either")) and not ranked
    if count and len(words) <= 8 and any_one:
        return 0
    return _by_words(text, choices) if by_words else None


def _by_number_among_fillers(text: str, count: int) -> int | None:
    """The place that a clause gives with nothing else in it: "lol 2, that's what i said"."""
    found = _numbers_among_fillers(text, count)
    return found[0] if len(found) == 1 else None


def _numbers_among_fillers(text: str, count: int) -> list[int]:
    """The places that clauses give with nothing else in them: "2 and 3!! like i said lol"."""
    found: list[int] = []
    for clause in map(tokens, _CLAUSE.split(text)):
        numbers = [each for each in clause if each.isdecimal()]
        rest = {each for each in clause if not each.isdecimal()}
        leads = clause[:1] == tuple(numbers) and set(clause[1:2]) <= _FILLERS
        if len(numbers) == 1 and (leads or rest <= _FILLERS) and 0 < int(numbers[0]) <= count:
            found.append(int(numbers[0]) - 1)
    return sorted(set(found))


def pick_by_difference(text: str, choices: Sequence[str]) -> int | None:
    """The index of the choice whose own words are said, or that is left when others are rejected.

    "The lagoon one. The stone I keep" picks by what only one choice has; "not the visa, the other
    one" by what is left of two.
    """
    shared = set.intersection(*(set(tokens(each)) for each in choices)) if choices else set()
    own = [set(tokens(each)) - shared - _FILLERS for each in choices]
    wanted: set[int] = set()
    rejected: set[int] = set()
    other = False
    for words in map(tokens, _CLAUSE.split(text)):
        fits = [sum(any(alike(w, e) for e in each) for w in words) for each in own]
        best = [n for n, fit in enumerate(fits) if fit and fit == max(fits)]
        no = tells(words, "denying") or tells(words, "keeping") or has(words, "keep", "stays")
        other |= has(words, "the other", "other one")
        if len(best) == 1:
            (rejected if no else wanted).update(best)
    left = [n for n in range(len(choices)) if n not in rejected]
    if len(wanted - rejected) == 1:
        return next(iter(wanted - rejected))
    return left[0] if other and rejected and len(left) == 1 else None


def _by_digits(text: str, choices: Sequence[str]) -> int | None:
    """The place of the one choice that has a number of the text: "the one that ends in 6980"."""
    for digits in re.findall(r"\d{3,}(?:\.\d+)?", _REJECTED.sub(" ", text)):
        found = [n for n, each in enumerate(choices) if re.search(rf"{re.escape(digits)}\b", each)]
        if len(found) == 1:
            return found[0]
    return None


def pick_places(text: str, count: int) -> list[int]:
    """The indices of several choices of ``count``: "1 and 3", "the first two", "both", "all"."""
    spread = _RANGE.sub(_spell_out, _BETWEEN_FIGURES.sub(", ", text))
    words = [each for each in tokens(spread) if each not in GENERAL.words["beside numbers"]]
    match words:
        case ["all" | "everything"] | ["all", _] if words[1:] in ([], [str(count)]):
            found = [*range(count)]
        case ["both"] if count == 2:
            found = [0, 1]
        case ["first", number] if number.isdecimal():
            found = [*range(min(int(number), count))]
        case ["last", number] if number.isdecimal():
            found = [*range(max(count - int(number), 0), count)]
        case _:
            found = sorted({_place(each, count) for each in words})
            found = found if found[:1] >= [0] else _numbers_among_fillers(text, count)
    return found if len(found) > 1 and found[0] >= 0 and found[-1] < count else []


def _place(word: str, count: int) -> int:
    """The index that a word refers to; -1 if it refers to none."""
    number = int(word) if word.isdecimal() else _ORDINALS.get(word, 0)
    return count - 1 if number < 0 else number - 1


def _spell_out(hit: re.Match[str]) -> str:
    return ", ".join(map(str, range(int(hit[1]), int(hit[2]) + 1)))


def _by_words(text: str, choices: Sequence[str]) -> int | None:
    said = [each for each in tokens(text) if each not in GENERAL.words["empty"]]
    if not said or not choices:
        return None
    scores = [_fit(said, choice) for choice in choices]
    order = sorted(range(len(choices)), key=lambda each: -scores[each])
    best = scores[order[0]]
    second = scores[order[1]] if len(order) > 1 else 0.0
    return order[0] if best >= 1.0 and best - second >= MARGIN else None


def _fit(said: Sequence[str], choice: str) -> float:
    """How many of the words that were said a choice contains."""
    own = tokens(choice)
    return float(sum(any(alike(word, each) for each in own) for word in said))
