"""Slot filling for passengers: those of a booking, and those to change in a reservation.

The number of passengers in a reservation stays the same. Names that are in the record tell which
passenger is meant; all others are the new names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from rapidfuzz import fuzz

from agent.clerk.airline.ask_or_refuse import ask, ask_which, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import (
    SELF,
    Person,
    as_person,
    customer,
    find_known,
    head_count,
    is_named,
    means_another,
    means_self,
    names_in,
    people_in,
)
from agent.clerk.airline.vocabulary import phrases
from agent.clerk.airline.wording import name, say, trip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

MOST = 5
"""The maximum number of passengers in one booking."""


@dataclass
class Party:
    """The people named so far, and how many travel."""

    people: list[Person]
    count: int | None = None

    @property
    def size(self) -> int:
        """The number of travellers as far as known, at least 1."""
        return max(self.count or 0, len(self.people)) or 1


def party(task: Task, dialogue: AirlineState, like: Json | None) -> Party:
    """The people that a booking's sentences name, and how many travel.

    ``like`` is a reservation whose passengers are taken if the sentences name no one.
    """
    found = Party([])
    if dialogue.task_says(task, "them"):
        for line in dialogue.parse_all(task.context):
            _add(found.people, [e for e in people_in(line, dialogue) if e.relation != SELF])
    for line in dialogue.sentences_of(task):
        told = people_in(line, dialogue)
        if line.has_phrase_of("alone") and not line.has_phrase("me and", "myself and", "and me"):
            found, told = Party([], 1), [Person(relation=SELF)]  # whoever else was spoken of
        own = customer(dialogue).dob
        _add(found.people, [Person(relation=SELF) if e == Person(dob=own) else e for e in told])
        found.count = head_count(line, told) or found.count
        if line.has_phrase("saved", "profile") and not told:
            _add(found.people, map(as_person, dialogue.records.saved))
    _name_relatives(found, dialogue)
    if like is not None and not found.people and found.count is None:
        found.people = [as_person(each) for each in like["passengers"]]
    return found


def _add(people: list[Person], named: Iterable[Person]) -> None:
    """Add people, or complete those in the list with a name or a date of birth."""
    for new in named:
        place = next((n for n, old in enumerate(people) if _may_be_same(old, new)), None)
        if place is None:
            people.append(new)
            continue
        old = people[place]
        whole = (old.first or new.first, new.last or old.last, new.dob or old.dob, old.relation)
        people[place] = Person(*whole)


def _may_be_same(old: Person, new: Person) -> bool:
    """Whether a mention is of a person mentioned before: the same, or what was missing of them."""
    if old.first and new.first:
        return old.first.lower() == new.first.lower()
    if old.relation and new.relation:
        return old.relation == new.relation
    if old.relation == SELF or new.relation:
        return False
    if new.first:
        return bool(old.relation) or new.dob in {"", old.dob}
    return not old.dob


def _name_relatives(found: Party, dialogue: AirlineState) -> None:
    """Replace relatives without a name by the saved passengers, if it is clear who they are."""
    named = {each.first.lower() for each in found.people if each.first}
    left = [as_person(e) for e in dialogue.records.saved if e["first_name"].lower() not in named]
    nameless = [each for each in found.people if not each.first and each.relation != SELF]
    others = [each for each in found.people if each not in nameless]
    missing = (found.count or 0) - len(others)
    if left and nameless and len(left) in {len(nameless), missing}:
        found.people = [*others, *left]


def travellers(task: Task, dialogue: AirlineState, found: Party) -> list[Json]:
    """The passengers of a booking, complete; raises Settled with a question for what is missing."""
    number = found.count
    if found.size > MOST:
        refuse(f"I can book at most {MOST} passengers in one reservation, not {found.size}.")
    people = [Person(relation=SELF)] if number == 1 and not found.people else found.people
    if not people:
        _ask_who(task, dialogue, number)
    complete = [_complete(each, task, dialogue) for each in people]
    whole = [*{(each.first, each.last, each.dob): each for each in complete}.values()]
    missing = 0 if number is None else number - len(whole)
    if missing == 1 and all(each.relation != SELF for each in whole):
        whole, missing = [customer(dialogue), *whole], 0
    if missing > 0:
        so_far = join_parts(f"{each.first} {each.last}" for each in whole)
        others = "passenger" if missing == 1 else f"{missing} passengers"
        ask(task, "people", say("who else?", people=so_far, others=others))
    whole.sort(key=lambda each: each.relation != SELF)
    return [{"first_name": p.first, "last_name": p.last, "dob": p.dob} for p in whole]


def _complete(person: Person, task: Task, dialogue: AirlineState) -> Person:
    """A person completed from the profile; raises Settled with a question for what is missing."""
    known = customer(dialogue) if person.relation == SELF else None
    known = known or find_known(person.first, person.last, dialogue)
    person = person if known is None else replace(known, dob=person.dob or known.dob)
    who = person.first or (f"your {person.relation}" if person.relation else "the passenger")
    parts = {"first name": person.first, "last name": person.last, "date of birth": person.dob}
    missing = [part for part, value in parts.items() if not value]
    if missing:
        are = "are" if len(missing) > 1 else "is"
        whose = f"{who} {person.last}".strip()
        ask(task, "people", f"What {are} the {join_parts(missing)} of {whose}?")
    return person


def _ask_who(task: Task, dialogue: AirlineState, number: int | None) -> NoReturn:
    saved = join_parts(name(each) for each in dialogue.records.saved)
    known = f" I have {saved} in your profile." if saved else ""
    alone = "Who will be flying: only you, or somebody else?"
    ask(task, "people", f"{say('who are they?', number=number) if number else alone}{known}")


ALIKE = 45.0
"""How similar two first names must be, in percent, to be one that is spelled differently."""


@dataclass
class PassengerChange:
    """The passenger to change, and the new values."""

    passengers: list[Json]
    place: int | None = None
    first: str = ""
    last: str = ""
    dob: str = ""

    def names(self, part: str) -> list[str]:
        """The passengers' first or last names, in lower case."""
        return [str(each[part]).lower() for each in self.passengers]


