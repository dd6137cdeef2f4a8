"""Who is written wrong, who is to come along, who is to be taken out of a reservation."""

from __future__ import annotations

import re
from datetime import date

from agent.clerk.airline.language import pattern, says
from agent.clerk.airline.requests import Person, Rename
from agent.clerk.airline.slots.days import births
from agent.clerk.airline.slots.names import OWNER, PAIR, WORD, Names, cased, relations
from agent.clerk.airline.slots.people import SELF, people
from agent.clerk.airline.slots.places import places


def named_change(clause: str, names: Names) -> bool:
    """Whether "change A B to C D", "add A B", speaks of passengers: both are surely names."""
    hit = pattern("becoming").search(clause)
    if hit and _sure(hit.group("old"), names) and _sure(hit.group("new"), names):
        return True
    joined = pattern("adding").search(clause)
    return bool(joined and joined.group("who") and _sure(joined.group("who"), names))


def _sure(text: str, names: Names) -> bool:
    """Whether a phrase holds a first and a last name that nothing but a name can be."""
    pairs = list(PAIR.finditer(text))
    return not places(text) and any(names.certain(hit, text) and names.read(hit) for hit in pairs)


_CHANGES = (
    "taking_over",
    "named_now",
    "renamed",
    "saying",
    "from_to",
    "replacing",
    "becoming",
    "should_be",
)
_TOLD_ALONE = ("is_now", "saying", "from_to")


def renames(clause: str, names: Names, today: date, *, alone: bool = False) -> list[Rename]:
    """Passengers to be written otherwise: "from Mei Lee to Mei Garcia".

    Args:
        clause: plain text.
        names: tells which words are names.
        today: the day it is.
        alone: nothing says that it is about names; only what can hardly be else is read.
    """
    if alone and (places(clause) or says("clock", clause)):
        return []
    old, new = Person(), Person()
    for name in _TOLD_ALONE if alone else ("is_now", *_CHANGES):
        hit = pattern(name).search(clause)
        if hit is None:
            continue
        told = hit.groupdict()
        if any(pattern("any_place").fullmatch(each.strip()) for each in told.values() if each):
            continue
        new = _person(told["new"], names, clause)
        old = _person(told.get("old") or "", names, clause)
        if new != Person():
            break
    if alone and not (new.first and (old.first or old.last)):
        return []
    old = _owned(clause, names, old)
    new.dob = next((born for _, _, born in births(clause, today)), "")
    if old.first and new.last and not new.first:
        new.first = old.first
    return [Rename(old, new)] if new != Person() else []


def _person(text: str, names: Names, clause: str) -> Person:
    """One name: a whole one, or only the first or the last."""
    if says("self_name", text):
        return Person(relation=SELF)
    relative = re.search(rf"\bmy ({relations()})\b", text)
    if relative:
        return Person(relation=relative.group(1))
    parts = [word for word in re.findall(WORD, text.replace("'s", "")) if names.named(word)]
    if not parts:
        return Person()
    if len(parts) > 1:
        return Person(cased(parts[0]), cased(parts[-1]))
    if says("last_name", clause):
        return Person(last=cased(parts[0]))
    return Person(cased(parts[0]))


def _owned(clause: str, names: Names, old: Person) -> Person:
    """Whose name it is: "Petra's last name", "the date of birth of my son"."""
    relative = re.search(rf"\bmy ({relations()})(?:'s)?\b", clause)
    owner = next((hit for hit in OWNER.finditer(clause) if names.named(hit.group(1))), None)
    if owner and not old.first:
        old.first = cased(owner.group(1))
        old.last = "" if old.last == old.first else old.last
    elif relative and not (old.first or old.relation):
        old.relation = relative.group(1)
    return old


def with_births(found: list[Rename]) -> list[Rename]:
    """A date of birth that was told on its own belongs to the name before it."""
    kept: list[Rename] = []
    for each in found:
        alone = each.old == Person() and each.new == Person(dob=each.new.dob)
        if kept and alone and not kept[-1].new.dob:
            kept[-1].new.dob = each.new.dob
        else:
            kept.append(each)
    return kept


def in_place(clause: str, names: Names, today: date) -> list[Rename]:
    """Read "my brother Jon is to take my seat": who flies in whose place, if both are told."""
    mine, hers = says("my_place", clause), says("her_place", clause)
    found = [each for each in people(clause, names, today) if each.first]
    if not (mine or hers) or len(found) != 1:
        return []
    return [Rename(Person(relation=SELF if mine else "companion"), found[0])]


def joining(clause: str, names: Names, today: date) -> list[Person]:
    """Passengers to be added; an empty one where only "one more person" was said."""
    hit = pattern("adding").search(clause)
    if hit is None:
        return []
    told = hit.groupdict()
    who = told["who"] or told["come"] or ""
    found = people(clause[hit.start() :], names, today) if who else []
    found = [each for each in found if each.relation != SELF] or _single(who, names)
    extra = says("one_more", clause)
    return found or ([Person()] if extra else [])


def leaving(clause: str, names: Names) -> list[Person]:
    """Passengers to be taken out."""
    hit = pattern("removing").search(clause)
    if hit is None:
        return []
    found = _single(hit.group("who"), names)
    pronoun = re.match(r"\W*(?:her|him|them)\b", hit.group("who"))
    return found or ([Person(relation="companion")] if pronoun else [])


def _single(text: str, names: Names) -> list[Person]:
    person = _person(text, names, "")
    return [person] if person != Person() else []
