"""Which of the customer's reservations a task is about: the one that its words fit best."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline import looking_up
from agent.clerk.airline.line import Line
from agent.clerk.airline.memory import Memory
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import describe_reservation, trip
from agent.clerk.airline.words import FROM, NOT, TO, phrases
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Choice, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts, number_lines

VERBS = {
    "cancel_reservation": "cancel",
    "change_flights": "change",
    "change_cabin": "change the cabin of",
    "change_passengers": "change the passengers of",
    "add_bags": "add bags to",
    "insurance": "insure",
}
_MOVES = frozenset({"change_flights"})
"""Tasks that name days which no reservation has yet."""

_OTHER_DAYS = _MOVES | {"change_passengers"}
"""Tasks that name such days, or days of birth."""

_ALL = phrases("trips", "all")
_LAST = phrases("trips", "last")
_NEXT = ("my next trip", "my next flight", "next reservation")
_OTHER = ("other one", "other reservation", "other trip", "other booking")
MOST = 5


def stands(record: Json) -> bool:
    """Whether a reservation was not cancelled."""
    return record.get("status") != "cancelled"


def lies_ahead(record: Json, talk: Talk) -> bool:
    """Whether a reservation has a flight that leaves today or later."""
    return any(each["date"] >= talk.today for each in record["flights"])


def has_begun(record: Json, talk: Talk) -> bool:
    """Whether a reservation has a flight before today."""
    return any(each["date"] < talk.today for each in record["flights"])


def means_several(task: Task, talk: Talk) -> bool:
    """Whether more than one reservation is meant."""
    lines = talk.lines(task)
    ids = {each for line in lines for each in line.ids if each in talk.memory.reservation_ids}
    return len(ids) > 1 or any(line.has(*_ALL) for line in lines)


def find_one(task: Task, talk: Talk) -> Json:
    """The reservation that a task is about; Settled with a question or a refusal if unclear."""
    found = find_meant(task, talk)
    if len(found) == 1:
        return found[0]
    raise Settled(which(task, talk, found))


def find_meant(task: Task, talk: Talk) -> list[Json]:
    """The reservations that a task can mean, by everything that was said of it."""
    memory, lines = talk.memory, talk.lines(task)
    ids = _ids(lines, memory)
    if ids:
        return [each for each in (looking_up.reservation(memory, key) for key in ids) if each]
    focus = task.chosen.get("focus", "")
    moved = task.intent in _MOVES and not any(line.places or line.flight_numbers for line in lines)
    other = means_several(task, talk) or any(line.has(*_LAST, *_NEXT, *_OTHER) for line in lines)
    if moved and focus in memory.reservations and not other:
        return [memory.reservations[focus]]
    pool = looking_up.reservations(memory)
    if any(_points(line, pool, task) for line in lines):
        return _without(task, talk, _best(task, talk, lines, pool))
    if focus in memory.reservations and not means_several(task, talk):
        return [memory.reservations[focus]]
    before = talk.lines_of(task.context)
    if any(_points(line, pool, task) for line in before):
        return _without(task, talk, _best(task, talk, before, pool))
    return _without(task, talk, _likely(task, talk, pool))


def _ids(lines: Sequence[Line], memory: Memory) -> list[str]:
    """The reservations that were named by their ids; Settled where one is not the customer's."""
    named = [each for line in reversed(lines) for each in line.ids]
    own = [each for each in dict.fromkeys(named) if each in memory.reservation_ids]
    if named and not own:
        text = (
            f"I don't see {join_parts(dict.fromkeys(named))} among your reservations, and I can "
            "only help with reservations on your own profile."
        )
        raise Settled(Tell(text, "refused"))
    return own


def _points(line: Line, pool: Sequence[Json], task: Task) -> bool:
    """Whether a sentence names something that can tell which reservation is meant."""
    days = {each.value for each in line.days}
    if task.intent in _OTHER_DAYS:
        days &= {each["date"] for record in pool for each in record["flights"]}
    return bool(line.places or line.flight_numbers or days or line.has(*_LAST, *_NEXT, *_OTHER))


