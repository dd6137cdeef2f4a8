"""What a customer wants an item to be, read against the options that its product has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agent.clerk.retail.language import ITEM_ID, pattern, says, words
from agent.clerk.retail.values import (
    Variant,
    apart,
    key_words,
    keys_in,
    leading_keys,
    scaled,
    values_in,
)


@dataclass
class Wish:
    """Words read against the options that one product has."""

    wanted: dict[str, set[str]] = field(default_factory=dict)
    """Option key to acceptable values."""

    either: list[dict[str, str]] = field(default_factory=list)
    """Values that fit several keys: any of them will do."""

    unwanted: dict[str, set[str]] = field(default_factory=dict)
    preferred: list[tuple[str, str]] = field(default_factory=list)
    extremes: dict[str, str] = field(default_factory=dict)
    """Option key to ``top`` or ``bottom``: the most or least that can be had."""

    careless: set[str] = field(default_factory=set)
    """Options that the customer said do not matter."""

    item_id: str = ""
    price: str = ""
    """``cheapest``, ``dearest``, ``cheaper``, ``dearer``."""

    at_most: float | None = None
    strict: bool = False
    """Everything not named must stay as it is."""

    free: bool = False
    """Everything not named does not matter."""

    impossible: bool = False
    """A larger, brighter, … one was asked for, and none is made."""

    @property
    def empty(self) -> bool:
        """Whether nothing was said that tells one variant from another."""
        return not (
            self.wanted
            or self.either
            or self.unwanted
            or self.preferred
            or self.item_id
            or self.extremes
            or self.price
            or self.at_most is not None
            or self.impossible
        )


def read_wish(text: str, options: Mapping[str, list[str]], current: Variant | None) -> Wish:
    """What a customer's words ask for; of several lines, a later one overrules an earlier."""
    wish = Wish()
    for line in text.split("\n"):
        wish = _over(wish, _read_line(line, options, current))
    return wish


def _over(old: Wish, new: Wish) -> Wish:
    """A wish that a later one corrects: what the later names replaces what the earlier named."""
    if new.empty:
        return replace(
            old,
            careless=old.careless | new.careless,
            strict=old.strict or new.strict,
            free=old.free or new.free,
        )
    named = {*new.wanted, *(key for each in new.either for key in each)}
    return Wish(
        wanted={**{k: v for k, v in old.wanted.items() if k not in named}, **new.wanted},
        either=new.either or [e for e in old.either if not named & e.keys()],
        unwanted={k: v for k, v in {**old.unwanted, **new.unwanted}.items() if k not in new.wanted},
        preferred=new.preferred or old.preferred,
        extremes={**{k: v for k, v in old.extremes.items() if k not in named}, **new.extremes},
        careless=old.careless | new.careless,
        item_id=new.item_id,
        price=new.price or old.price,
        at_most=new.at_most if new.at_most is not None else old.at_most,
        strict=old.strict or new.strict,
        free=old.free or new.free,
        impossible=new.impossible,
    )


def _read_line(text: str, options: Mapping[str, list[str]], current: Variant | None) -> Wish:
    wish = Wish(free=pattern("free").search(text) is not None)
    wish.item_id = next((hit.group() for hit in ITEM_ID.finditer(text)), "")
    wish.price = next(
        (each for each in ("cheapest", "dearest", "cheaper", "dearer") if says(each, text)), ""
    )
    if current is None:
        wish.price = {"cheaper": "cheapest", "dearer": "dearest"}.get(wish.price, wish.price)
    under = pattern("under").search(text)
    wish.at_most = float(under.group(1)) if under else None
    text = _careless(text, options, wish)
    text = _keeping(text, options, current, wish)
    wish.strict = says("same", text)
    text = _relative(text, options, current, wish)
    soft = pattern("options_prefer").search(text)
    if soft and len(text[: soft.start()].split()) + len(soft.group(1).split()) > 0:
        wish.preferred = [hit for hit in _ordered(soft.group(1), options)]
        text = text[: soft.start()]
    text = _without_unwanted(text, options, wish)
    for key, value, span in apart(text, values_in(text, options)):
        _want(wish, text, key, value, span, options)
    _settle_shared(wish, text, options)
    return wish


