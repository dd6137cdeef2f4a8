"""Finds the values of a product's options in a text, and orders them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.clerk.retail.intent_data import SAID
from agent.clerk.understanding.tokens import Tokens, alike, find, tokens

SIZES = {"xs": 0, "s": 1, "small": 1, "m": 2, "medium": 2, "l": 3, "large": 3, "xl": 4, "xxl": 5}
LEVELS = {"low": 0, "medium": 1, "mid": 1, "high": 2, "twin": 0, "full": 1, "queen": 2, "king": 3}
_WORDS = {"s": "small", "m": "medium", "l": "large"}
_LETTERS = {"small": "s", "medium": "m", "large": "l", "x-large": "xl"}
_NO = frozenset({"no", "without", "not", "non", "isn't", "none"})
NONE = frozenset({"no", "none", "false"})
YES_OR_NO = NONE | {"yes", "built in", "true"}
"""Values that are told by the option's name, with or without a "not"."""

_BESIDE = frozenset({"size", "to", "->", "in", "a", "an", "the", "cheapest", "for", "need"})
"""Words next to which a bare number or letter counts as a value."""

_BEFORE_NOUN = frozenset({"in", "inside", "on", "over", "around", "behind", "under"})
"""Prepositions that may make up a value: "in-ear"."""

_ENDINGS = ("y", "ish", "ed", "en")
NO_VALUES = frozenset({"percent", "%", "more", "less", "day", "order"})
"""Words after a number that is neither a value of an option nor a price."""

_NO_OPTIONS = NO_VALUES | {"dollar", "buck", "usd"}


