"""Finds the values of a product's options in a text, and orders them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.clerk.retail.intent_data import SAID
from agent.clerk.understanding.mention_roles import Role, roles_of
from agent.clerk.understanding.tokens import Tokens, alike, find, has, span, tokens

_SIZES = {"xs": 0, "s": 1, "small": 1, "m": 2, "medium": 2, "l": 3, "large": 3, "xl": 4, "xxl": 5}
_LEVELS = {"low": 0, "mid": 2, "high": 3, "twin": 0, "full": 1, "queen": 2, "king": 3}
_FIGURES = {"one": "1", "two": "2", "three": "3", "four": "4", "six": "6", "seven": "7",
            "eight": "8", "ten": "10", "twelve": "12"}  # fmt: skip
_SPELLED = {"s": "small", "m": "medium", "l": "large", "xl": "x-large"}
_NO = frozenset({"no", "without", "not", "non", "isn't", "none"})
_NONE = frozenset({"no", "none", "false"})
YES_OR_NO = _NONE | {"yes", "built in", "true"}
"""Values that are told by the option's name, with or without a "not"."""

_BESIDE = frozenset({"size", "to", "->", "in", "a", "an", "the", "cheapest", "for", "need"})
"""Words next to which a bare number or letter counts as a value."""

NO_VALUES = frozenset({"percent", "%", "more", "less", "day", "order"})
"""Words after a number that is neither a value of an option nor a price."""

_NO_OPTIONS = NO_VALUES | {"dollar", "buck", "usd"}