def _best(task: Task, talk: Talk, lines: Sequence[Line], pool: list[Json]) -> list[Json]:
    """The reservations that fit best what was said."""
    if any(line.has(*_LAST) for line in lines):
        return [max(pool, key=lambda each: str(each["created_at"]))] if pool else []
    likely = _likely(task, talk, pool)
    if any(line.has(*_NEXT) for line in lines):
        return [min(likely, key=lambda each: str(each["flights"][0]["date"]))] if likely else []
    if any(line.has(*_OTHER) for line in lines):
        likely = [each for each in likely if each["reservation_id"] != talk.focus]
        if not any(line.places or line.days for line in lines):
            return likely
    for among in (likely, pool):
        scores = [sum(_score(line, each, task, talk) for line in lines) for each in among]
        top = max(scores, default=0.0)
        if top > 0:
            found = [each for each, score in zip(among, scores, strict=True) if score == top]
            same = [each for each in found if each["reservation_id"] == task.chosen.get("focus")]
            return same or found
    return []


def _score(line: Line, record: Json, task: Task, talk: Talk) -> float:
    """How well a reservation, as it is or as it was first read, fits a sentence."""
    first = talk.memory.as_found.get(record["reservation_id"], record)
    return max(_fits(line, each, task) for each in (record, first))


def _fits(line: Line, record: Json, task: Task) -> float:
    flights = record["flights"]
    ends = {(record["origin"], record["destination"])}
    ends |= {(each["origin"], each["destination"]) for each in flights}
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
    described = line.cabins and task.intent not in {"change_cabin", "book_flight"}
    score += 0.5 if described and record["cabin"] in {c.value for c in line.cabins} else 0.0
    return score


def _same_ends(line: Line, ends: set[tuple[str, str]]) -> bool:
    """Whether the sentence's from and to are those of a flight or of the whole trip."""
    here = [each.value for each in line.places if each.role == FROM]
    there = [each.value for each in line.places if each.role == TO]
    return any(a in one and b in two for one in here for two in there for a, b in ends)


def _likely(task: Task, talk: Talk, pool: list[Json]) -> list[Json]:
    """Those that still stand and lie ahead, where there are any."""
    words = talk.lines(task)
    if any(line.has("past", "previous", "old trips", "flown already") for line in words):
        return [each for each in pool if not lies_ahead(each, talk)] or pool
    standing = [each for each in pool if stands(each)]
    coming = [each for each in standing if lies_ahead(each, talk)]
    found = coming or standing or pool
    named = {c.value for line in words if line.has(*_ALL) for c in line.cabins if c.role != TO}
    first = talk.memory.as_found
    wide = [e for e in found if first.get(e["reservation_id"], e)["cabin"] in named]
    return wide if wide and means_several(task, talk) and len(named) > 0 else found


def _without(task: Task, talk: Talk, found: list[Json]) -> list[Json]:
    """The reservations less those that were excepted."""
    for line in talk.lines_of(task.excepted):
        out = [
            each
            for each in found
            if _fits(line, each, task) > 0 or each["reservation_id"] in line.ids
        ]
        found = [each for each in found if each not in out] or found
    return found


def which(task: Task, talk: Talk, found: list[Json]) -> Ask | Tell:
    """The question which of several reservations is meant, or that there is none."""
    verb = VERBS.get(str(task.intent), "")
    pool, lead = found, ""
    if not found:
        everything = looking_up.reservations(talk.memory)
        standing = [each for each in everything if stands(each) and lies_ahead(each, talk)]
        pool, lead = standing or everything, "I don't find a reservation like that. "
    if not pool:
        return Tell("There are no reservations on your profile.", "refused")
    choices = tuple(Choice(each["reservation_id"], trip(each)) for each in pool[:MOST])
    question = f"Which of your reservations {f'should I {verb}' if verb else 'do you mean'}?"
    more = f"\n…and {len(pool) - MOST} more" if len(pool) > MOST else ""
    new = '\n\nIf it is none of them, say "a new booking".' if lead and verb else ""
    shown = number_lines(describe_reservation(each) for each in pool[:MOST])
    return Ask(f"{lead}{question}\n\n{shown}{more}{new}", "reservation", task, choices)
