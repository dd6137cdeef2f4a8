"""Who flies: the people a customer names, with what their profile knows of them."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.airline.requests import Person, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import count, name
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Settled, Tell
from agent.clerk.wording import joined

MOST = 5
"""Passengers of one booking."""


def travellers(request: Request, talk: Talk) -> list[Json]:
    """Everybody who flies, whole; Settled with the question for what is missing."""
    number = how_many(request)
    if number is not None and number > MOST:
        text = f"I can book at most {MOST} passengers into one reservation, not {number}."
        raise Settled(Tell(text, "refused"))
    people = _everybody(request, talk)
    if not people:
        raise Settled(_ask_who(request, talk, number))
    found = [_known(each, talk) for each in people]
    for person in found:
        _complete(person, request)
    myself = all(each.relation != "self" for each in found)
    if number is not None and len(found) == number - 1 and myself and found:
        found.insert(0, customer(talk))
    if number is not None and len(found) < number:
        raise Settled(_ask_others(request, found, number))
    return [{"first_name": p.first, "last_name": p.last, "dob": p.dob} for p in found]


def mentions(text: str, first_name: str) -> bool:
    """Whether a text names somebody; user ids and addresses name nobody."""
    name_ = re.escape(first_name.lower())
    return re.search(rf"(?<![\w@]){name_}(?:'s)?(?![\w@])", text.lower()) is not None


def with_saved(request: Request, talk: Talk) -> Request:
    """A booking in which saved passengers who were named are listed among the people."""
    new = [
        as_person(each)
        for each in talk.memory.saved
        if mentions(request.text, each["first_name"])
        and not any(_same(each, person) for person in request.people)
    ]
    if not new or any(_is_nameless(each) for each in request.people):
        return request
    text = request.text.lower()
    names = "|".join(re.escape(each.first.lower()) for each in new)
    along = re.search(rf"\bi(?:'d|'m|'ll|'ve)?\b[^.;?!]*\bwith\b[^.;?!]*\b(?:{names})\b", text)
    known = any(each.relation == "self" for each in request.people)
    me = [Person(relation="self")] if along and not known else []
    return replace(request, people=[*me, *request.people, *new])


def how_many(request: Request) -> int | None:
    """How many fly, as far as told."""
    if request.count is not None:
        return max(request.count, len(request.people))
    return len(request.people) or None


def _everybody(request: Request, talk: Talk) -> list[Person]:
    """The people named; "my children" and "all four of us" are those that the profile keeps."""
    people = list(request.people)
    if request.count == 1 and not people:
        return [Person(relation="self")]
    nameless = [each for each in people if _is_nameless(each)]
    others = [each for each in people if each not in nameless]
    left = [each for each in talk.memory.saved if not any(_same(each, person) for person in others)]
    missing = (request.count or 0) - len(others)
    if left and nameless and len(left) in {len(nameless), missing}:
        people = [*others, *(as_person(each) for each in left)]
    return sorted(people, key=lambda each: each.relation != "self")


def _is_nameless(person: Person) -> bool:
    """Whether only a relation was told: "my wife"."""
    return person.relation not in {"", "self"} and not person.first


def as_person(record: Json) -> Person:
    """A passenger of a record, as a customer might have named them."""
    return Person(record["first_name"], record["last_name"], record["dob"], "saved")


def _same(record: Json, person: Person) -> bool:
    """Whether a person as told can be that passenger."""
    first = record["first_name"].lower() == person.first.lower()
    last = not person.last or record["last_name"].lower() == person.last.lower()
    return first and last


def customer(talk: Talk) -> Person:
    """The customer as a passenger."""
    user = talk.memory.user or {}
    names = user.get("name") or {}
    first, last = str(names.get("first_name", "")), str(names.get("last_name", ""))
    return Person(first, last, str(user.get("dob") or ""), "self")


def _known(person: Person, talk: Talk) -> Person:
    """A person with what the profile adds: the customer's own data, or a saved passenger's."""
    me = customer(talk)
    mine = person.first and (person.first.lower(), person.last.lower() or me.last.lower()) == (
        me.first.lower(),
        me.last.lower(),
    )
    if person.relation == "self" or mine:
        return Person(me.first, me.last, person.dob or me.dob, "self")
    saved = [as_person(each) for each in talk.memory.saved if _same(each, person)]
    if not saved and person.first and person.last:
        return person
    if saved and (not person.dob or person.dob == saved[0].dob or not person.last):
        found = saved[0]
        return Person(found.first, found.last, person.dob or found.dob, person.relation)
    return person


def _complete(person: Person, request: Request) -> None:
    """Settled with the question for a part of a passenger that nobody has told."""
    who = person.first or (f"your {person.relation}" if person.relation else "the passenger")
    if not person.first:
        text = f"What are the first name, last name and date of birth of {who}?"
        raise Settled(Ask(text, "people", request, person))
    if not person.last:
        raise Settled(Ask(f"What is {who}'s last name?", "people", request, person))
    if not person.dob:
        text = f"What is the date of birth of {who} {person.last}?"
        raise Settled(Ask(text, "people", request, person))


def _ask_who(request: Request, talk: Talk, number: int | None) -> Ask:
    saved = joined(name(each) for each in talk.memory.saved)
    known = f" I have {saved} in your profile." if saved else ""
    if number is None or number == 1:
        text = f"Who will be flying: only you, or somebody else?{known}"
        return Ask(text, "people", request)
    text = f"Who are the {number} passengers? Please give me their names and dates of birth.{known}"
    return Ask(text, "people", request)


def _ask_others(request: Request, found: list[Person], number: int) -> Ask:
    so_far = joined(f"{each.first} {each.last}" for each in found)
    missing = count(number - len(found), "passenger")
    text = (
        f"So far I have {so_far}. What are the name and the date of birth of the other {missing}?"
    )
    return Ask(text, "people_more", request)