def _careless(text: str, options: Mapping[str, list[str]], wish: Wish) -> str:
    """Take out "I don't care about the color"."""
    for hit in pattern("careless").finditer(text):
        said = " ".join(each for each in hit.groups() if each)
        keys = keys_in(said, options)
        wish.careless.update(keys)
        wish.free = wish.free and not keys
    return pattern("careless").sub(" ", text)


def _keeping(
    text: str, options: Mapping[str, list[str]], current: Variant | None, wish: Wish
) -> str:
    """Take out "same size and lining": options that keep their value."""
    hit = pattern("keeping").search(text)
    if hit is None or current is None:
        return text
    keys, length = leading_keys(hit.group(1), options)
    for key in keys:
        if key in current["options"]:
            wish.wanted[key] = {str(current["options"][key])}
    return f"{text[: hit.start()]} {hit.group(1)[length:]} {text[hit.end() :]}" if keys else text


def _relative(
    text: str, options: Mapping[str, list[str]], current: Variant | None, wish: Wish
) -> str:
    """Read "bigger", "less bright", "highest resolution"; gives the text without those words."""
    for direction, expression, keys in words()["relatives"]:
        hit = re.search(expression, text)
        if hit is None:
            continue
        key = _key_for(keys, options, text)
        if key is None:
            continue
        text = f"{text[: hit.start()]} {text[hit.end() :]}"
        if direction in {"top", "bottom"}:
            wish.extremes[key] = direction
            continue
        values = scaled(options[key])
        here = str(current["options"].get(key)) if current is not None else None
        wanted = _beyond(values, here, direction)
        wish.wanted[key] = wanted
        wish.impossible |= not wanted
    return text


def _key_for(keys: list[str], options: Mapping[str, list[str]], text: str) -> str | None:
    named = [key for key in options if any(word in text for word in key.lower().split())]
    for pool in (named, list(options)):
        for wanted in keys:
            for key in pool:
                if wanted in key.lower() and len(options[key]) > 1 and scaled(options[key]):
                    return key
    return None


def _beyond(values: list[str], here: str | None, direction: str) -> set[str]:
    if here not in values:
        return set()
    place = values.index(here)
    return set(values[place + 1 :] if direction == "up" else values[:place])


def _without_unwanted(text: str, options: Mapping[str, list[str]], wish: Wish) -> str:
    """Take out "instead of blue": values that are to go."""
    for hit in reversed([*pattern("instead_of").finditer(text)]):
        end = re.search(r",|\bto\b|\bfor\b|\bbut\b|\bwith\b|\binto\b|$", text[hit.end() :])
        stop = hit.end() + (end.start() if end else 0)
        gone = values_in(text[hit.end() : stop], options)
        if gone:
            for key, value, _ in gone:
                wish.unwanted.setdefault(key, set()).add(value)
            text = f"{text[: hit.start()]} {text[stop:]}"
    return text


def _want(
    wish: Wish,
    text: str,
    key: str,
    value: str,
    span: tuple[int, int],
    options: Mapping[str, list[str]],
) -> None:
    values = {value}
    if pattern("or_above").match(text[span[1] :]):
        order = scaled(options[key])
        values = set(order[order.index(value) :]) if value in order else values
    wish.wanted.setdefault(key, set()).update(values)


def _ordered(text: str, options: Mapping[str, list[str]]) -> list[tuple[str, str]]:
    return [
        (key, value) for key, value, _ in sorted(values_in(text, options), key=lambda hit: hit[2])
    ]


def _settle_shared(wish: Wish, text: str, options: Mapping[str, list[str]]) -> None:
    """A value that fits two options ("black": frame or lens) belongs to the one that is named."""
    keys = [
        key
        for key in wish.wanted
        for other in wish.wanted
        if key != other and wish.wanted[key] & wish.wanted[other]
    ]
    if len(keys) < 2:
        return
    named = [
        key
        for key in keys
        if any(
            re.search(rf"\b{re.escape(w)}\b", text) for w in key_words(key) if not _common(w, keys)
        )
    ]
    if named:
        for key in set(keys) - set(named):
            del wish.wanted[key]
        return
    shared = set.intersection(*(wish.wanted[key] for key in set(keys)))
    for value in shared:
        wish.either.append({key: value for key in set(keys)})
    for key in set(keys):
        del wish.wanted[key]


def _common(word: str, keys: list[str]) -> bool:
    return all(word in key for key in keys)
