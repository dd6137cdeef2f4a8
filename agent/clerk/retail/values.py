"""Values of a product's options: where they stand in a text, and in which order they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.clerk.retail.manner import SAID
from agent.clerk.understanding.tokens import Tokens, alike, find, tokens

SIZES = {"xs": 0, "s": 1, "small": 1, "m": 2, "medium": 2, "l": 3, "large": 3, "xl": 4, "xxl": 5}
LEVELS = {"low": 0, "medium": 1, "mid": 1, "high": 2, "twin": 0, "full": 1, "queen": 2, "king": 3}
_WORDS = {"s": "small", "m": "medium", "l": "large"}
_LETTERS = {"small": "s", "medium": "m", "large": "l", "x-large": "xl"}
_NO = frozenset({"no", "without", "not", "non", "isn't", "none"})
_NONE = frozenset({"no", "none", "false"})
_BESIDE = frozenset({"size", "to", "->", "in", "a", "for", "need"})
"""Words beside which a bare number or letter is a value."""


@dataclass(frozen=True)
class Text:
    """A text in which values are looked for, and all that the options of a product come in."""

    text: str
    options: Mapping[str, list[str]]

    @cached_property
    def words(self) -> Tokens:
        """The words; of "too small", which names no size that is wanted, the size is none."""
        words = tokens(self.text)
        pairs = zip(("", *words), words, strict=False)
        return tuple("misfit" if before == "too" else word for before, word in pairs)

    def hits(self, key: str) -> list[tuple[int, str]]:
        """Where values of an option stand, in the text's order; of two in one place the longer."""
        values = self.options[key]
        found = [(place, each) for each in values if (place := self._place(key, each)) >= 0]
        return sorted(
            (place, value)
            for place, value in found
            if not any(place == at and {*tokens(value)} < {*tokens(other)} for at, other in found)
        )

    def _place(self, key: str, value: str) -> int:
        low, own = value.lower(), tokens(value)
        if low in {"yes", "built in", "true"} | _NONE:
            return self._yes_or_no(tokens(key), is_none=low in _NONE)
        if len(own) == 1 and (own[0].isdigit() or low in SIZES):
            return self._bare(key, low, own[0])
        place = find(own, self.words) if own else -1
        return place if place >= 0 else self._partly(own, self.options[key])

    def _yes_or_no(self, name: Tokens, *, is_none: bool) -> int:
        """Where an option is named that is to be had, or not to be had."""
        found = (find((each,), self.words) for each in reversed(name))
        place = next((each for each in found if each >= 0), -1)
        before = self.words[max(0, place - 3) : max(0, place)]
        denied = bool(_NO & {*before}) or self.words[place + 1 : place + 2] == ("no",)
        return place if denied == is_none else -1

    def _bare(self, key: str, low: str, own: str) -> int:
        """A bare number or a size, which has to stand beside its option's name or alone."""
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
        """Whether a letter for a size stands there as a word, or in capitals in the text."""
        is_word = self.words[place] == _WORDS.get(low, low) != low
        return is_word or low.upper() in re.findall(r"[A-Za-z]+", self.text)

    def _partly(self, own: Tokens, values: Sequence[str]) -> int:
        """A word that only this value of its option has: "google" for "Google Assistant"."""
        others = {word for each in values if tokens(each) != own for word in tokens(each)}
        for each in own:
            if len(each) < 3 or each in others | SAID.words["units"] or each.isdigit():
                continue
            for place, word in enumerate(self.words):
                if alike(word, each) or (len(word) > 3 and each.startswith(word) and len(each) > 5):
                    return place
        return -1


def rank(value: str) -> float | None:
    """A value as a number, where it can be ordered."""
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
    """Whether all of several values can be ordered."""
    return len(values) > 1 and all(rank(each) is not None for each in values)
