"""Slot filling for variants: the option values that a text asks for, and the variants with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.clerk.retail.intent_data import DATA, SAID, tells
from agent.clerk.retail.option_text import YES_OR_NO, OptionText, rank
from agent.clerk.retail.wording import options
from agent.clerk.state.records import Json
from agent.clerk.understanding.correcting import after_correction
from agent.clerk.understanding.tokens import Tokens, alike, find, has, tokens

_NOTHING: Json = {"options": {}, "item_id": ""}


@dataclass
class Wanted:
    """What a customer wants a variant to be."""

    now: Json = field(default_factory=_NOTHING.copy)
    """The item that is to be replaced."""

    values: dict[str, list[str]] = field(default_factory=dict)
    """Accepted values by option, the best first, also one that no variant has: "size 8.5"."""

    equal: set[str] = field(default_factory=set)
    """Options whose accepted values are all as good: "any color", "bigger", "not slate"."""

    by_price: str = ""
    """``cheapest``, ``dearest`` or empty."""

    names: tuple[str, ...] = ()
    """The product's options, in its order."""

    same: bool = False
    """Whether all that was not spoken of should stay as it is."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said that could select a variant."""
        return not (self.values or self.by_price)

    @property
    def is_of_now(self) -> bool:
        """Whether nothing was said but what the item is like now."""
        now = self.now["options"]
        return not self.by_price and all([now.get(k)] == told for k, told in self.values.items())

    @property
    def asks_for_another(self) -> bool:
        """Whether more was said than what the item is like now."""
        return bool(self.by_price) or not self.is_met_by(self.now)

    @property
    def in_words(self) -> str:
        """The wanted values, to follow the product's name."""
        named = (key for key in (*self.names, *self.values) if self.values.get(key))
        told = {k: " or ".join(self.values[k]) for k in named if k not in self.equal}
        return f" in {options({'options': told})}" if told else " like that"

    def lacks(self, variant: Json) -> tuple[int, int]:
        """How many wanted values a variant lacks, and in how many options it differs from now."""
        has, now = variant["options"], self.now["options"]
        lacks = sum(has.get(key) not in values for key, values in self.values.items())
        return lacks, sum(value != now.get(key) for key, value in has.items())

    def place_of(self, variant: Json) -> list[int]:
        """Where in the accepted values those of a variant that has one of each are."""
        return [values.index(variant["options"][key]) for key, values in self.values.items()]

    def nearest(self, pool: Sequence[Json]) -> list[Json]:
        """The variants that lack the fewest of the wanted values."""
        least = min((self.lacks(each)[0] for each in pool), default=0)
        return [each for each in pool if self.lacks(each)[0] == least]

    def is_met_by(self, variant: Json) -> bool:
        """Whether a variant has an accepted value for each option."""
        return self.lacks(variant)[0] == 0

    def find(self, product: Json) -> list[Json]:
        """The other available variants that meet the constraints."""
        pool = (each for each in product["variants"].values() if each["available"])
        now = self.now["item_id"]
        return [each for each in pool if each["item_id"] != now and self.is_met_by(each)]

    def best(self, pool: list[Json]) -> list[Json]:
        """The best of these variants by preference, likeness to the item, and price."""
        for key in (each for each in self.values if each not in self.equal):
            hits = ([e for e in pool if e["options"].get(key) == v] for v in self.values[key])
            pool = next(filter(None, hits), pool)
        alike_ones = [each for each in pool if self.is_alike(each)]
        if not self.by_price:
            return alike_ones or pool
        close = alike_ones if self.same else pool
        pick = min if self.by_price == "cheapest" else max
        return [pick(close, key=lambda each: each["price"])] if close else []

    def is_alike(self, variant: Json) -> bool:
        """Whether a variant differs from the item only in options that were mentioned."""
        now = self.now["options"]
        return all(v == now.get(k) for k, v in variant["options"].items() if k not in self.values)


def read_wanted(texts: Sequence[str], product: Json, current: Json | None = None) -> Wanted:
    """What the texts ask for, oldest first; later ones override earlier ones."""
    told = Wanted(current or _NOTHING)
    known: dict[str, list[str]] = {}
    for each in product["variants"].values():
        for key, value in each["options"].items():
            known[key] = [*dict.fromkeys([*known.get(key, ()), value])]
    told.names = tuple(known)
    for text in texts:
        _take(told, OptionText(text, known), product)
    return told


