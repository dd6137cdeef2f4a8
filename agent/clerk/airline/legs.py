"""When a customer wants to fly: what was said of each way of a trip, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from agent.clerk.airline.flight_wish import Leg, side_of, wish
from agent.clerk.airline.line import Line
from agent.clerk.airline.words import TO

_TIMES = ("after", "before", "around", "relative", "rank", "arrive_after", "arrive_before")


def over(old: Leg, new: Leg) -> Leg:
    """A leg in which what was said later takes the place of what it contradicts."""
    told = {
        name: value
        for name, value in vars(new).items()
        if value != getattr(Leg(), name) and (name != "nth" or new.rank)
    }
    gone: dict[str, object] = {}
    if told.keys() & {*_TIMES, "date", "shift", "stops"}:
        gone["numbers"] = ()
    if told.keys() & set(_TIMES) or "numbers" in told:
        gone.update({name: "" for name in _TIMES}, nth=1)
    if told.keys() & {"date", "shift"}:
        gone.update(date="", dates=(), shift=None)
    return replace(old, **{**gone, **told, "wanted": old.wanted or new.wanted})


@dataclass(frozen=True)
class Wanted:
    """What is wanted of both ways."""

    out: Leg
    back: Leg
    open: Leg
    """What was said of no way in particular."""

    old: tuple[str, ...]
    """Days that were named and are booked."""


def plus(one: Leg, other: Leg) -> Leg:
    """A leg with what another part of the same sentence adds to it."""
    told = {name: value for name, value in vars(other).items() if value != getattr(Leg(), name)}
    return replace(one, **told)


Days = Mapping[str, frozenset[str]]
"""The days that are booked, by way: ``out``, ``back``, and all of them under an empty name."""


def read_wanted(lines: Iterable[Line], booked: Days) -> Wanted:
    """What sentences, the oldest first, want of the ways of a trip."""
    legs = {"out": Leg(), "back": Leg(), "": Leg()}
    old: list[str] = []
    side = ""
    for line in lines:
        here: dict[str, Leg] = {}
        side = side if side and not (legs["out"].wanted and legs["back"].wanted) else ""
        for part in line.parts():
            side = side_of(part) or side
            told = wish(part)
            new: list[str] = []
            for day in part.days:
                known = day.value in booked.get(side, booked[""]) and day.role != TO
                (old if known else new).append(day.value)
            if new:
                first, *others = dict.fromkeys(new)
                told = replace(told, date=first, dates=tuple(others), shift=None)
            if side:
                told = replace(told, wanted=True)
            for name in ("out", "back") if side == "both" else (side,):
                here[name] = plus(here.get(name, Leg()), told)
        for name, told in here.items():
            legs[name] = over(legs[name], told)
    return Wanted(legs["out"], legs["back"], legs[""], tuple(old))
