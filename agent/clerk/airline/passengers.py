"""Slot filling for passengers: the people that a customer names, completed from the profile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from agent.clerk.airline.ask_or_refuse import ask, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.people import (
    SELF,
    Person,
    as_person,
    customer,
    find_known,
    head_count,
    people_in,
)  # fmt: skip
from agent.clerk.airline.wording import name, say
from agent.clerk.state.records import Json
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