def _take(told: Wanted, text: OptionText, product: Json) -> None:
    """Take in what a text asks for."""
    words, now = text.words, told.now["options"]
    heard = {key: _accepted_and_rejected(key, text, now) for key in text.options}
    values = {key: accepted for key, (accepted, _) in heard.items() if accepted}
    ids = [each for each in re.findall(r"\b\d{10}\b", text.text) if each in product["variants"]]
    ids = [each for each in ids if each != told.now["item_id"]]
    picked = product["variants"][ids[-1]]["options"] if ids else {}  # it is named by its id
    values = {key: [value] for key, value in picked.items()} or values
    free = [place for each in SAID.by_name["free"] if (place := find(tokens(each), words)) >= 0]
    kept = {key: [now[key]] for key in now if has(words, f"same {key}") and key not in values}
    told.same |= tells(words, "same") and not (kept or tells(words, "same of others"))
    told.by_price = _by_price(words) or ("" if picked else told.by_price)
    told.values |= {**values, **kept}
    told.equal -= values.keys()
    for key, (accepted, rejected) in heard.items():
        if rejected and not accepted:
            known = told.values.get(key, text.options[key])
            left = [each for each in known if each not in rejected]
            _allow(told, key, left or [e for e in text.options[key] if e not in rejected])
        if any(find(tokens(key), words[each : each + 7]) >= 0 for each in free):
            _allow(told, key, text.options[key])
        elif key not in values and (said := text.unheard(key)):
            told.values[key] = [said]
    if "color" not in heard and (said := text.unheard("color")):
        told.values["color"] = [said]
    for key, way in _directions(words, text.options).items():
        if key not in told.values or key in told.equal:
            _allow(told, key, _beyond(text.options[key], now.get(key, ""), way))
            told.equal -= {key} if way in {"most", "least"} else set()


def _allow(told: Wanted, key: str, values: Sequence[str]) -> None:
    """Accept these values of an option, all as good as each other unless some were preferred."""
    told.equal |= {key} - told.values.keys()
    told.values[key] = [*values]


def _accepted_and_rejected(
    key: str, text: OptionText, now: Mapping[str, str]
) -> tuple[list[str], set[str]]:
    """The values of an option that a text asks for, and those that it rejects: "not slate".

    What the item is like now and should stay like is asked for.
    """
    hits = text.hits(key)
    counting = after_correction(text.words, [place for place, _ in hits])
    found = [(value, text.role_at(place)) for place, value in hits if place in counting]
    out = [value for value, role in found if role == "kept_out" and value.lower() not in YES_OR_NO]
    plain = [value for value in out if text.denies(key, value)]
    leads = bool(found) and found[0][1] == "kept_out" and found[0][0] not in plain
    if (
        plain and leads and not has(text.words, "or", "nor")
    ):  # of "olive and not navy" one is wanted
        out = plain
    stays = {value for value in out if value == now.get(key) and not text.denies(key, value)}
    rejected = {*out} - stays
    left = [(value, role) for value, role in found if value not in rejected]
    wanted = [value for value, role in left if role == "wanted" or value in stays]
    told_of_now = [now.get(key)] if has(text.words[:2], "mine", "i have", "i've") else []
    others = [value for value, role in left if role != "mentioned" or value not in told_of_now]
    accepted = wanted or [value for value in others if value not in told_of_now] or others
    return list(dict.fromkeys(accepted)), rejected


def _by_price(words: Tokens) -> str:
    if tells(words, "if cheaper") or tells(words, "elsewhere"):
        return ""
    return next((each for each in ("cheapest", "dearest") if tells(words, each)), "")


def _directions(words: Tokens, known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Which option should be ``more``, ``less``, ``most`` or ``least``.

    It is one that the word for it is about, or a named one.
    """
    ranked = [key for key in known if None not in map(rank, known[key])]
    named = [key for key in ranked if any(find((each,), words) >= 0 for each in tokens(key))]
    found: dict[str, str] = {}
    for word, (way, about) in DATA["directions"].items():
        fits = [k for k in ranked if any(alike(t, h) for t in tokens(k) for h in about)] + named
        if fits and has(words, word):
            found[fits[0]] = way
    for way in ("least", "most") if named and not _by_price(words) else ():
        if tells(words, way):
            found[named[0]] = way
    return found


def _beyond(values: Sequence[str], now: str, way: str) -> list[str]:
    """The values of an option that lie in a direction from what it is now, the furthest first."""
    order = sorted(values, key=lambda e: rank(e) or 0.0, reverse=way in {"more", "most"})
    beyond = order[: order.index(now)] if now in order else order
    if way in {"most", "least"}:
        return beyond if beyond and now in order else order[:1]
    return beyond
