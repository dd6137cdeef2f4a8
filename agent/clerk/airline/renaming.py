"""Other names, or other people, in a reservation; never more or fewer.

The records tell which names are old: words that name a passenger are who is meant, all others
that can be names are what is new.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.airline.acting import for_each, refuse
from agent.clerk.airline.line import Line
from agent.clerk.airline.people import as_person, customer, find_known, names_in
from agent.clerk.airline.spoken_of import is_named, is_not_self, means_another, means_self
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import name, trip
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
_COMPANION = ("her place", "his place", "wife", "husband", "her seat")


@dataclass
class Change:
    """Which passenger is written otherwise, and how."""

    passengers: list[Json]
    place: int | None = None
    first: str = ""
    last: str = ""
    dob: str = ""


def people(task: Task, talk: Talk, policy: str = "") -> Call | Ask | Tell:
    """Other names or other people in a reservation."""
    return for_each(task, talk, _rename)


def _rename(task: Task, talk: Talk, record: Json) -> Call:
    _keep_number(task, talk, record)
    change = _read(task, talk, record)
    if not (change.first or change.last or change.dob):
        raise Settled(_ask_whom(task, record))
    if change.place is None:
        raise Settled(_ask_which(task, record))
    listed = [dict(each) for each in record["passengers"]]
    listed[change.place] = _rewrite(listed[change.place], change, task, talk)
    if listed == record["passengers"]:
        refuse(f"The passengers of {trip(record)} are written like that already.", record)
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call(TOOL, arguments, task)


def _keep_number(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a refusal where passengers are to be added or taken out."""
    lines = talk.lines(task)
    if any(line.has(*_PLACE, "change", "update", "correct") for line in lines):
        return
    more = any(line.has(*_MORE) for line in lines)
    if not more and not any(line.has(*_FEWER) for line in lines):
        return
    what = "add a passenger to" if more else "take a passenger out of"
    text = (
        f"I can't {what} reservation {trip(record)}: the number of passengers in a reservation "
        "cannot be changed, and not even a human agent can do that."
    )
    refuse(text, record)


def _read(task: Task, talk: Talk, record: Json) -> Change:
    """What the sentences, the oldest first, come to."""
    passengers = record["passengers"]
    change = Change(passengers, 0 if len(passengers) == 1 else None)
    for line in talk.lines_of([*task.context, *task.words]):
        change.place = _find_place(line, talk, change)
        _read_new(line, talk, change)
    if "passenger" in task.chosen:
        names = [name(each) for each in passengers]
        change.place = names.index(task.chosen["passenger"])
    return change


def _find_place(line: Line, talk: Talk, change: Change) -> int | None:
    """Which passenger a sentence speaks of: by the first name, by the last one, or as another."""
    firsts, lasts = _names(change, "first_name"), _names(change, "last_name")
    words = [each.removesuffix("'s") for each in line.words]
    named = [n for n, first in enumerate(firsts) if is_named(first, line)]
    named = named or [n for n, last in enumerate(lasts) if line.has(*(f"{e} {last}" for e in _OLD))]
    if not named and change.place is None:
        named = [n for n, last in enumerate(lasts) if last in words and lasts.count(last) == 1]
    if len(named) == 1:
        return named[0]
    me = customer(talk).first.lower()
    if len(firsts) == 2 and line.has(*_COMPANION):
        return next((n for n, first in enumerate(firsts) if first != me), change.place)
    mistaken = change.place is not None and firsts[change.place] == me and is_not_self(line)
    if mistaken or (change.place is None and means_another(line)):
        return _spoken_of_last(firsts, me, talk)
    if change.place is None and means_self(line) and me in firsts:
        return firsts.index(me)
    return change.place


def _spoken_of_last(firsts: list[str], me: str, talk: Talk) -> int | None:
    """Which passenger but the customer "she" is: the only one, or the one spoken of last."""
    others = [n for n, first in enumerate(firsts) if first != me]
    if len(others) == 1:
        return others[0]
    for line in reversed(talk.lines_of(talk.typed)):
        named = [n for n in others if is_named(firsts[n], line)]
        if named:
            return named[0] if len(named) == 1 else None
    return None


def _names(change: Change, part: str) -> list[str]:
    return [str(each[part]).lower() for each in change.passengers]


def _read_new(line: Line, talk: Talk, change: Change) -> None:
    """The new name: a whole one, or a single one that is the last name unless it was said."""
    found = names_in(line, talk)
    if line.has(*_SELF) and not found:
        me = customer(talk)
        change.first, change.last, change.dob = me.first, me.last, me.dob
    firsts = _names(change, "first_name")
    now = change.passengers if change.place is None else [change.passengers[change.place]]
    old = {part for each in map(as_person, now) for part in ((each.first, ""), (each.last, ""))}
    old |= {(each.first, each.last) for each in map(as_person, now)}
    for _, first, last in (each for each in found if (each.first, each.last) not in old):
        if last and first.lower() in firsts:
            change.place, change.last = firsts.index(first.lower()), last
        elif last:
            change.first, change.last = first, last
        elif line.has("first name", "given name"):
            change.first = first
        else:
            change.last = first
    if line.births:
        change.dob = line.births[-1].value
    elif change.dob and line.days:
        change.dob = f"{change.dob[:8]}{line.days[-1].value[8:]}"


def _rewrite(record: Json, change: Change, task: Task, talk: Talk) -> Json:
    """A passenger with the new parts; Settled with a question where another person lacks one."""
    first, last, dob = change.first, change.last, change.dob
    saved = find_known(first, last, talk)
    if saved is not None and not dob:
        first, last, dob = saved.first, saved.last, saved.dob
    other = bool(first) and first.lower() != record["first_name"].lower()
    if other and last not in {"", record["last_name"]} and not dob:
        raise Settled(Ask(f"What is {first} {last}'s date of birth?", "dob", task))
    return {
        "first_name": first or record["first_name"],
        "last_name": last or record["last_name"],
        "dob": dob or record["dob"],
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