def change_passenger(task: Task, dialogue: AirlineState, record: Json) -> Call:
    """The call that changes a passenger; raises Settled with a question or a refusal."""
    _keep_number(task, dialogue, record)
    change = _read(task, dialogue, record)
    if not (change.first or change.last or change.dob):
        now = join_parts(map(name, record["passengers"]))
        ask(task, "renames", say("rename whom?", trip=trip(record), people=now), record)
    if change.place is None:
        choices = [Choice(name(each), name(each)) for each in record["passengers"]]
        ask_which(task, "passenger", "Which passenger do you mean?", choices, record)
    listed = [dict(each) for each in record["passengers"]]
    listed[change.place] = _rewrite(listed[change.place], change, task, dialogue)
    if listed == record["passengers"]:
        now = join_parts(map(name, listed))
        refuse(f"The passengers on {trip(record)} are already entered like that: {now}.", record)
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call("update_reservation_passengers", arguments, task)


def _keep_number(task: Task, dialogue: AirlineState, record: Json) -> None:
    """Raise Settled with a refusal if a passenger should be added or removed."""
    more = dialogue.task_says(task, "more passengers")
    if dialogue.task_says(task, "in place") or not (
        more or dialogue.task_says(task, "fewer passengers")
    ):
        return
    what = "add a passenger to" if more else "take a passenger out of"
    refuse(say("same number", what=what, trip=trip(record)), record)


def _read(task: Task, dialogue: AirlineState, record: Json) -> PassengerChange:
    """The change described by a task's sentences, oldest first."""
    passengers = record["passengers"]
    change = PassengerChange(passengers, 0 if len(passengers) == 1 else None)
    for line in dialogue.parse_all([*task.context, *task.words]):
        meant = _passenger_meant(line, change, customer(dialogue).first.lower())
        change.place = change.place if meant is None else meant
        _read_new(line, dialogue, change)
    if "passenger" in task.chosen:
        change.place = [name(each) for each in passengers].index(task.chosen["passenger"])
    return change


def _passenger_meant(line: ParsedSentence, change: PassengerChange, me: str) -> int | None:
    """The index of the passenger that a sentence refers to: by name, as "me" or as "her"."""
    firsts, lasts = change.names("first_name"), change.names("last_name")
    others = [n for n, first in enumerate(firsts) if first != me]
    words = [each.removesuffix("'s") for each in line.words]
    named = [n for n, first in enumerate(firsts) if is_named(first, line)]
    named = named or [n for n, last in enumerate(lasts) if _is_old(line, [last])]
    if not named and (change.place is None or line.has_phrase_of("not self")):
        of_name = [n for n, last in enumerate(lasts) if last in words and lasts.count(last) == 1]
        other = means_another(line) or line.has_phrase_of("companion")
        named = of_name or (others if other else [])
        if not named and means_self(line) and me in firsts:
            return firsts.index(me)
    return named[0] if len(named) == 1 else None


def _read_new(sentence: ParsedSentence, dialogue: AirlineState, change: PassengerChange) -> None:
    """Read the new name; a single name is the last name unless the sentence says otherwise."""
    found, firsts = names_in(sentence, dialogue), change.names("first_name")
    if sentence.has_phrase_of("now me") and not found:
        me = customer(dialogue)
        change.first, change.last, change.dob = me.first, me.last, me.dob
    now = change.passengers if change.place is None else [change.passengers[change.place]]
    people = [as_person(each) for each in now]
    old = {pair for e in people for pair in ((e.first, ""), (e.last, ""), (e.first, e.last))}
    for first, last in ((first, last) for _, first, last in found if (first, last) not in old):
        if last:
            change.first, change.last = first, last
        elif sentence.has_phrase("first name", "given name") or _is_old(sentence, firsts):
            change.first = first
        else:
            change.last = first
    if sentence.births:
        change.dob = sentence.births[-1].value
    elif change.dob and sentence.days:
        change.dob = f"{change.dob[:8]}{sentence.days[-1].value[8:]}"


def _is_old(sentence: ParsedSentence, names: list[str]) -> bool:
    """Whether a sentence gives a name as wrong: "Ivan, not Ivo", "you have me as Ivo"."""
    wrong = (*phrases("not any more"), "as")
    return sentence.has_phrase(*(f"{no} {each}" for no in wrong for each in names))


def _rewrite(record: Json, change: PassengerChange, task: Task, dialogue: AirlineState) -> Json:
    """The passenger with the new values; raises Settled with a question for a date of birth."""
    first, last, dob = change.first, change.last, change.dob
    saved = find_known(first, last, dialogue)
    if saved is not None and not dob:
        first, last, dob = saved.first, saved.last, saved.dob
    new_last = last not in {"", record["last_name"]}
    if first and not dob and _is_another(first, str(record["first_name"]), new_last=new_last):
        last = last or str(record["last_name"])
        ask(task, "dob", f"What is {first} {last}'s date of birth?")
    told = {"first_name": first, "last_name": last, "dob": dob}
    return {name: value or record[name] for name, value in told.items()}


def _is_another(first: str, now: str, *, new_last: bool) -> bool:
    """Whether a first name is that of another person, and not the same one spelled right."""
    if new_last:
        return first.lower() != now.lower()
    return fuzz.ratio(first.lower(), now.lower()) < ALIKE
