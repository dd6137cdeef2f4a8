"""Parts of an address that were asked for by themselves: *Wisconsin* to "I still need the state".

A bare word tells a part only where that part is missing, so it means nothing anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.clerk.identity import ZIP, name_data
from agent.clerk.retail.addresses import (
    in_one_line,
    lacking_parts,
    parse_address,
    parts_given,
    states,
    update_address,
)
from agent.clerk.retail.manner import SAID
from agent.clerk.task import Task

_LABEL = re.compile(
    r"^(?:(?:oh|sorry|well|yes|and|it's|its|it is|that's|that is|in|the|my|for)\s+)*"
    r"(?:(?:new\s+)?(?P<part>city|town|state|zip|zip ?code)\b\s*(?:is|would be|[:=])?\s*)?"
    r"(?:in\s+)?",
    re.IGNORECASE,
)
_NAMES = {"town": "city", "city": "city", "state": "state"}
_APART = re.compile(r"[,;.!\n]+|\band\b", re.IGNORECASE)
_CITY = re.compile(r"[A-Za-z][A-Za-z'\-]*(?: [A-Za-z][A-Za-z'\-]*){0,3}")
_BEGINS_CITY = frozenset({"new", "red", "black", "blue", "la"})
_ALSO_WORDS = frozenset({"hi", "in", "me", "ok", "oh", "or"})
"""Codes of states that are words, too, where they are not in capitals."""


def completed(task: Task, text: str) -> str:
    """The address so far with what an answer tells of it, in one line; or nothing."""
    given = parts_given(task)
    if "address1" not in given or "?" in text or "address1" in parse_address(text):
        return ""
    told = _told(text, lacking_parts(given))
    return in_one_line(update_address(given, told)) if told else ""


def _told(text: str, lacking: list[str]) -> dict[str, str]:
    zips = ZIP.findall(text)
    found = {"zip": zips[-1]} if zips else {}
    for part, value in _named(ZIP.sub(",", text), lacking):
        found[part] = value
    return found


def _named(text: str, lacking: list[str]) -> Iterator[tuple[str, str]]:
    """City and state, each with its value."""
    for piece in _APART.split(text):
        words = " ".join(piece.split())
        label = _LABEL.match(words)
        part = _NAMES.get((label["part"] or "").lower(), "") if label else ""
        value = words[label.end() :] if label else words
        city, code = _split_place(value, sure=part == "state")
        if code and (part == "state" or (not part and "state" in lacking)):
            yield "state", code
            if not part and "city" in lacking and not city and value.lower() == "new york":
                city = "New York"
        else:
            city = value
        if (part == "city" or (not part and "city" in lacking)) and _may_be_city(city):
            yield "city", city.title() if city.islower() else city


def _split_place(text: str, *, sure: bool) -> tuple[str, str]:
    """What stands before the state at the end of a text, and the state's code."""
    low = text.lower()
    codes = {code.lower(): code for code in states().values()}
    for name, code in {**states(), **codes}.items():
        plain = low == name or low.endswith(f" {name}")
        if plain and (sure or name not in _ALSO_WORDS or text.endswith(code)):
            return text[: -len(name)].strip(), code
    return text, ""


def _may_be_city(text: str) -> bool:
    words = text.lower().split()
    if not _CITY.fullmatch(text):
        return False
    known = {*name_data()["not_names"], *name_data()["things"], *SAID.words["no city"]}
    rest = words[1:] if words[0] in _BEGINS_CITY and len(words) > 1 else words
    return not known & set(rest)
