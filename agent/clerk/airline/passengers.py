"""Slot filling for passengers: those of a booking, and those to change in a reservation.

The number of passengers in a reservation stays the same. Names that are in the record tell which
passenger is meant; all others are the new names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from rapidfuzz import fuzz

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import (
    SELF,
    Person,
    as_person,
    customer,
    find_known,
    head_count,
    means_another,
    means_self,
    names_in,
    people_in,
    travels_alone,
)
from agent.clerk.airline.replies import ask, refuse
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
    """The people that a booking's sentences name, else those of a trip ``like`` it."""
    found = Party([])
    if dialogue.task_says(task, "them"):
        for line in dialogue.parse_all(task.context):
            _add(found.people, [e for e in people_in(line, dialogue) if e.relation != SELF])
    for line in dialogue.sentences_of(task):
        told = people_in(line, dialogue)
        if travels_alone(line, told):
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
    if found.count is not None and nameless and len(others) >= found.count:
        found.people = others  # "just one seat, for my mom", who was named before
    elif left and nameless and len(left) in {len(nameless), (found.count or 0) - len(others)}:
        found.people = [*others, *left]


def travellers(task: Task, dialogue: AirlineState, found: Party) -> list[Json]:
    """The passengers of a booking, complete; raises Settled with a question for what is missing."""
    number, people = found.count, found.people
    if found.size > MOST:
        refuse(f"I can book at most {MOST} passengers in one reservation, not {found.size}.")
    if not people and number != 1:
        saved = join_parts(name(each) for each in dialogue.records.saved)
        known = f" I have {saved} in your profile." if saved else ""
        alone = "Who will be flying: only you, or somebody else?"
        asked = say("who are they?", number=number) if number else alone
        ask(task, "people", f"{asked}{known}")
    whole = [_complete(e, task, dialogue) for e in people or [Person(relation=SELF)]]
    whole = [*{(each.first, each.last, each.dob): each for each in whole}.values()]
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
    parts = {"first name": person.first, "last name": person.last, "date of birth": person.dob}
    missing = [part for part, value in parts.items() if not value]
    if missing:
        who = f"your {person.relation}" if person.relation else "the passenger"
        whose = f"{person.first} {person.last}".strip() or who
        are = "are" if len(missing) > 1 else "is"
        ask(task, "people", f"What {are} the {join_parts(missing)} of {whose}?")
    return person


ALIKE = 45.0
"""How similar two first names must be, in percent, to be one that is spelled differently."""

_NAMES = ("first_name", "last_name")


def change_passenger(task: Task, dialogue: AirlineState, record: Json) -> Call:
    """The call that changes a passenger; raises Settled with a question or a refusal."""
    fewer = dialogue.task_says(task, "fewer passengers")
    more = dialogue.task_says(task, "more passengers") and not fewer
    other_number = more or fewer
    if other_number and not dialogue.task_says(task, "in place"):
        _refuse_number("add a passenger to" if more else "take a passenger out of", record)
    listed = [dict(each) for each in record["passengers"]]
    names = join_parts(map(name, listed))
    place, new = 0 if len(listed) == 1 else None, Json()
    for line in dialogue.parse_all([*task.context, *task.words]):
        meant = _passenger_meant(line, listed, dialogue, known=place is not None)
        place = place if meant is None else meant
        _read_new(line, dialogue, listed if place is None else [listed[place]], new)
    if "passenger" in task.chosen:
        place = [name(each) for each in listed].index(task.chosen["passenger"])
    if not new:
        ask(task, "renames", say("rename whom?", trip=trip(record), people=names), record)
    if place is None:
        choices = [Choice(name(each), name(each)) for each in listed]
        ask(task, "passenger", "Which passenger do you mean?", record, choices=choices, shown=MOST)
    saved = find_known(new.get("first_name", ""), new.get("last_name", ""), dialogue)
    if saved is not None and "dob" not in new:
        new = {"first_name": saved.first, "last_name": saved.last, "dob": saved.dob}
    old, listed[place] = listed[place], {**listed[place], **new}
    first, last = ([str(e[key]).lower() for e in (old, listed[place])] for key in _NAMES)
    other_last, alike = last[0] != last[1], fuzz.ratio(*first)
    if alike < ALIKE and not dialogue.task_says(task, "in place", "renaming"):
        _refuse_number("add a passenger to", record)
    if "dob" not in new and alike < (100 if other_last else ALIKE):
        ask(task, "dob", f"What is {name(listed[place])}'s date of birth?")
    if listed == record["passengers"]:
        refuse(f"The passengers on {trip(record)} are already entered like that: {names}.", record)
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call("update_reservation_passengers", arguments, task)


def _refuse_number(what: str, record: Json) -> NoReturn:
    """Raise Settled with a refusal: the number of passengers stays the same."""
    refuse(say("same number", what=what, trip=trip(record)), record)


def _passenger_meant(
    line: ParsedSentence, listed: list[Json], dialogue: AirlineState, *, known: bool
) -> int | None:
    """The place of the passenger that a sentence refers to: by name, as "me" or as "her"."""
    me = customer(dialogue).first.lower()
    firsts, lasts = ([e[key].lower() for e in listed] for key in _NAMES)
    named = [n for n, e in enumerate(firsts) if {e, f"{e}'s", f"{e}s"} & {*line.words}]
    named = named or [n for n, last in enumerate(lasts) if _is_old(line, [last])]
    if not named and (not known or line.has_phrase_of("not self")):
        words = [each.removesuffix("'s") for each in line.words]
        named = [n for n, last in enumerate(lasts) if last in words and lasts.count(last) == 1]
        other = means_another(line) or line.has_phrase_of("companion")
        own = means_self(line)
        pointed = [n for n, first in enumerate(firsts) if (first == me) == own]
        named = named or (pointed if other or own else [])
    return named[0] if len(named) == 1 else None


def _read_new(
    sentence: ParsedSentence, dialogue: AirlineState, meant: list[Json], new: Json
) -> None:
    """Read the new name; a single name is the last name unless the sentence says otherwise."""
    found, me = names_in(sentence, dialogue), customer(dialogue)
    if sentence.has_phrase_of("now me") and not found:
        new |= {"first_name": me.first, "last_name": me.last, "dob": me.dob}
    taken = {part for _, first, last in found for part in (first, last)}
    family = (each.capitalize() for each in sentence.words if each == me.last.lower())
    found += [(0, each, "") for each in family if each not in taken]  # "a Lindholm like me"
    old = {(e["first_name"], e["last_name"]) for e in meant}
    old |= {(each, "") for pair in old for each in pair}
    of_first = sentence.has_phrase("first name", "given name")
    of_first = of_first or _is_old(sentence, [each["first_name"].lower() for each in meant])
    for first, last in ((first, last) for _, first, last in found if (first, last) not in old):
        known = None if last else find_known(first, "", dialogue)
        if known is not None and known.relation != SELF:
            new |= {"first_name": known.first, "last_name": known.last, "dob": known.dob}
            continue
        new |= {"last_name": last or first} if last or not of_first else {}
        new |= {"first_name": first} if last or of_first else {}
    if sentence.births:
        new["dob"] = sentence.births[-1].value
    elif "dob" in new and sentence.days:
        new["dob"] = f"{new['dob'][:8]}{sentence.days[-1].value[8:]}"


def _is_old(sentence: ParsedSentence, names: list[str]) -> bool:
    """Whether a sentence gives a name as wrong: "Ivan, not Ivo", "you have me as Ivo"."""
    wrong = (*phrases("not any more"), "as", "says", "used to be")
    return sentence.has_phrase(*(f"{no} {each}" for no in wrong for each in names))
