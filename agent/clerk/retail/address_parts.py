"""Slot filling for addresses: the parts that a customer gives in one message or in several.

*Wisconsin* in answer to "I still need the state" is a part, too. A bare word counts as a part only
while that part is missing, so that it means nothing anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agent.clerk.retail.intent_data import SAID
from agent.clerk.retail.orders import ORDER_ID
from agent.clerk.retail.wording import address
from agent.clerk.state.identity import ZIP, name_data
from agent.clerk.state.task import Task
from agent.clerk.understanding.correcting import corrected_values
from agent.clerk.understanding.tokens import has, tokens

_ZIP = re.compile(r"(?<![\w#])(\d{5})(?:-\d{4})?\s*\.?(?!\w)")
_UNIT = re.compile(
    r"\b(?:(?:apt|apartment|unit|suite|ste|flat|room|floor)\.?\s*#?\s*(?:\w*\d\w*|[A-Za-z]))\b",
    re.IGNORECASE,
)
_STREET = re.compile(r"(?<![\w#])\d{1,5}\s+(?=[A-Za-z0-9])[\w.'\- ]{3,40}")
_NUMBER = re.compile(r"(?<![\w#])\d{1,5}\s+(?=[A-Za-z])")
_ENDS = re.compile(rf".*?\b(?:{'|'.join(SAID.by_name['street'])})\b\.?", re.IGNORECASE)
_LABEL = re.compile(
    r"^(?:(?:oh|sorry|well|yes|and|it's|its|it is|that's|that is|in|the|my|for)\s+)*"
    r"(?:(?:new\s+)?(?P<part>city|town|state|zip|zip ?code)\b\s*(?:is|would be|[:=])?\s*)?"
    r"(?:in\s+)?",
    re.IGNORECASE,
)
_NAMES = {"town": "city", "city": "city", "state": "state"}
_PART = re.compile(r"\b(?:city|town|state|zip|postcode)\b", re.IGNORECASE)
_LISTED = r"(?:city|town|state|zip(?:\s?code)?|postcode)"
_SAME = re.compile(
    rf"\bsame\s+{_LISTED}(?:\s*(?:,|and|&|/)\s*(?:the\s+)?(?:same\s+)?{_LISTED})*\b"
    rf"|\b{_LISTED}(?:\s*(?:,|and|&|/)\s*(?:the\s+)?{_LISTED})*\s+(?:is|are|stays?|remains?)\s+"
    r"(?:the\s+)?(?:same|unchanged|as\s+(?:it\s+is|before|now))\b",
    re.IGNORECASE,
)
_APART = re.compile(r"[,;.!\n]+|\band\b", re.IGNORECASE)
_CITY = re.compile(r"[A-Za-z][A-Za-z'\-]*(?: [A-Za-z][A-Za-z'\-]*){0,3}")
_BEGINS_CITY = frozenset({"new", "red", "black", "blue", "la"})
_ALSO_WORDS = frozenset({"hi", "in", "me", "ok", "oh", "or"})
"""State codes that count as ordinary words unless they are in capitals."""


def parse_address(text: str) -> dict[str, str]:
    """The parts of an address in a text, in the customer's spelling."""
    text = ORDER_ID.sub(" ", text).replace("\n", ", ")
    found: dict[str, str] = {}
    street, unit = _street(text), _UNIT.search(text)
    if street:
        name = _tidy(_UNIT.sub("", street.group()))
        found = {"address1": name, "address2": "", "country": "USA"}
    if unit:
        found["address2"] = _tidy(unit.group())
    first = street or unit
    rest = text[first.end() :] if first else text
    zips = _ZIP.findall(rest)
    if zips:
        found["zip"] = zips[-1]
    return {**found, **_place(_UNIT.sub(",", rest), certain=bool(zips or street))}


def _street(text: str) -> re.Match[str] | None:
    for hit in _STREET.finditer(text):
        named = _ENDS.match(text, *hit.span())
        if named:  # what stands before its last number is another one, such as a zip code
            *_, last = _NUMBER.finditer(text, *named.span())
            return _ENDS.match(text, last.start(), named.end())
        if text[hit.end() : hit.end() + 1] == "," and len(hit.group().split()) <= 4:
            return hit
    return None


