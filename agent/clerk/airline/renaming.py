"""Other names, or other people, in a reservation; never more or fewer.

The records tell which names are old: words that name a passenger are who is meant, all others
that can be names are what is new.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.airline.line import Line
from agent.clerk.airline.people import Person, as_person, capitalize, customer, names_in
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_next
from agent.clerk.airline.wording import name, route, trip
from agent.clerk.airline.words import phrases
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts, number_lines

TOOL = "update_reservation_passengers"
_MORE = phrases("renaming", "more")
_FEWER = ("remove", "take her off", "take him off", "off the booking", "delete", "drop", "take out")
_SELF = ("myself", "to me", "my name", "i married", "i am now", "call myself", "me instead")
_OLD = ("not", "from", "instead of", "isn't", "wasn't", "no longer")
_PLACE = ("place", "seat", "instead of", "in place", "replace", "swap", "stead")


@dataclass
class Change:
    """Which passenger is written otherwise, and how."""

    place: int | None = None
    first: str = ""
    last: str = ""
    dob: str = ""


def people(task: Task, talk: Talk, policy: str = "") -> Call | Ask | Tell:
    """Other names or other people in a reservation."""
    record = find_next(task, talk)
    if record is None:
        return _tell_renamed(task, talk)
    _same_number(task, talk, record)
    change = _read(task, talk, record)
    if not (change.first or change.last or change.dob):
        raise Settled(_ask_whom(task, record))
    if change.place is None:
        raise Settled(_ask_which(task, record))
    listed = [dict(each) for each in record["passengers"]]
    listed[change.place] = _rewrite(listed[change.place], change, task, talk)
    if listed == record["passengers"]:
        text = f"The passengers of reservation {trip(record)} are written like that already."
        return Tell(text, "refused", focus=record["reservation_id"])
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call(TOOL, arguments, task)


def _same_number(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a refusal where passengers are to be added or taken out."""
    lines = talk.lines(task)
    replaced = any(line.has(*_PLACE, "change", "update", "correct") for line in lines)
    more = any(line.has(*_MORE) for line in lines) and not replaced
    fewer = any(line.has(*_FEWER) for line in lines) and not replaced
    if not (more or fewer):
        return
    what = "add a passenger to" if more else "take a passenger out of"
    text = (
        f"I can't {what} reservation {trip(record)}: the number of passengers in a reservation "
        "cannot be changed, and not even a human agent can do that."
    )
    raise Settled(Tell(text, "refused", focus=record["reservation_id"]))


def _read(task: Task, talk: Talk, record: Json) -> Change:
    """What the sentences, the oldest first, come to."""
    change = Change()
    passengers = record["passengers"]
    if len(passengers) == 1:
        change.place = 0
    chosen = task.chosen.get("passenger", "")
    for line in talk.lines_of([*task.context, *task.words]):
        _read_line(line, talk, passengers, change)
    if chosen:
        change.place = next(n for n, each in enumerate(passengers) if name(each) == chosen)
    return change


def _read_line(line: Line, talk: Talk, passengers: list[Json], change: Change) -> None:
    firsts = [str(each["first_name"]).lower() for each in passengers]
    lasts = [str(each["last_name"]).lower() for each in passengers]
    words = [each.removesuffix("'s") for each in line.words]
    named = [n for n, first in enumerate(firsts) if first in words]
    named = named or [n for n, last in enumerate(lasts) if line.has(*(f"{e} {last}" for e in _OLD))]
    if not named and change.place is None:
        named = [n for n, last in enumerate(lasts) if last in words and lasts.count(last) == 1]
    if len(named) == 1:
        change.place = named[0]
    elif len(passengers) == 2 and line.has("her place", "his place", "wife", "husband", "her seat"):
        me = customer(talk).first.lower()
        change.place = next((n for n, first in enumerate(firsts) if first != me), change.place)
    if line.has(*_SELF) and not names_in(line, talk):
        myself = customer(talk)
        change.first, change.last, change.dob = myself.first, myself.last, myself.dob
    known = range(len(passengers)) if change.place is None else [change.place]
    old = [(firsts[n], lasts[n]) for n in known]
    new = [pair for pair in names_in(line, talk) if not _is_old(pair, old)]
    if new:
        _take(new[-1], line, firsts, change)
    if line.births:
        change.dob = line.births[-1].value


def _is_old(pair: tuple[str, str], old: list[tuple[str, str]]) -> bool:
    """Whether a name is one that a passenger has now."""
    said = pair[0].lower(), pair[1].lower()
    return any(said in {(first, last), (first, ""), (last, "")} for first, last in old)


def _take(pair: tuple[str, str], line: Line, firsts: list[str], change: Change) -> None:
    """The new name: a whole one, or a single one that is the last name unless it was said."""
    first, last = (capitalize(each) for each in pair)
    if last and first.lower() in firsts:
        change.place, change.last = firsts.index(first.lower()), last
    elif last:
        change.first, change.last = first, last
    elif line.has("first name", "given name"):
        change.first = first
    else:
        change.last = first


def _rewrite(record: Json, change: Change, task: Task, talk: Talk) -> Json:
    """A passenger with the new parts; Settled with a question where another person lacks one."""
    new = Person(change.first, change.last, change.dob)
    for saved in map(as_person, talk.memory.saved):
        if new.first and saved.first == new.first and new.last in {"", saved.last}:
            new = saved if not new.dob else new
    other = bool(new.first) and new.first.lower() != record["first_name"].lower()
    if other and new.last and new.last != record["last_name"] and not new.dob:
        text = f"What is {new.first} {new.last}'s date of birth?"
        raise Settled(Ask(text, "dob", task))
    return {
        "first_name": new.first or record["first_name"],
        "last_name": new.last or record["last_name"],
        "dob": new.dob or record["dob"],
    }


def _ask_whom(task: Task, record: Json) -> Ask:
    now = join_parts(name(each) for each in record["passengers"])
    text = (
        f"On reservation {trip(record)} are {now}. Who should be written differently, and how: "
        "please give me the old and the new name."
    )
    return Ask(text, "renames", task, focus=record["reservation_id"])


def _ask_which(task: Task, record: Json) -> Ask:
    choices = tuple(Choice(name(each), name(each)) for each in record["passengers"])
    text = f"Which passenger do you mean?\n\n{number_lines(each.words for each in choices)}"
    return Ask(text, "passenger", task, choices, focus=record["reservation_id"])


def _tell_renamed(task: Task, talk: Talk) -> Tell:
    key = task.written[-1]
    record = talk.memory.reservations.get(key)
    if record is None:
        return Tell("The passengers are changed.", "done")
    who = join_parts(name(each) for each in record["passengers"])
    verb = "is" if len(record["passengers"]) == 1 else "are"
    return Tell(f"On reservation {key} ({route(record)}) {verb} now {who}.", "done", focus=key)
