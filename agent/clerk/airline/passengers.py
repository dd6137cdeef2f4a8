"""Who flies on a booking: the people a customer names, with what their profile knows of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from agent.clerk.airline.asking import ask, refuse
from agent.clerk.airline.people import (
    SELF,
    Person,
    as_person,
    customer,
    find_known,
    head_count,
    people_in,
)  # fmt: skip
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import count, name, say
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

MOST = 5
"""Passengers of one booking."""


@dataclass
class Party:
    """Who was named, and how many fly."""

    people: list[Person]
    count: int | None = None

    @property
    def size(self) -> int:
        """How many fly, as far as told."""
        return max(self.count or 0, len(self.people)) or 1


def party(task: Task, talk: Talk, like: Json | None) -> Party:
    """Everybody whom a booking's sentences name."""
    found = Party([])
    if talk.tells(task, "them"):
        before = (e for line in talk.lines_of(task.context) for e in people_in(line, talk))
        for person in (each for each in before if each.relation != SELF):
            _add(found.people, person)
    for line in talk.lines(task):
        told = people_in(line, talk)
        for person in told:
            _add(found.people, _as_self(person, talk))
        found.count = head_count(line, told) or found.count
        if line.has("saved", "profile") and not told:
            for each in talk.memory.saved:
                _add(found.people, as_person(each))
        if line.has("only the", "same passengers") and like is not None:
            found.people = [as_person(each) for each in like["passengers"]]
    _name_relatives(found, talk)
    if like is not None and not found.people and found.count is None:
        found.people = [as_person(each) for each in like["passengers"]]
    return found


def _as_self(person: Person, talk: Talk) -> Person:
    """The customer, where all that is told is their own date of birth."""
    own = customer(talk).dob
    return Person(relation=SELF) if own and person == Person(dob=own) else person


def _add(people: list[Person], new: Person) -> None:
    """Take in a person, or more of one who is there: a name, a date of birth."""
    for place, old in enumerate(people):
        same = bool(new.first) and old.first.lower() == new.first.lower()
        related = bool(new.relation) and old.relation == new.relation
        alone = not old.relation and new.dob in {"", old.dob}  # a date of birth, and now its name
        nameless = not old.first and old.relation != SELF and bool(new.first)
        nameless = nameless and bool(old.relation or alone)
        born = new == Person(dob=new.dob) and not old.dob and old.relation != SELF
        if same or related or nameless or born:
            people[place] = Person(
                old.first or new.first, new.last or old.last, new.dob or old.dob, old.relation
            )
            return
    people.append(new)


def _name_relatives(found: Party, talk: Talk) -> None:
    """Relatives, as in "my husband", are those whom the profile keeps, where that is clear."""
    named = {each.first.lower() for each in found.people if each.first}
    left = [as_person(e) for e in talk.memory.saved if e["first_name"].lower() not in named]
    nameless = [each for each in found.people if not each.first and each.relation != SELF]
    others = [each for each in found.people if each not in nameless]
    missing = (found.count or 0) - len(others)
    if left and nameless and len(left) in {len(nameless), missing}:
        found.people = [*others, *left]


def travellers(task: Task, talk: Talk, found: Party) -> list[Json]:
    """Everybody who flies, whole; Settled with the question for what is missing."""
    number = found.count
    if found.size > MOST:
        refuse(f"I can book at most {MOST} passengers into one reservation, not {found.size}.")
    people = [Person(relation=SELF)] if number == 1 and not found.people else found.people
    if not people:
        _ask_who(task, talk, number)
    whole = [_complete(each, task, talk) for each in people]
    missing = 0 if number is None else number - len(whole)
    if missing == 1 and all(each.relation != SELF for each in whole):
        whole, missing = [customer(talk), *whole], 0
    if missing > 0:
        so_far = join_parts(f"{each.first} {each.last}" for each in whole)
        others = count(missing, "passenger")
        ask(task, "people", say("who else?", people=so_far, others=others))
    whole.sort(key=lambda each: each.relation != SELF)
    return [{"first_name": p.first, "last_name": p.last, "dob": p.dob} for p in whole]


def _complete(person: Person, task: Task, talk: Talk) -> Person:
    """A person with what the profile adds; Settled with the question for what nobody has told."""
    known = customer(talk) if person.relation == SELF else None
    known = known or find_known(person.first, person.last, talk)
    person = person if known is None else replace(known, dob=person.dob or known.dob)
    who = person.first or (f"your {person.relation}" if person.relation else "the passenger")
    if not person.first:
        ask(task, "people", f"What are the first name, last name and date of birth of {who}?")
    if not person.last:
        ask(task, "people", f"What is {who}'s last name?")
    if not person.dob:
        ask(task, "people", f"What is the date of birth of {who} {person.last}, with the year?")
    return person


def _ask_who(task: Task, talk: Talk, number: int | None) -> NoReturn:
    saved = join_parts(name(each) for each in talk.memory.saved)
    known = f" I have {saved} in your profile." if saved else ""
    if number is None or number == 1:
        ask(task, "people", f"Who will be flying: only you, or somebody else?{known}")
    ask(task, "people", f"{say('who are they?', number=number)}{known}")
