"""Postal addresses in what a customer typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from agent.clerk.retail.language import ORDER_ID, pattern, words

FIELDS = ("address1", "address2", "city", "state", "country", "zip")
"""The parts of an address, named as the records name them."""

_ZIP = re.compile(r"(?<![\w#])(\d{5})(?:-\d{4})?(?!\w)")
_COUNTRY = re.compile(r"\b(?:usa|u\.s\.a?\.?|united states(?: of america)?)\b", re.IGNORECASE)
_STREET = re.compile(
    r"(?<![\w#])\d{1,5}\s+(?:[NSEW]\.?\s+)?[A-Za-z0-9][\w.'-]*(?:\s+[A-Za-z][\w.'-]*){0,3}"
)
_TAIL = re.compile(
    r"\s+(?:and|instead|please|for|as|because|since|but|if|then|thanks|with|using)\b.*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts that were given; None where one was not."""

    address1: str | None = None
    address2: str | None = None
    city: str | None = None
    state: str | None = None
    country: str | None = None
    zip: str | None = None

    @property
    def empty(self) -> bool:
        """True where no part was given that could change anything."""
        return not any((self.address1, self.address2, self.city, self.zip, self.state))


def address(text: str, *, partly: bool = False) -> Address | None:
    """The address in a message, as far as it goes; the spelling of the customer is kept.

    Without street and unit there is none, unless ``partly``: where an address was asked for.
    """
    text = re.sub(r"\b(?:instead|please)\b", " ", ORDER_ID.sub(" ", text), flags=re.IGNORECASE)
    street = _street(text)
    unit = pattern("unit_words").search(text)
    if street is None and unit is None and not partly:
        return None
    start = street.start() if street else unit.start() if unit else 0
    rest = text[start:]
    zips = _ZIP.findall(rest[len(street.group()) :] if street else rest)
    state, rest = _state(rest)
    return Address(
        address1=_tidy(_without_unit(street.group())) if street else None,
        address2=_tidy(unit.group()) if unit else ("" if street else None),
        city=_city(rest, street.group() if street else "", unit.group() if unit else ""),
        state=state,
        country="USA" if street or _COUNTRY.search(rest) else None,
        zip=zips[-1] if zips else None,
    )


def _street(text: str) -> re.Match[str] | None:
    """A house number and the words after it, up to a comma, where they look like a street."""
    for hit in _STREET.finditer(text):
        after = text[hit.end() : hit.end() + 1]
        named = pattern("street_words").search(hit.group())
        if named:
            cut = hit.start() + named.end()
            return re.compile(r".*", re.DOTALL).match(text, hit.start(), cut)
        if after == "," and not re.match(r"\d+\s+(?:items?|orders?|inch|ml|gb|of)\b", hit.group()):
            return hit
    return None


def _without_unit(street: str) -> str:
    return pattern("unit_words").sub("", street)


@cache
def _state_pattern() -> re.Pattern[str]:
    names = sorted(words()["states"], key=len, reverse=True)
    codes = "|".join(sorted(set(words()["states"].values())))
    return re.compile(
        rf"(?:,\s*|\s)((?i:{'|'.join(names)})|{codes})(?=\W*(?:\d{{5}}|,|usa|us\b|united|$|\.|\s))"
    )


def _state(text: str) -> tuple[str | None, str]:
    """The state's code, and the text cut before it; "New York, 10001" names both city and state."""
    hits = [*_state_pattern().finditer(text)] or [*_lower_code(text)]
    if not hits:
        return None, text
    last = hits[-1]
    found = last.group(1)
    code = words()["states"].get(found.lower(), found.upper())
    if found.lower() == "new york" and len(hits) == 1:
        return code, text
    return code, text[: last.start()]


def _lower_code(text: str) -> list[re.Match[str]]:
    """A code in lower case counts only right before a zip code: ``tx 78712``."""
    codes = "|".join(sorted({code.lower() for code in words()["states"].values()}))
    return list(re.finditer(rf"[,\s]({codes})(?=[,\s]+\d{{5}})", text))


def _city(rest: str, street: str, unit: str) -> str | None:
    """What stands between street (or unit) and state or zip."""
    left = rest
    for known in (street, unit):
        if known:
            left = left.replace(known, ",", 1)
    left = _TAIL.sub("", _COUNTRY.sub("", _ZIP.sub(",", left)).strip(" ,"))
    parts = [part.strip(" .") for part in re.split(r"[,\n]", left)]
    named = [
        re.sub(r"^(?:in|at)\s+", "", part)
        for part in parts
        if re.fullmatch(r"[A-Za-z][A-Za-z .'-]{1,30}", part)
    ]
    return _tidy(named[-1]) if named else None


def _tidy(text: str) -> str:
    text = " ".join(text.strip(" ,.").split())
    return text.title() if text.islower() else text
