"""Option values of a product, found in a customer's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from agent.clerk.retail.language import words

Variant = Mapping[str, Any]


def space(variants: Iterable[Variant]) -> dict[str, list[str]]:
    """Every option of a product with the values it comes in."""
    found: dict[str, list[str]] = {}
    for variant in variants:
        for key, value in variant["options"].items():
            values = found.setdefault(str(key), [])
            if str(value) not in values:
                values.append(str(value))
    return found


def scaled(values: list[str]) -> list[str]:
    """Values from least to most, where they have an order; else none."""
    for scale in words()["scales"]:
        if set(values) <= set(scale):
            return [each for each in scale if each in values]
    numbers = {each: _number(each) for each in values}
    if any(number is None for number in numbers.values()):
        return []
    return sorted(values, key=lambda each: numbers[each] or 0.0)


def _number(value: str) -> float | None:
    hit = re.match(r"\D{0,4}(\d+(?:\.\d+)?)", value)
    return float(hit.group(1)) * (1000 if "TB" in value else 1) if hit else None


def key_words(key: str) -> list[str]:
    """Words by which a customer may name an option."""
    low = key.lower()
    return [low, *words()["key_aliases"].get(low, ())]


Hit = tuple[str, str, tuple[int, int]]


def values_in(
    text: str, options: Mapping[str, list[str]]
) -> list[tuple[str, str, tuple[int, int]]]:
    """Option values that occur in a text, longest first, no character used twice but for ties."""
    forms = _forms(tuple((key, tuple(values)) for key, values in options.items()))
    found: list[tuple[str, str, tuple[int, int]]] = []
    taken: list[tuple[int, int]] = []
    low = text.lower()
    for form, group in forms:
        for hit in re.finditer(rf"(?<![\w.%'-]){re.escape(form)}(?![\w%]|\.\d|-\w)", low):
            span = hit.span()
            if any(
                start < span[1] and span[0] < end and (start, end) != span for start, end in taken
            ):
                continue
            taken.append(span)
            found += [(key, value, span) for key, value in group]
    return [*found, *_yes_no(low, options, {key for key, _, _ in found})]


@lru_cache(maxsize=256)
def _forms(
    options: tuple[tuple[str, tuple[str, ...]], ...],
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Every way to say a value, longest first, with the (option, value) pairs it can mean.

    An alias never stands for a value where another value of that option is called just so.
    """
    forms: dict[str, list[tuple[str, str]]] = {}
    for key, values in options:
        own = {value.lower() for value in values}
        for value in values:
            if value.lower() in {"yes", "no", "none"}:
                continue
            for form in (
                value.lower(),
                *(each for each in _aliases(value.lower(), key) if each not in own),
            ):
                forms.setdefault(form, []).append((key, value))
    return tuple((form, tuple(forms[form])) for form in sorted(forms, key=len, reverse=True))


def _aliases(value: str, key: str) -> list[str]:
    data = words()
    found = list(data["value_aliases"].get(value, ()))
    found += [value.replace("-", " "), value.replace(" ", "-"), f"{value}s"]
    for unit, others in data["unit_aliases"].items():
        if re.fullmatch(rf"[\d.,]+{re.escape(unit)}", value):
            number = value[: -len(unit)]
            found += [f"{number}{other}" for other in others]
    bare = re.fullmatch(r"(\d{2,}) ?-?[a-z]+", value)
    found += [bare.group(1)] if bare else []
    found += [re.sub(r"^1\b", "one", each) for each in (value, *found) if re.match(r"1\b", each)]
    if re.fullmatch(r"\d+ml", value) and value[:-2].endswith("000"):
        found += [f"{value[:-5]} liter", f"{value[:-5]}l", f"{value[:-5]} litre", f"{value[:-5]} l"]
    return [each for each in found if each != value and each]


def _yes_no(
    text: str, options: Mapping[str, list[str]], known: set[str]
) -> list[tuple[str, str, tuple[int, int]]]:
    """Read "waterproof", "no backlight", "without armrests": options that are there or not."""
    found = []
    for key, values in options.items():
        off = next((v for v in values if v.lower() in {"no", "none", "not resistant"}), None)
        on = next((v for v in values if v.lower() == "yes"), None)
        if off is None or key in known:
            continue
        for word in key_words(key):
            hit = re.search(
                rf"(?P<not>\b(?:no|non|not|without|isn't|aren't|not have)\b[ -]"
                rf"(?:any |a |the |being |have )*)?\b{re.escape(word)}\b"
                r"(?P<no>:? (?:is )?(?:no|none)\b)?",
                text,
            )
            if hit is None:
                continue
            negated = hit.group("not") or hit.group("no")
            if negated or on:
                found.append((key, off if negated else str(on), hit.span()))
                break
    return found


def apart(text: str, hits: list[Hit]) -> list[Hit]:
    """Of the options that one word can belong to, those that are named beside it."""
    kept: list[Hit] = []
    for span in dict.fromkeys(hit[2] for hit in hits):
        group = [hit for hit in hits if hit[2] == span]
        beside = [hit for hit in group if _beside(text, span, hit[0])]
        kept += beside or group
    sure = {key for key, _, span in kept if len({k for k, _, s in kept if s == span}) == 1}
    return [
        hit
        for hit in kept
        if hit[0] not in sure
        or len({k for k, _, s in kept if s == hit[2]}) == 1
        or {k for k, _, s in kept if s == hit[2]} <= sure
    ]


def _beside(text: str, span: tuple[int, int], key: str) -> bool:
    words_ = "|".join(re.escape(each) for each in {*key_words(key), key.lower().split()[0]})
    after = re.match(rf"[\s-]*(?:{words_})(?:d|s)?\b", text[span[1] :])
    before = re.search(
        rf"\b(?:{words_})s?(?: (?:of|to|is|should be|be|in|a|as|from))* ?$", text[: span[0]]
    )
    return bool(after or before)


def leading_keys(text: str, options: Mapping[str, list[str]]) -> tuple[list[str], int]:
    """The options named one after the other at the start of a text, and how long that part is."""
    keys: list[str] = []
    place = 0
    while True:
        lead = re.match(r"(?:\s|,|\band\b|&|\bthe\b|\bsame\b)*", text[place:])
        start = place + (lead.end() if lead else 0)
        found = [
            (len(w), k)
            for k in options
            for w in key_words(k) + k.lower().split()
            if re.match(rf"{re.escape(w)}s?\b", text[start:])
        ]
        if not found:
            return keys, place
        size, key = max(found)
        keys.append(key)
        place = start + size


def keys_in(text: str, options: Mapping[str, list[str]]) -> set[str]:
    """The options that a text names, whatever their values."""
    return {
        key for key in options if any(re.search(rf"\b{re.escape(w)}", text) for w in key_words(key))
    }