def _place(rest: str, *, certain: bool) -> dict[str, str]:
    """The city and state, which precede the zip code or end the text."""
    end = _ZIP.search(rest)
    pieces = (rest[: end.start()] if end else rest).split(",")
    parts = [part for each in pieces if (part := each.strip(" ."))]
    if not parts or (len(parts) < 2 and not certain):
        return {}
    city, code = _split_place(parts[-1], sure=True)
    if code:
        before = parts[-2] if len(parts) > 1 else _city_of_same_name(parts[-1])
        city = city or before
        return {"state": code, **({"city": _city(city)} if city else {})}
    told = certain and len(city.split()) <= 3 and city[0].isalpha() and _may_be_city(_city(city))
    return {"city": _city(city)} if told else {}


def _city_of_same_name(state: str) -> str:
    return "New York" if state.lower() == "new york" else ""


def _split_place(text: str, *, sure: bool) -> tuple[str, str]:
    """The text before a state at its end, and the state's code.

    Without a state, the whole text and an empty code.
    """
    low, states = text.lower(), name_data()["states"]
    for name, code in [*states.items(), *((code.lower(), code) for code in states.values())]:
        plain = low == name or low.endswith(f" {name}")
        if plain and (sure or name not in _ALSO_WORDS or text.endswith(code)):
            return text[: -len(name)].strip(), code
    return text, ""


def _city(text: str) -> str:
    return _tidy(re.sub(r"^(?:in|at)\s+", "", text.strip()))


def _tidy(text: str) -> str:
    text = " ".join(text.strip(" ,.").split())
    return text.title() if text.islower() else text


def parts_given(task: Task) -> dict[str, str]:
    """The parts of an address given for a task, in one message or in several."""
    given: dict[str, str] = {}
    place: dict[str, str] = {}
    for text in task.words if task.notes else [task.text, task.message]:
        right = corrected_values(text, given)
        if right:
            given |= right
            continue
        found = parse_address(text)
        only_zip = "zip" in found and has(tokens(task.text), "zip", "postcode", "zip code")
        if {"address1", "address2"} & found.keys() or (given and found) or only_zip:
            given = update_address(given or place, found)
        elif text in task.notes and {"city", "state", "zip"} <= found.keys():
            place = found  # an answer without the street, which comes next
    whole = parse_address(task.message)
    return given or (whole if "address1" in whole else {})


def update_address(told: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """The address with the parts given later; a whole new one keeps nothing, not even a unit."""
    if "address1" in found and {"city", "zip"} & found.keys():
        return dict(found)
    return {**told, **{k: v for k, v in found.items() if v or k not in told}}


def says_same(text: str) -> list[str]:
    """The parts that an answer says are unchanged: *same zip*."""
    found = [*_SAME.finditer(text)]
    named = [name.lower() for hit in found for name in _PART.findall(hit.group())]
    return [_NAMES.get(name, "zip") for name in named]


def lacking_parts(given: Mapping[str, str]) -> list[str]:
    """The parts besides the street that an address still lacks."""
    return [each for each in ("city", "state", "zip") if not given.get(each)]


def completed(task: Task, text: str) -> str:
    """The address so far with the parts from an answer, on one line; empty if it adds none."""
    given = parts_given(task)
    if "address1" not in given or "?" in text or "address1" in parse_address(text):
        return ""
    told = dict(_named(ZIP.sub(",", text), lacking_parts(given)))
    zips = ZIP.findall(text)
    told |= {"zip": zips[-1]} if zips else {}
    return address({**update_address(given, told), "country": ""}) if told else ""


def _named(text: str, lacking: list[str]) -> Iterator[tuple[str, str]]:
    """Yield ``city`` and ``state``, each with the value in the text."""
    for piece in _APART.split(text):
        words = " ".join(piece.split())
        label = _LABEL.match(words)
        part = _NAMES.get((label["part"] or "").lower(), "") if label else ""
        value = words[label.end() :] if label else words
        city, code = _split_place(value, sure=part == "state")
        if code and (part == "state" or (not part and "state" in lacking)):
            yield "state", code
            city = city or ("" if part else _city_of_same_name(value))
        else:
            city = value
        if (part == "city" or (not part and "city" in lacking)) and _may_be_city(city):
            yield "city", city.title() if city.islower() else city


def _may_be_city(text: str) -> bool:
    words = text.lower().split()
    if not _CITY.fullmatch(text):
        return False
    known = {*name_data()["not_names"], *name_data()["things"], *SAID.words["no city"]}
    rest = words[1:] if words[0] in _BEGINS_CITY and len(words) > 1 else words
    return not known & set(rest)
