"""What is wanted of a product, by what its options are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.clerk.remembering import Json
from agent.clerk.retail.manner import SAID, manner_data, tells
from agent.clerk.retail.values import Text, orderable
from agent.clerk.understanding.tokens import Tokens, alike, find, has, tokens

_INSTEAD = ("instead of", "rather than", "not", "no longer", "than", "over", "isn't", "from")
_STOP = frozenset(tokens("but to for with please -> i it want need and"))


@dataclass
class Wanted:
    """What is wanted of a variant."""

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


def all_values(product: Json) -> dict[str, list[str]]:
    """By option, every value that a product's variants have."""
    found: dict[str, list[str]] = {}
    for each in product["variants"].values():
        for key, value in each["options"].items():
            if value not in found.setdefault(key, []):
                found[key].append(value)
    return found


def read_wanted(texts: Sequence[str], product: Json, current: Json | None) -> Wanted:
    """What texts want, the oldest first; what was said later holds."""
    told = Wanted()
    options, now = all_values(product), current or {"options": {}, "item_id": ""}
    ids = {each["item_id"] for each in product["variants"].values()} - {now["item_id"]}
    for text in texts:
        _read(Text(text, options), now["options"], told)
        _read_direction(tokens(text), options, told)
        named = [each for each in re.findall(r"\b\d{10}\b", text) if each in ids]
        told.item_id = named[-1] if named else told.item_id
    return told


def _read(text: Text, now: Mapping[str, str], told: Wanted) -> None:
    words = text.words
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
