"""Which of the customer's reservations a task is about: the one that its words fit best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from agent.clerk.airline.asking import ask_which, refuse
from agent.clerk.airline.line import Line
from agent.clerk.airline.manner import VERBS
from agent.clerk.airline.memory import Memory
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import describe_reservation, say
from agent.clerk.airline.words import FROM, NOT, TO
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

_MOVES = frozenset({"change_flights"})
"""Tasks that name days which no reservation has yet."""

_OTHER_DAYS = _MOVES | {"change_passengers"}
"""Tasks that name such days, or days of birth."""

_BY_ORDER = ("last trip", "next trip", "other trip")
"""The ways to point at a reservation by its place among the others."""


def stands(record: Json) -> bool:
    """Whether a reservation was not cancelled."""
    return record.get("status") != "cancelled"


def lies_ahead(record: Json, talk: Talk) -> bool:
    """Whether a reservation has a flight that leaves today or later."""
    return any(each["date"] >= talk.today for each in record["flights"])


def coming(pool: Sequence[Json], talk: Talk) -> list[Json]:
    """The reservations that still stand and lie ahead."""
    return [each for each in pool if stands(each) and lies_ahead(each, talk)]


def means_several(task: Task, talk: Talk) -> bool:
    """Whether more than one reservation is meant."""
    ids = {each for line in talk.lines(task) for each in line.ids}
    return len(ids & {*talk.memory.reservation_ids}) > 1 or talk.tells(task, "all trips")


def find_one(task: Task, talk: Talk) -> Json:
    """The reservation that a task is about; Settled with a question or a refusal if unclear."""
    found = find_meant(task, talk)
    if len(found) == 1:
        return found[0]
    _ask_which(task, talk, found)


def find_meant(task: Task, talk: Talk) -> list[Json]:
    """The reservations that a task can mean, by everything that was said of it."""
    memory, lines = talk.memory, talk.lines(task)
    ids = _ids(lines, memory)
    if ids:
        return [each for each in (memory.read_reservation(key) for key in ids) if each]
    focus = memory.reservations.get(task.chosen.get("focus", ""))
    focus = None if means_several(task, talk) else focus
    moved = task.intent in _MOVES and not any(line.places or line.flight_numbers for line in lines)
    if focus and moved and not talk.tells(task, *_BY_ORDER):
        return [focus]
    pool = memory.read_reservations()
    if any(_points(line, pool, task) for line in lines):
        return _without(task, talk, _best(task, talk, lines, pool))
    if focus:
        return [focus]
    before = talk.lines_of(task.context)
    if any(_points(line, pool, task) for line in before):
        return _without(task, talk, _best(task, talk, before, pool))
    return _without(task, talk, _likely(task, talk, pool))


def _ids(lines: Sequence[Line], memory: Memory) -> list[str]:
    """The reservations that were named by their ids; Settled where one is not the customer's."""
    named = list(dict.fromkeys(each for line in reversed(lines) for each in line.ids))
    own = [each for each in named if each in memory.reservation_ids]
    if named and not own:
        refuse(say("not yours", ids=join_parts(named)))
    return own


def _points(line: Line, pool: Sequence[Json], task: Task) -> bool:
    """Whether a sentence names something that can tell which reservation is meant."""
    days = {each.value for each in line.days}
    if task.intent in _OTHER_DAYS:
        days &= {each["date"] for record in pool for each in record["flights"]}
    return bool(line.places or line.flight_numbers or days or line.tells(*_BY_ORDER))


def _best(task: Task, talk: Talk, lines: Sequence[Line], pool: list[Json]) -> list[Json]:
    """The reservations that fit best what was said, as they are or as they were first read."""
    if any(line.tells("last trip") for line in lines):
        return [max(pool, key=lambda each: str(each["created_at"]))] if pool else []
    likely = _likely(task, talk, pool)
    if any(line.tells("next trip") for line in lines):
        return [min(likely, key=lambda each: str(each["flights"][0]["date"]))] if likely else []
    if any(line.tells("other trip") for line in lines):
        likely = [each for each in likely if each["reservation_id"] != talk.focus]
        if not any(line.places or line.days for line in lines):
            return likely
    for among in (likely, pool):
        pairs = [(e, talk.memory.as_found.get(e["reservation_id"], e)) for e in among]
        scores = [sum(max(_fits(line, e, task) for e in pair) for line in lines) for pair in pairs]
        top = max(scores, default=0.0)
        if top > 0:
            found = [each for each, score in zip(among, scores, strict=True) if score == top]
            same = [each for each in found if each["reservation_id"] == task.chosen.get("focus")]
            return same or found
    return []


def _fits(line: Line, record: Json, task: Task) -> float:
    flights = record["flights"]
    ends = {(each["origin"], each["destination"]) for each in (record, *flights)}
    touched = {code for end in ends for code in end}
    score = 0.0
    for place in line.places:
        hit = bool(touched & set(place.value))
        score += 1.0 if hit else 0.0 if task.intent in _MOVES or place.role == NOT else -1.5
        score += 0.5 if hit and record["destination"] in place.value else 0.0
    score += 1.0 if _same_ends(line, ends) else 0.0
    dates = {each["date"] for each in flights}
    for day in {each.value for each in line.days}:
        score += 2.0 if day in dates else 0.0 if task.intent in _OTHER_DAYS else -3.0
    known = {each["flight_number"] for each in flights}
    score += 3.0 * len(known & set(line.flight_numbers))
    described = task.intent not in {"change_cabin", "book_flight"}
    same = described and record["cabin"] in {each.value for each in line.cabins}
    return score + 0.5 if same else score


def _same_ends(line: Line, ends: set[tuple[str, str]]) -> bool:
    """Whether the sentence's from and to are those of a flight or of the whole trip."""
    here = [each.value for each in line.places if each.role == FROM]
    there = [each.value for each in line.places if each.role == TO]
    return any(a in one and b in two for one in here for two in there for a, b in ends)


def _likely(task: Task, talk: Talk, pool: list[Json]) -> list[Json]:
    """Those that still stand and lie ahead, where there are any."""
    if talk.tells(task, "past trips"):
        return [each for each in pool if not lies_ahead(each, talk)] or pool
    found = coming(pool, talk) or [each for each in pool if stands(each)] or pool
    all_of = [line for line in talk.lines(task) if line.tells("all trips")]
    named = {each.value for line in all_of for each in line.cabins if each.role != TO}
    first = talk.memory.as_found
    wide = [e for e in found if first.get(e["reservation_id"], e)["cabin"] in named]
    return wide or found


def _without(task: Task, talk: Talk, found: list[Json]) -> list[Json]:
    """The reservations less those that were excepted."""
    for line in talk.lines_of(task.excepted):
        left = [e for e in found if e["reservation_id"] not in line.ids]
        found = [each for each in left if _fits(line, each, task) <= 0] or found
    return found


def _ask_which(task: Task, talk: Talk, found: list[Json]) -> NoReturn:
    """Settled with the question which reservation is meant, or that there is none."""
    verb = "" if task.what_if else VERBS.get(str(task.intent), "")
    everything = [] if found else talk.memory.read_reservations()
    pool = found or coming(everything, talk) or everything
    if not pool:
        refuse("There are no reservations on your profile.")
    lead = "" if found else "I don't find a reservation like that. "
    question = f"Which of your reservations {f'should I {verb}' if verb else 'do you mean'}?"
    new = '\n\nIf it is none of them, say "a new booking".' if lead and verb else ""
    choices = [Choice(each["reservation_id"], describe_reservation(each)) for each in pool]
    ask_which(task, "reservation", f"{lead}{question}", choices, end=new)
