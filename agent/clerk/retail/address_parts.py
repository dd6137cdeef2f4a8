"""Slot filling for addresses: the parts that a customer gives in one message or in several.

*Wisconsin* in answer to "I still need the state" is a part, too. A bare word counts as a part only
while that part is missing, so that it means nothing anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import dropwhile, groupby, islice, takewhile

import usaddress  # type: ignore[import-untyped]

from agent.clerk.retail.intent_data import SAID
from agent.clerk.retail.orders import ORDER_ID
from agent.clerk.state.identity import introduces, name_data
from agent.clerk.state.task import Task
from agent.clerk.understanding.correcting import corrected_values
from agent.clerk.understanding.tokens import has, tokens

_ZIP = re.compile(r"(?<![\w#])(\d{5})(?:-\d{4})?\s*\.?(?!\w)")
_UNIT = re.compile(
    r"(?:\b(?:apt|apartment|unit|suite|ste|flat|room|floor)\b\.?\s*#?\s*(?:\w*\d\w*|[A-Za-z])\b"
    r"|#\s?\d+\w?\b)",
    re.IGNORECASE,
)
_STREET = re.compile(r"(?:\d+\w?|P\.? ?O\.?) ", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![\w#-])\d{1,5}[A-Za-z]? (?=[A-Za-z]+ )")
"""Where a street may begin: with the number of a house."""

_NUMBERS = 4
"""How many numbers in a text are tried as that of a house."""

_KINDS = {"Address": "street", "Street": "street", "USPSBox": "street", "PlaceName": "city",
          "StateName": "state", "ZipCode": "zip"}  # fmt: skip
"""The parts of an address by how the labels of usaddress for their words begin."""

_NEXT = 4
"""Among so many pieces of a text, the street included, the place must be that it is in."""

_LABEL = re.compile(
    r"^(?:(?:oh|sorry|well|yes|and|it's|its|it is|that's|that is|in|at|the|my|for)\s+)*"
    r"(?:(?:new\s+)?(?P<part>city|town|state)\b\s*(?:is|would be|[:=])?\s*)?(?:in\s+)?",
    re.IGNORECASE,
)
_APART = re.compile(r"[,;.!\n]+|\band\b", re.IGNORECASE)
_CITY = re.compile(r"[A-Za-z][A-Za-z'\-]*(?: [A-Za-z][A-Za-z'\-]*){0,3}")
_BEGINS_CITY = frozenset({"new", "red", "black", "blue", "la"})
PARTS = {"city": "city", "town": "city", "state": "state", "zip": "zip", "postcode": "zip"}
"""Names of the parts, and what each is called here."""


def parse_address(text: str, lacking: Collection[str] = ()) -> dict[str, str]:
    """The parts of an address in a text, in the customer's spelling.

    Bare words count as the city or the state if that part is lacking.
    """
    text = ORDER_ID.sub(" ", text).replace("\n", ", ")
    ends = [each.end() for each in _ZIP.finditer(text)]
    found = _parts_together(text[: ends[-1]]) if ends else {}
    if "address1" not in found:  # what comes after a zip code would only mislead the labelling
        found = _parts_together(text)
    if "address1" not in found:  # and so may what comes before the street
        starts = [each.start() for each in islice(_NUMBERED.finditer(text), _NUMBERS)]
        from_number = (_parts_together(text[start:]) for start in starts)
        found = next((each for each in from_number if "address1" in each), found)
    unit = _UNIT.search(text)
    if lacking and "address1" not in found:
        found = {each: found[each] for each in ("zip",) if each in found}
        found |= _named_parts(_ZIP.sub(",", _UNIT.sub(",", text)), lacking)
    return found | ({"address2": _tidy(unit.group())} if unit else {})


def _parts_together(text: str) -> dict[str, str]:
    """The first street in a text with the city, state and zip code after it, or those alone."""
    pieces = [
        (part, " ".join(word for word, _ in words))
        for part, words in groupby(usaddress.parse(text), key=lambda each: _part_of(each[1]))
    ]
    start = next((n for n in range(len(pieces)) if _is_street(pieces[n:])), None)
    if start is None:
        return _place_in(pieces, certain=False)
    street = {"address1": _tidy(pieces[start][1]), "address2": "", "country": "USA"}
    return street | _place_in(pieces[start + 1 :], certain=True)


def _place_in(pieces: Sequence[tuple[str, str]], *, certain: bool) -> dict[str, str]:
    """The city, state and zip code in labelled pieces; a city alone only if there is certainly one.

    The label of a state is at times given to a city's last word, and the other way round.
    """
    begun = dropwhile(lambda each: not _names_part(each), pieces)
    told = dict(reversed([*takewhile(_names_part, begun)]))  # the first of each kind counts
    place = f"{told.get('city', '')} {told.get('state', '')}".replace(",", "").strip(" .")
    city, code = _split_state(place)
    city = city or _city_of_same_name(place) if code else told.get("city", "").strip(" ,.")
    city = city[_LABEL.match(city).end() :]  # type: ignore[union-attr]
    zips = _ZIP.findall(" ".join(words for _, words in pieces))
    return {
        **({"state": code} if code else {}),
        **({"city": _tidy(city)} if (certain or len(told) > 1) and _may_be_city(city) else {}),
        **({"zip": zips[-1]} if zips else {}),
    }


def _names_part(piece: tuple[str, str]) -> bool:
    return piece[0] in {"city", "state", "zip"}


def _part_of(label: str) -> str:
    return next((part for begin, part in _KINDS.items() if label.startswith(begin)), "")


def _is_street(pieces: Sequence[tuple[str, str]]) -> bool:
    """Whether the first piece is a street: its number, and how streets end or what follows one."""
    part, words = pieces[0]
    if part != "street" or not _STREET.match(words):
        return False
    placed = {each[0] for each in pieces[1:_NEXT] if _names_part(each)}
    ends = words.lower().rstrip(" ,.").split()[-1] in SAID.by_name["street"]
    return ends or "zip" in placed or (bool(placed) and words.endswith(","))


def _named_parts(text: str, lacking: Collection[str]) -> dict[str, str]:
    """The city and the state that a text names by their label, or bare while they are lacking."""
    found: dict[str, str] = {}
    for piece in _APART.split(text):
        words = " ".join(piece.split())
        label = _LABEL.match(words)
        part = PARTS.get((label["part"] or "").lower(), "") if label else ""
        value = words[label.end() :] if label else words
        city, code = _split_state(value)
        if code and (part == "state" or (not part and "state" in lacking)):
            found["state"] = code
            city = city or ("" if part else _city_of_same_name(value))
        else:
            city = value
        if (part == "city" or (not part and "city" in lacking)) and _may_be_city(city):
            found["city"] = _tidy(city)
    return found


def _city_of_same_name(state: str) -> str:
    return "New York" if state.lower() == "new york" else ""


def _split_state(text: str) -> tuple[str, str]:
    """The text before a state at its end, and the state's code; the whole text if it has none."""
    low, states = text.lower(), name_data()["states"]
    for name, code in [*states.items(), *((code.lower(), code) for code in states.values())]:
        if low == name or low.endswith(f" {name}"):
            return text[: -len(name)].strip(), code
    return text, ""


