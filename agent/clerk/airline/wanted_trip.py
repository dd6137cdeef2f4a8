"""The trip that a booking or a search is about: from where to where, when, in which cabin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from agent.clerk.airline.flight_wish import Leg, side_of, wish
from agent.clerk.airline.line import Line, line
from agent.clerk.airline.memory import ways
from agent.clerk.airline.refining import is_question
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import coming
from agent.clerk.airline.wording import shift_day
from agent.clerk.airline.words import FROM, NOT, TO, words_of
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task


@dataclass
class Trip:
    """What is wanted of a trip; what was not spoken of is empty."""

    origin: tuple[str, ...] = ()
    destination: tuple[str, ...] = ()
    unknown: str = ""
    """A city that was named and that the airline does not fly to."""

    out: Leg = field(default_factory=Leg)
    back: Leg = field(default_factory=Leg)
    kind: str = ""
    """``one_way`` or ``round_trip``."""

    cabin: str = ""
    like: Json | None = None
    """The reservation that it is to be like."""


def trip_of(task: Task, talk: Talk) -> Trip:
    """The trip as a task's words, the oldest first, describe it."""
    found = Trip()
    lines = talk.lines(task)
    own = any(said.places for said in lines)
    before = [] if own and any(said.days for said in lines) else talk.lines_of(task.context)
    for said in before:
        _read(said, found)
    for said in lines:
        _read(said, found)
        found.like = _model(said, task, talk) or found.like
    for said in talk.lines_of(task.alternatives):
        stops = wish(said).stops
        if stops and found.out.stops:
            found.out = replace(found.out, stops=(*found.out.stops, *stops))
    if found.like is not None:
        _as_model(found, found.like)
    out, back = found.out.date, found.back.date
    found.kind = found.kind or "round_trip" * bool(back)
    if out and back and back < out:  # "back on Friday" is the first one after the way out
        late = (date.fromisoformat(out) - date.fromisoformat(back)).days
        found.back = replace(found.back, date=shift_day(back, late + -late % 7))
    return found


def _model(said: Line, task: Task, talk: Talk) -> Json | None:
    """The reservation that the trip is to be like: "the same flight as my current one"."""
    if not said.tells("the like") or talk.memory.user is None:
        return None
    key = task.chosen.get("focus") or talk.focus
    if key in talk.memory.reservations:
        return talk.memory.reservations[str(key)]
    found = coming(talk.memory.read_reservations(), talk)
    return found[0] if len(found) == 1 else None


def _read(said: Line, found: Trip) -> None:
    _read_places(said, found)
    if said.tells("one way"):
        found.kind = "one_way"
    elif said.tells("round trip") or (said.has("return") and not said.has("to return")):
        found.kind = "round_trip"
    named = [each.value for each in said.cabins if each.role != FROM]
    costs = said.has("cost", "fare", "fares") and is_question(said)
    if named and not (costs or said.has("what does", "how much", "what would")):
        found.cabin = named[-1]
    if "?" not in said.words or said.days:
        _read_legs(said.parts(), found)
    if said.tells("same day") and said.has("back", "return", "the same day", "returning"):
        found.back = found.back.then(Leg(date=found.out.date))
        found.kind = found.kind or "round_trip"


def _read_places(said: Line, found: Trip) -> None:
    """Where from and where to; a place of neither role is the one that is missing."""
    named: dict[str, list[tuple[str, ...]]] = {FROM: [], TO: [], NOT: [], "": []}
    for place in said.places:
        named[place.role].append(place.value)
        if not place.value and place.role != NOT:
            found.unknown = " ".join(said.raw[place.start : place.end])
    origins, destinations, loose = (list(filter(None, named[e])) for e in (FROM, TO, ""))
    if len(loose) > 1 and not (origins or destinations):
        origins, destinations = loose[:1], loose[1:]
    elif loose and not destinations:
        destinations = loose
    elif loose and not origins and loose[0] != destinations[0]:
        origins = loose
    found.origin = next(iter(origins), found.origin)
    found.destination = next(iter(destinations), found.destination)


def _read_legs(parts: Iterable[Line], found: Trip) -> None:
    side = ""
    here: dict[str, Leg] = {}
    for part in _cut_at_return(parts):
        leaves = part.has("leave", "leaving", "depart", "departing", "out")
        side = side_of(part) or ("out" if leaves else side)
        told = replace(wish(part), shift=None)
        days = [each.value for each in part.days]
        days = [days[-1]] if part.has("i mean", "rather") and days else list(dict.fromkeys(days))
        ranged = len(part.days) > 1 and part.days[1].role == TO and side != "back"
        if ranged and len(days) > 1:
            found.back = found.back.then(Leg(date=days.pop(1)))
            found.kind = found.kind or "round_trip"
        if days:
            told = replace(told, date=days[0], dates=tuple(days[1:]))
        corrected = part.has("i mean") and side != "back"
        name = "back" if side == "back" and not corrected else "out"
        here[name] = here.get(name, Leg()).plus(told)
        if side == "both":
            here["back"] = here.get("back", Leg()).plus(replace(told, date="", dates=()))
    found.out = found.out.then(here.get("out", Leg()))
    found.back = found.back.then(here.get("back", Leg()))


def _cut_at_return(parts: Iterable[Line]) -> Iterator[Line]:
    """The parts, each cut where it comes to the way back; a bare "and back" tells of no flight."""
    for part in parts:
        returns = [n for n, word in enumerate(part.words) if word in words_of("coming")]
        if returns and len(part.words) < 3:
            continue
        place = next(iter(returns), 0)
        head = line(" ".join(part.raw[:place]), part.today)
        if head.days or head.places:
            yield head
            yield line(" ".join(part.raw[place:]), part.today)
        else:
            yield part


def _as_model(found: Trip, model: Json) -> None:
    """What a trip takes over from the reservation that it is to be like."""
    found.origin = found.origin or (model["origin"],)
    found.destination = found.destination or (model["destination"],)
    found.kind = found.kind or model["flight_type"]
    found.cabin = found.cabin or model["cabin"]
    out, back = ways(model)
    for name, flights in (("out", out), ("back", back)):
        leg: Leg = getattr(found, name)
        if flights and leg.date in {"", flights[0]["date"]}:
            numbers = tuple(each["flight_number"] for each in flights)
            same = replace(leg, date=flights[0]["date"], numbers=numbers, around="", shift=None)
            setattr(found, name, same)
