"""What is wanted of a product, by what its options are called, and which variants have it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.clerk.remembering import Json
from agent.clerk.retail.manner import SAID, manner_data, tells
from agent.clerk.retail.values import Text, orderable, rank
from agent.clerk.understanding.tokens import Tokens, alike, find, has, tokens

_INSTEAD = ("instead of", "rather than", "not", "no longer", "than", "over", "isn't", "from")
_STOP = frozenset(tokens("but to for with please -> i it want need and"))
_NOTHING: Json = {"options": {}, "item_id": ""}


@dataclass
class Wanted:
    """What is wanted of a variant."""

    now: Json = field(default_factory=_NOTHING.copy)
    """The item that another one is wanted for."""

    values: dict[str, list[str]] = field(default_factory=dict)
    """By option, the values that are wanted, the best first; one of them has to be had."""

    soft: dict[str, list[str]] = field(default_factory=dict)
    """By option, values that are liked better, the best first."""

    free: set[str] = field(default_factory=set)
    """Options of which any value will do."""

    by_price: str = ""
    """``cheapest``, ``dearest`` or nothing."""

    direction: dict[str, str] = field(default_factory=dict)
    """By option, ``more``, ``less``, ``most`` or ``least``."""

    kept: set[str] = field(default_factory=set)
    """Options that were said to stay the same."""

    item_id: str = ""
    same: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing that could pick a variant was said."""
        return not (self.values or self.by_price or self.direction or self.item_id or self.soft)

    def find(self, product: Json) -> list[Json]:
        """The other variants that are available and have what is wanted."""
        pool = (each for each in product["variants"].values() if each["available"])
        now = self.now["item_id"]
        return [each for each in pool if each["item_id"] != now and self.is_met_by(each)]

    def is_met_by(self, variant: Json) -> bool:
        """Whether a variant has every wanted value and lies in every wanted direction."""
        if self.item_id:
            return bool(variant["item_id"] == self.item_id)
        options = variant["options"]
        if any(options.get(key) not in values for key, values in self.values.items()):
            return False
        for key, way in self.direction.items():
            one, now = rank(options.get(key, "")), rank(self.now["options"].get(key, ""))
            if one is None or now is None:
                continue
            if (way == "more" and one <= now) or (way == "less" and one >= now):
                return False
        return True

    def best(self, pool: list[Json]) -> list[Json]:
        """Of such variants the ones that are meant: alike in the rest, liked best, cheapest."""
        for key, way in self.direction.items():
            pool = _furthest(pool, key, way)
        for key in {**self.values, **self.soft}:
            order = [*self.soft.get(key, []), *self.values.get(key, [])]
            hits = ([e for e in pool if e["options"].get(key) == value] for value in order)
            pool = next(filter(None, hits), pool)
        alike_ones = [each for each in pool if self.is_alike(each)]
        if not self.by_price:
            return alike_ones or pool
        now = self.now["options"]
        if self.kept or not self.same:
            close = [e for e in pool if all(e["options"].get(k) == now.get(k) for k in self.kept)]
        else:
            close = alike_ones
        pick = min if self.by_price == "cheapest" else max
        return [pick(close, key=lambda each: each["price"])] if close else []

    def is_alike(self, variant: Json) -> bool:
        """Whether a variant differs from the item in nothing but what was spoken of."""
        now, spoken = self.now["options"], {*self.values, *self.direction, *self.free, *self.soft}
        return all(v == now.get(k) for k, v in variant["options"].items() if k not in spoken)


def _furthest(pool: list[Json], key: str, way: str) -> list[Json]:
    ranked = [(rank(each["options"].get(key, "")), each) for each in pool]
    known = [(value, each) for value, each in ranked if value is not None]
    if way not in {"most", "least"} or not known:
        return pool
    end = (max if way == "most" else min)(value for value, _ in known)
    return [each for value, each in known if value == end]


def read_wanted(texts: Sequence[str], product: Json, current: Json | None = None) -> Wanted:
    """What texts want, the oldest first; what was said later holds."""
    told = Wanted(current or _NOTHING)
    options: dict[str, list[str]] = {}
    for each in product["variants"].values():
        for key, value in each["options"].items():
            options[key] = [*dict.fromkeys([*options.get(key, ()), value])]
    ids = {each["item_id"] for each in product["variants"].values()} - {told.now["item_id"]}
    for text in texts:
        _read(Text(text, options), told)
        _read_direction(tokens(text), options, told)
        named = [each for each in re.findall(r"\b\d{10}\b", text) if each in ids]
        told.item_id = named[-1] if named else told.item_id
    return told


def _read(text: Text, told: Wanted) -> None:
    words, now = text.words, told.now["options"]
    told.same |= tells(words, "same")
    told.kept |= {key for key in text.options if has(words, f"same {key}")}
    told.by_price = _by_price(words) or told.by_price
    for key, values in text.options.items():
        if _is_free(key, words):
            told.free.add(key)
            told.values.pop(key, None)
            continue
        hits = text.hits(key)
        kept = [value for place, value in hits if not _is_under_instead(words, place)]
        places = [place for place, value in hits if value in kept]
        if len(kept) > 1 and now.get(key) in kept and not _is_listed(words, places):
            kept.remove(now[key])
        others = [value for value in values if all(value != hit for _, hit in hits)]
        if kept and tells(words[: min(places)], "preferred"):
            told.soft[key] = kept
        elif kept:
            told.values[key] = kept
            told.direction.pop(key, None)
        elif len(others) == 1 and any(now.get(key) == value for _, value in hits):
            told.values[key] = others


def _is_listed(words: Tokens, places: Sequence[int]) -> bool:
    """Whether values stand beside each other as choices: "A or B", "A > B"."""
    return has(words[min(places) : max(places)], "or", "over", ">")


def _is_free(key: str, words: Tokens) -> bool:
    places = (find(tokens(phrase), words) for phrase in SAID.by_name["free"])
    return any(find(tokens(key), words[each : each + 7]) >= 0 for each in places if each >= 0)


def _by_price(words: Tokens) -> str:
    return next((each for each in ("cheapest", "dearest") if tells(words, each)), "")


def _is_under_instead(words: Tokens, place: int) -> bool:
    """Whether a place stands under "instead of …"."""
    for back in range(place - 1, max(-1, place - 5), -1):
        if words[back] in _STOP:
            return False
        for phrase in _INSTEAD:
            own = tokens(phrase)
            if words[back + 1 - len(own) : back + 1] == own:
                return not (own in {("than",), ("over",)} and has(words[:back], "better", "less"))
    return words[place + 1 : place + 2] == ("->",)


def _read_direction(words: Tokens, options: Mapping[str, list[str]], told: Wanted) -> None:
    """Which option is to be more or less: the one that is named, or that such words are about."""
    ranked = [key for key in options if orderable(options[key])]
    named = [key for key in ranked if any(find((each,), words) >= 0 for each in tokens(key))]
    wanted = []
    for word, (way, about) in manner_data()["directions"].items():
        if has(words, word):
            fits = [k for k in ranked if any(alike(t, h) for t in tokens(k) for h in about)]
            wanted.append((way, [*fits, *named, *ranked]))
    if not _by_price(words):
        wanted += [(way, named) for way in ("least", "most") if tells(words, way)]
    for way, keys in wanted:
        if keys and keys[0] not in told.values:
            told.direction[keys[0]] = way