def _tidy(text: str) -> str:
    text = " ".join(text.strip(" ,.").split())
    return text.title() if text.islower() else text


def _may_be_city(text: str) -> bool:
    words = text.lower().split()
    if not _CITY.fullmatch(text):
        return False
    known = {*name_data()["not_names"], *name_data()["things"], *SAID.words["no city"]}
    return not known & {*(words[1:] if words[0] in _BEGINS_CITY else words)}


def parts_given(task: Task) -> dict[str, str]:
    """The parts of an address given for a task, in one message or in several.

    A whole new address keeps nothing of one that was given before, not even a unit.
    """
    given: dict[str, str] = {}
    for text in task.words if task.notes else [*task.words, task.message]:
        found = parts_told(text, given) if text in task.notes else parse_address(text)
        own = text not in task.notes and introduces(task.message)
        if own and "address1" not in found:
            found.pop("zip", None)  # it tells who somebody is
        if "address1" in found and {"city", "zip"} & found.keys():
            given = found
        else:
            given |= {key: value for key, value in found.items() if value or key not in given}
    return given


def parts_told(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """The parts that a later message gives or puts right, in the light of those given before."""
    asked = lacking_parts(given) if "address1" in given and "?" not in text else []
    return corrected_values(text, given) or parse_address(text, asked)


def says_same(text: str) -> list[str]:
    """The parts that an answer says are unchanged: *same zip*, with which the state is, too."""
    words = tokens(text)
    same = has(words, "same", "unchanged", "stays", "stay", "remains")
    found = [PARTS[each] for each in words if same and each in PARTS]
    return [*dict.fromkeys([*found, *("state" for _ in found)])]


def lacking_parts(given: Mapping[str, str]) -> list[str]:
    """The parts besides the street that an address still lacks."""
    return [each for each in ("city", "state", "zip") if not given.get(each)]