@dataclass(frozen=True)
class OptionText:
    """A text that is searched for values, with all values of each option of a product."""

    text: str
    options: Mapping[str, list[str]]

    @cached_property
    def words(self) -> Tokens:
        """The tokens, with the size in "too small" masked because it is not a wanted size."""
        words = tokens(self.text)
        pairs = zip(("", *words), words, strict=False)
        return tuple("misfit" if before == "too" else word for before, word in pairs)

    def hits(self, key: str) -> list[tuple[int, str]]:
        """The places and values of an option, in the text's order.

        Of two values at the same place only the longer one counts.
        """
        values = self.options[key]
        found = [(place, each) for each in values if (place := self._place(key, each)) >= 0]
        return sorted(
            (place, value)
            for place, value in found
            if not any(place == at and {*tokens(value)} < {*tokens(other)} for at, other in found)
        )

    def unheard_of(self, key: str) -> str:
        """What is said like a value of an option but is none: "in-ear", "12 mm", "size 8.5"."""
        own = [tokens(each) for each in self.options[key]]
        known = {word for each in own for word in each}
        bare = all(len(each) == 1 and each[0].isdecimal() for each in own)
        shared = {e for e in set.intersection(*map(set, own)) if not e[0].isdigit()}
        for place, word in enumerate(self.words):
            before, after = self.words[max(0, place - 2) : place], self.words[place + 1 : place + 3]
            figure = word[0].isdigit() and word not in known
            if figure and shared & {*after[:1]} & SAID.words["units"]:
                return f"{word} {after[0]}"
            half = figure and bare and word.endswith(".5") and float(word) < max(map(int, known))
            if figure and bare and (half or {*before, *after[:1]} & {*tokens(key)}):
                return word
            ends = after[1:] if after[:1] == ("the",) else after[:1]
            if word in _BEFORE_NOUN and word not in known and shared & {*ends}:
                return f"{word}-{ends[0]}"
        return ""

    def _place(self, key: str, value: str) -> int:
        low, own = value.lower(), tokens(value)
        if low in YES_OR_NO:
            return self._yes_or_no(tokens(key), is_none=low in NONE)
        if len(own) == 1 and (own[0].isdigit() or low in SIZES):
            return self._bare(key, low, own[0])
        place = find(own, self.words) if own else -1
        if place < 0 and len(own) > 1:  # "on the ear"
            place = find((own[0], "the", *own[1:]), self.words)
        place = place if place >= 0 else self._by_ending(own)
        place = place if place >= 0 else self._by_number(own)
        return place if place >= 0 else self._partly(own, self.options[key])

    def _by_ending(self, own: Tokens) -> int:
        """Where a value of one word stands with an ending: "rusty", "greenish"."""
        forms = {own[0] + each for each in _ENDINGS} if len(own) == 1 else set()
        return next((n for n, word in enumerate(self.words) if word in forms), -1)

    def _by_number(self, own: Tokens) -> int:
        """Where the number of a value stands without its unit: "a 95" for 95 cm.

        Only a number of two digits or more that no other value of any option has counts.
        """
        if len(own) != 2 or not own[0].isdecimal() or len(own[0]) < 2:
            return -1
        known = {tokens(each) for values in self.options.values() for each in values}
        unique = sum(own[0] in each for each in known) == 1
        places = (n for n, word in enumerate(self.words) if word == own[0])
        bare = (n for n in places if not _NO_OPTIONS & {*self.words[n + 1 : n + 2]})
        return next(bare, -1) if unique else -1

    def _yes_or_no(self, name: Tokens, *, is_none: bool) -> int:
        """The place where an option is named as wanted, or for ``is_none`` as unwanted; else -1."""
        found = (find((each,), self.words) for each in reversed(name))
        place = next((each for each in found if each >= 0), -1)
        before = self.words[max(0, place - 3) : max(0, place)]
        denied = bool(_NO & {*before}) or self.words[place + 1 : place + 2] == ("no",)
        return place if denied == is_none else -1

    def _bare(self, key: str, low: str, own: str) -> int:
        """The place of a bare number or size beside its option's name or unambiguous; else -1."""
        name, forms = {*tokens(key)}, {own, _WORDS.get(low, low), _LETTERS.get(low, own)}
        others = (each for k, values in self.options.items() if k != key for each in values)
        alone = all(own not in tokens(each) for each in others)
        for place in reversed([n for n, word in enumerate(self.words) if word in forms]):
            before = {*self.words[max(0, place - 2) : place]}
            beside, unit = before & (name | _BESIDE), name & {*self.words[place + 1 : place + 2]}
            if low in SIZES:
                fits = beside or len(self.words) <= 2 or self._is_spelled(place, low)
            else:
                near = beside or unit or len(self.words) <= 4
                fits = near and (alone or unit or before & name)
            if fits:
                return place
        return -1

    def _is_spelled(self, place: int, low: str) -> bool:
        """Whether a size at a place is written as a word, or in capitals in the text."""
        is_word = self.words[place] == _WORDS.get(low, low) != low
        return is_word or low.upper() in re.findall(r"[A-Za-z]+", self.text)

    def _partly(self, own: Tokens, values: Sequence[str]) -> int:
        """The place of a word only this value has: "google" for "Google Assistant"; else -1."""
        others = {word for each in values if tokens(each) != own for word in tokens(each)}
        for each in own:
            if len(each) < 3 or each in others | SAID.words["units"] or each.isdigit():
                continue
            for place, word in enumerate(self.words):
                if alike(word, each) or (len(word) > 3 and each.startswith(word) and len(each) > 5):
                    return place
        return -1


def rank(value: str) -> float | None:
    """The value as a number to sort by, or None if it has no order."""
    own = tokens(value)
    if own and own[0].replace(".", "").isdigit():
        amount = float(own[0])
        return amount * 1000 if own[1:2] in (("liter",), ("kg",)) or "tb" in own[1:2] else amount
    low = value.lower()
    found = SIZES.get(low, LEVELS.get(low))
    numbers = re.findall(r"\d+", value)
    if found is None and numbers:
        return float(numbers[0])
    return float(found) if found is not None else None


def orderable(values: Sequence[str]) -> bool:
    """Whether there are several values and all of them can be sorted."""
    return len(values) > 1 and all(rank(each) is not None for each in values)
