"""Cities and airports that a clause names, and which way it speaks of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from agent.clerk.airline.language import LANGUAGE, pattern, says

FROM, TO, AT, LEG, ASIDE = "from", "to", "at", "leg", "aside"


@dataclass(frozen=True, slots=True)
class Place:
    """A place as it stands in a clause."""

    start: int
    end: int
    name: str
    codes: tuple[str, ...]
    """Its airports; none where the airline does not fly there."""

    way: str
    """``from``, ``to``, ``at`` ("the Chicago trip"), ``leg`` ("back from Chicago"), ``aside`` or
    empty."""


def places(clause: str) -> list[Place]:
    """The places in a clause, in order."""
    hits = [
        (hit.start(), hit.end(), hit.group())
        for hit in pattern("any_place").finditer(clause)
        if _meant(clause, hit.start(), hit.end(), hit.group())
    ]
    found: list[Place] = []
    for at, (start, end, name) in enumerate(hits):
        until = hits[at + 1][0] if at + 1 < len(hits) else None
        before = found[-1] if found else None
        if before and _same(before, name, clause[before.end : start]):
            narrow = min(before.codes, airports(name), key=len)
            found[-1] = replace(before, end=end, codes=narrow)
            continue
        way = _way(clause, start, end, until, before)
        found.append(Place(start, end, name, airports(name), way))
    return found


def _same(before: Place, name: str, between: str) -> bool:
    """Whether "New York JFK" or "LaGuardia (New York)" names one place twice."""
    joined = between.strip(" ,(") in {"", "in", "airport in", "airport"}
    return joined and bool(set(before.codes) & set(airports(name)))


@cache
def airports(name: str) -> tuple[str, ...]:
    """The airports of a city, or of an airport by one of its names."""
    words = LANGUAGE.words
    own = (code for code, names in words["airports"].items() if name in names)
    return tuple(words["cities"].get(name, ())) or tuple(own)


def _meant(clause: str, start: int, end: int, name: str) -> bool:
    """Whether a word that is also an English word, or a name, is a place here."""
    if name not in LANGUAGE.words["ambiguous_places"]:
        return True
    if says("name_before", clause[:start]):
        return False
    before = says("place_before", clause[:start])
    code = name in LANGUAGE.words["airports"] or name.upper() in LANGUAGE.words["airports"]
    alone = code and start > 0 and not clause[end:].strip(" .!?")
    return before or (not alone and says("place_after", clause[end:]))


def _way(clause: str, start: int, end: int, until: int | None, before: Place | None) -> str:
    ahead = clause[:start]
    if says("aside_before", ahead):
        return ASIDE
    if says("leg_before", ahead):
        return LEG
    between = clause[before.end : start] if before else ""
    if before and before.way == FROM and (says("to_next", between) or says("and_next", between)):
        return TO
    if says("from_before", ahead):
        return FROM
    if says("to_before", ahead):
        return TO
    if until is not None and says("to_next", clause[end:until]):
        return FROM
    if before and before.way == TO and says("or_next", between):
        return TO
    return AT if says("trip_after", clause[end:]) else ""
