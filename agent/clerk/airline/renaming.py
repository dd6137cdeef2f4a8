"""Other names, or other people, in a reservation; never more or fewer.

The records tell which names are old: words that name a passenger are who is meant, all others
that can be names are what is new.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.airline.asking import ask, ask_which, refuse
from agent.clerk.airline.line import Line
from agent.clerk.airline.people import (
    as_person,
    customer,
    find_known,
    is_named,
    means_another,
    means_self,
    names_in,
)  # fmt: skip
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import name, say, trip
from agent.clerk.airline.words import phrases
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts


@dataclass
class Change:
    """Which passenger is written otherwise, and how."""

    passengers: list[Json]
    place: int | None = None
    first: str = ""
    last: str = ""
    dob: str = ""

    def names(self, part: str) -> list[str]:
        """The passengers' first or last names, in small letters."""
        return [str(each[part]).lower() for each in self.passengers]


def people(task: Task, talk: Talk, record: Json) -> Call:
    """Other names or other people in a reservation."""
    _keep_number(task, talk, record)
    change = _read(task, talk, record)
    if not (change.first or change.last or change.dob):
        now = join_parts(map(name, record["passengers"]))
        ask(task, "renames", say("rename whom?", trip=trip(record), people=now), record)
    if change.place is None:
        choices = [Choice(name(each), name(each)) for each in record["passengers"]]
        ask_which(task, "passenger", "Which passenger do you mean?", choices, record)
    listed = [dict(each) for each in record["passengers"]]
    listed[change.place] = _rewrite(listed[change.place], change, task, talk)
    if listed == record["passengers"]:
        refuse(f"The passengers of {trip(record)} are written like that already.", record)
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call("update_reservation_passengers", arguments, task)


def _keep_number(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a refusal where passengers are to be added or taken out."""
    more = talk.tells(task, "more passengers")
    if talk.tells(task, "in place") or not (more or talk.tells(task, "fewer passengers")):
        return
    what = "add a passenger to" if more else "take a passenger out of"
    refuse(say("same number", what=what, trip=trip(record)), record)


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
    firsts, lasts, old = change.names("first_name"), change.names("last_name"), change.place
    named = [n for n, first in enumerate(firsts) if is_named(first, line)]
    not_so = phrases("not any more")
    named = named or [n for n, e in enumerate(lasts) if line.has(*(f"{no} {e}" for no in not_so))]
    if not named and old is None:
        words = [each.removesuffix("'s") for each in line.words]
        named = [n for n, last in enumerate(lasts) if last in words and lasts.count(last) == 1]
    if len(named) == 1:
        return named[0]
    me = customer(talk).first.lower()
    if len(firsts) == 2 and line.tells("companion"):
        return next((n for n, first in enumerate(firsts) if first != me), old)
    mistaken = old is not None and firsts[old] == me and line.tells("not self")
    if mistaken or (old is None and means_another(line)):
        return _spoken_of_last(firsts, me, talk)
    if old is None and means_self(line) and me in firsts:
        return firsts.index(me)
    return old


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


def _read_new(line: Line, talk: Talk, change: Change) -> None:
    """The new name: a whole one, or a single one that is the last name unless it was said."""
    found = names_in(line, talk)
    if line.tells("now me") and not found:
        me = customer(talk)
        change.first, change.last, change.dob = me.first, me.last, me.dob
    firsts = change.names("first_name")
    now = change.passengers if change.place is None else [change.passengers[change.place]]
    people = [as_person(each) for each in now]
    old = {pair for e in people for pair in ((e.first, ""), (e.last, ""), (e.first, e.last))}
    for first, last in ((first, last) for _, first, last in found if (first, last) not in old):
        if last and first.lower() in firsts:
            change.place, change.last = firsts.index(first.lower()), last
        elif last:
            change.first, change.last = first, last
        elif line.has("first name", "given name") or _is_old(line, firsts):
            change.first = first
        else:
            change.last = first
    if line.births:
        change.dob = line.births[-1].value
    elif change.dob and line.days:
        change.dob = f"{change.dob[:8]}{line.days[-1].value[8:]}"


def _is_old(line: Line, firsts: list[str]) -> bool:
    """Whether a first name is said to be wrong: "Ivan, not Ivo", "you have me as Ivo"."""
    return line.has(
        *(f"{no} {first}" for no in (*phrases("not any more"), "as") for first in firsts)
    )


def _rewrite(record: Json, change: Change, task: Task, talk: Talk) -> Json:
    """A passenger with the new parts; Settled with a question where another person lacks one."""
    first, last, dob = change.first, change.last, change.dob
    saved = find_known(first, last, talk)
    if saved is not None and not dob:
        first, last, dob = saved.first, saved.last, saved.dob
    other = bool(first) and first.lower() != record["first_name"].lower()
    if other and last not in {"", record["last_name"]} and not dob:
        ask(task, "dob", f"What is {first} {last}'s date of birth?")
    told = {"first_name": first, "last_name": last, "dob": dob}
    return {name: value or record[name] for name, value in told.items()}