@dataclass(frozen=True)
class OptionText:
    """A text that is searched for values, with all values of each option of a product."""

    text: str
    options: Mapping[str, Sequence[str]]

    @cached_property
    def words(self) -> Tokens:
        """The tokens, with "one" in "one liter" as a figure, as values are.

        The size in "too small" is masked because it is not a wanted size.
        """
        words = tokens(self.text)
        around = zip(("", *words), words, (*words[1:], ""), strict=False)
        return tuple(
            "misfit" if before == "too" else self._figure(word, after)
            for before, word, after in around
        )

    def _figure(self, word: str, after: str) -> str:
        """The figure that a word stands for before a unit or an option's name."""
        beside = {token for key in self.options for token in tokens(key)} | SAID.words["units"]
        every = (each for values in self.options.values() for each in values)
        figure = "1" if word == "a" and after in SAID.words["units"] else _FIGURES.get(word, "")
        fits = figure and after in beside and any(figure in tokens(each) for each in every)
        return figure if fits else word

    def hits(self, key: str) -> list[tuple[int, str]]:
        """The places and values of an option, in the text's order.

        Of two values at the same place only the longer one counts.
        """
        found = [(self._place(key, each), each) for each in self.options[key]]
        found = [(place, each) for place, each in found if place >= 0]
        return sorted(
            (place, value)
            for place, value in found
            if not any(place == at and {*tokens(value)} < {*tokens(other)} for at, other in found)
        )

    def role_at(self, place: int) -> Role:
        """What the customer wants with the value at a place, or elsewhere if it is wanted there."""
        if self.is_pick:
            return "wanted"
        places = [n for n, word in enumerate(self.words) if word == self.words[place]]
        roles = roles_of(self.text, tuple(span(self.text, n, n + 1) for n in places))
        return "wanted" if "wanted" in roles else roles[places.index(place)]

    @cached_property
    def is_pick(self) -> bool:
        """Whether it is an item's id and a value that was picked for it, and no sentence."""
        number, _, said = self.text.partition(" ")
        each = ((key, value) for key, values in self.options.items() for value in values)
        return number.isdecimal() and any(said in picks_of(*pair) for pair in each)

    def denies(self, key: str, value: str) -> bool:
        """Whether words before a value, or right after it, say no to it."""
        places = [place for place, each in self.hits(key) if each == value]
        near = (self.words[max(0, n - 2) : n] + self.words[n + 1 : n + 2] for n in places)
        return any((_NO | {"instead", "than"}) & {*each} for each in near)

    def unheard(self, key: str) -> str:
        """What is said like a value of an option but is none: "12 mm", "size 8.5", "in green"."""
        own = [tokens(each) for each in self.options.get(key, ())]
        known = {word for each in own for word in each}
        units = {word for word in known if all(word in each for each in own)} & SAID.words["units"]
        bare = bool(own) and all(len(each) == 1 and each[0].isdecimal() for each in own)
        for place, word in enumerate(self.words):
            before, after = self.words[max(0, place - 2) : place], self.words[place + 1 : place + 2]
            if not word[0].isdigit() or word in known:
                continue
            if units & {*after}:
                return f"{word} {after[0]}"
            half = word.endswith(".5") and float(word) < max(map(int, known)) if bare else False
            if bare and (half or {*before, *after} & {*tokens(key)}):
                return word
        every = {token for values in self.options.values() for e in values for token in tokens(e)}
        for phrase in SAID.by_name.get(f"some {key}", ()):
            name = tokens(phrase)
            place = -1 if every.issuperset(name) else find(name, self.words)
            before, after = self.words[max(0, place - 2) : place], self.words[place + len(name) :]
            said = len(name) > 1 or after[:1] == ("one",) or has(before, "in", "for", "to", "into")
            said |= has(before[-1:], "have", "sell", "any")
            if place >= 0 and said and not has(before, "not", "my", "they're", "same"):
                return phrase
        return ""

    def _place(self, key: str, value: str) -> int:
        low, own = value.lower(), tokens(value)
        if low in YES_OR_NO:
            return self._yes_or_no(tokens(key), is_none=low in _NONE)
        if len(own) == 1 and (own[0].isdigit() or low in _SIZES):
            return self._bare(key, low, own[0])
        place = find(own, self.words) if own else -1
        return place if place >= 0 else self._partly(key, own)

    def _yes_or_no(self, name: Tokens, *, is_none: bool) -> int:
        """The place where an option is named as wanted, or for ``is_none`` as unwanted; else -1."""
        found = (find((each,), self.words) for each in reversed(name))
        place = next((each for each in found if each >= 0), -1)
        before = self.words[max(0, place - 3) : max(0, place)]
        denied = bool(_NO & {*before}) or self.words[place + 1 : place + 2] == ("no",)
        return place if denied == is_none else -1

    def _bare(self, key: str, low: str, own: str) -> int:
        """The place of a bare number or size beside its option's name or unambiguous; else -1."""
        name, spelled = {*tokens(key)}, _SPELLED.get(low, low)
        longer = [each for each in name if len(each) > 3]
        others = (each for k, values in self.options.items() if k != key for each in values)
        alone = all(own not in tokens(each) for each in others)
        capitals = low.upper() in re.findall(r"[A-Za-z]+", self.text)
        for place, word in reversed([*enumerate(self.words)]):
            if word not in {own, spelled}:
                continue
            before, after = {*self.words[max(0, place - 2) : place]}, self.words[place + 1 :][:1]
            beside = before & (name | _BESIDE)
            unit = any(e in name or any(map(e.startswith, longer)) for e in after)
            if low in _SIZES:
                clear = after == ("one",) or len(self.words) <= 2 or capitals or word != low
                fits = beside or clear
            else:
                near = beside or unit or len(self.words) <= 4
                fits = near and (alone or unit or before & name)
            if fits:
                return place
        return -1

    def _partly(self, key: str, own: Tokens) -> int:
        """The place of a word that only this value has: "google" for "Google Assistant"; else -1.

        A number without its unit, "a 95" for 95 cm, must be in no value of another option either.
        """
        for each in own:
            figure = each.isdigit()
            pool = self.options.values() if figure else [self.options[key]]
            rest = (tokens(value) for values in pool for value in values)
            others = {word for one in rest if one != own for word in one}
            if each in others | SAID.words["units"] or len(each) < 3 - figure:
                continue
            for place, word in enumerate(self.words):
                short, long = sorted((word, each), key=len)
                begins = len(short) > 3 and not figure and long.startswith(short)
                if figure and _NO_OPTIONS & {*self.words[place + 1 : place + 2]}:
                    continue
                if begins or alike(word, each):
                    return place
        return -1


def picks_of(key: str, value: str) -> tuple[str, ...]:
    """The ways to say, behind an item's id, that a value of an option was picked for it."""
    return f"{key} {value}", value, key, f"no {key}"


def rank(value: str) -> float | None:
    """The value as a number to sort by, or None if it has no order."""
    low, own = value.lower(), tokens(value)
    number = re.search(r"\d+(?:\.\d+)?", value)
    if number is None or low in _SIZES:
        found = _SIZES.get(low, _LEVELS.get(low))
        return float(found) if found is not None else None
    large = number.start() == 0 and {"liter", "kg", "tb"} & {*own[1:3]}
    return float(number.group()) * (1000 if large else 1)
