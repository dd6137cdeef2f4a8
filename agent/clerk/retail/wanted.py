"""What is wanted of a product, by what its options are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.remembering import Json
from agent.clerk.retail.manner import SAID, manner_data, tells
from agent.clerk.retail.values import SIZES, orderable
from agent.clerk.understanding.tokens import Tokens, alike, find, has, tokens

_INSTEAD = ("instead of", "rather than", "not", "no longer", "than", "over", "isn't", "from")
_STOP = frozenset(tokens("but to for with please -> i it want need and"))
_NO = ("no", "without", "not", "non", "isn't", "none")
_LETTER = {"small": "s", "medium": "m", "large": "l", "x-large": "xl"}


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
    options = all_values(product)
    now = (current or {}).get("options", {})
    ids = {each["item_id"] for each in product["variants"].values()}
    for text in texts:
        _read(text, options, now, told)
        for each in re.findall(r"\b\d{10}\b", text):
            if each in ids and each != (current or {}).get("item_id"):
                told.item_id = each
    return told


def _read(
    text: str, options: Mapping[str, list[str]], now: Mapping[str, str], told: Wanted
) -> None:
    words = _without_misfits(tokens(text))
    raw = frozenset(re.findall(r"[A-Za-z]+", text))
    told.same |= tells(words, "same")
    told.kept |= {k for k in options if has(words, f"same {k}")}
    price = _by_price(words)
    told.by_price = price or told.by_price
    for key, values in options.items():
        if _is_free(key, words):
            told.free.add(key)
            told.values.pop(key, None)
            continue
        hits = _hits(key, values, words, raw, options)
        kept = [v for place, v in hits if not _is_under_instead(words, place)]
        places = [place for place, v in hits if v in kept]
        if len(kept) > 1 and now.get(key) in kept and not _is_listed(words, places):
            kept = [v for v in kept if v != now[key]]
        if kept and _is_preferred(words, min(places)):
            told.soft[key] = kept
        elif kept:
            told.values[key] = kept
            told.direction.pop(key, None)
        elif (
            hits
            and len(values) - len({v for _, v in hits}) == 1
            and now.get(key) in dict((v, p) for p, v in hits)
        ):
            told.values[key] = [v for v in values if v not in {h for _, h in hits}]
    _read_direction(tokens(text), options, told)


def _without_misfits(words: Tokens) -> Tokens:
    """The words without "too small", which names no size that is wanted."""
    return tuple(
        "misfit" if place and words[place - 1] == "too" else word
        for place, word in enumerate(words)
    )


def _is_listed(words: Tokens, places: Sequence[int]) -> bool:
    """Whether values stand beside each other as choices: "A or B", "A > B"."""
    return has(words[min(places) : max(places)], "or", "over", ">")


def _is_preferred(words: Tokens, place: int) -> bool:
    """Whether a place stands behind "preferably"."""
    before = words[:place]
    return has(before, "prefer", "preferably", "preferred", "ideally", "if possible")


def _is_free(key: str, words: Tokens) -> bool:
    name = tokens(key)
    for phrase in SAID.by_name["free"]:
        place = find(tokens(phrase), words)
        if place >= 0 and find(name, words[place : place + 7]) >= 0:
            return True
    return False


def _by_price(words: Tokens) -> str:
    if has(words, "cheapest", "least expensive", "lowest price", "less expensive", "cheaper"):
        return "cheapest"
    return "dearest" if has(words, "most expensive", "priciest", "dearest") else ""


def _hits(
    key: str, values: Sequence[str], words: Tokens, raw: frozenset[str], options: Mapping[str, Any]
) -> list[tuple[int, str]]:
    """Where values of an option stand in a text, in the text's order."""
    found = []
    for value in values:
        place = _place(key, value, values, words, raw, options)
        if place >= 0:
            found.append((place, value))
    longest = [
        (p, v)
        for p, v in found
        if not any(v != w and p == q and set(tokens(v)) < set(tokens(w)) for q, w in found)
    ]
    return sorted(longest)


def _place(
    key: str,
    value: str,
    values: Sequence[str],
    words: Tokens,
    raw: frozenset[str],
    options: Mapping[str, Any],
) -> int:
    low, name = value.lower(), tokens(key)
    if low in {"yes", "no", "none", "built in", "true", "false"}:
        return _yes_or_no(low, name, words)
    own = tokens(value)
    if not own:
        return -1
    if len(own) == 1 and (own[0].isdigit() or low in SIZES):
        return _bare(key, low, own[0], words, raw, options)
    place = find(own, words)
    if place >= 0:
        return place
    return _partly(own, values, words)


def _yes_or_no(low: str, name: Tokens, words: Tokens) -> int:
    place = next((find((each,), words) for each in reversed(name) if find((each,), words) >= 0), -1)
    if place < 0:
        return -1
    before = words[max(0, place - 3) : place]
    denied = any(each in _NO for each in before) or words[place + 1 : place + 2] in (("no",),)
    return place if denied == (low in {"no", "none", "false"}) else -1


def _bare(
    key: str, low: str, own: str, words: Tokens, raw: frozenset[str], options: Mapping[str, Any]
) -> int:
    """A bare number or a size, which has to stand beside its option's name or alone."""
    letter = {"s": "small", "m": "medium", "l": "large"}.get(low, low)
    for place, word in reversed([*enumerate(words)]):
        if word not in {own, letter, _LETTER.get(low, own)}:
            continue
        before = words[max(0, place - 2) : place]
        beside = any(
            each in (*tokens(key), "size", "to", "->", "in", "a", "for", "need") for each in before
        )
        after = words[place + 1 : place + 2]
        unit = bool(after) and after[0] in tokens(key)
        if low in SIZES:
            if word == letter != low or low.upper() in raw or beside or len(words) <= 2:
                return place
        elif beside or unit or len(words) <= 4:
            other_number = any(
                own in tokens(v) for k, vs in options.items() if k != key for v in vs
            )
            if not other_number or unit or any(e in tokens(key) for e in before):
                return place
    return -1


def _partly(own: Tokens, values: Sequence[str], words: Tokens) -> int:
    """A word that only this value of its option has: "google" for "Google Assistant"."""
    others = {each for v in values if tokens(v) != own for each in tokens(v)}
    for each in own:
        if len(each) < 3 or each in others or each.isdigit() or each in SAID.words["units"]:
            continue
        for place, word in enumerate(words):
            if alike(word, each) or (len(word) > 3 and each.startswith(word) and len(each) > 5):
                return place
    return -1


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
    for word, (way, keys) in manner_data()["directions"].items():
        if not has(words, word):
            continue
        stems = [k for k in options if any(find((t,), words) >= 0 for t in tokens(k))]
        fits = [k for k in options if any(alike(t, h) for t in tokens(k) for h in keys)]
        key = next((k for k in [*fits, *stems] if orderable(options[k])), "")
        key = key or next((k for k in options if orderable(options[k])), "")
        if key and key not in told.values:
            told.direction[key] = way
    if (tells(words, "most") or tells(words, "least")) and not _by_price(words):
        near = [k for k in options if any(find((t,), words) >= 0 for t in tokens(k))]
        key = next((k for k in near if orderable(options[k])), "")
        if key and key not in told.values:
            told.direction[key] = "most" if tells(words, "most") else "least"
