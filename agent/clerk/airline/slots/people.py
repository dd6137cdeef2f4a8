"""Who flies: passengers in what a customer typed."""

from __future__ import annotations

import re
from datetime import date

from agent.clerk.airline.language import number, pattern, says
from agent.clerk.airline.requests import Person
from agent.clerk.airline.slots.days import births
from agent.clerk.airline.slots.names import OWNER, PAIR, WORD, Names, cased, relations
from agent.clerk.airline.slots.places import places

_NAME = re.compile(rf"\s*({WORD})(?:\s+({WORD}))?")
_NAME_END = re.compile(rf"(?:^|[\s,;:(])({WORD})\s+({WORD})[\s,;:(]*$")
SELF = "self"


def people(clause: str, names: Names, today: date) -> list[Person]:
    """Everybody who is named as flying, in order, with the dates of birth told."""
    found = [*_relatives(clause, names), *_selves(clause), *_listed(clause, names)]
    found += _beside_self(clause, names)
    _add_births(clause, names, today, found)
    found.sort(key=lambda each: each[0])
    return _distinct([person for _, _, person in found])


def _relatives(clause: str, names: Names) -> list[tuple[int, int, Person]]:
    found = []
    for hit in re.finditer(rf"\b(?:my|his|her|our|the|their) ({relations()})\b(?!'s|s)", clause):
        person = Person(relation=hit.group(1))
        link = re.match(r",? (?:is |named |called )*", clause[hit.end() :])
        after = hit.end() + (link.end() if link else 0)
        name = _NAME.match(clause[after:])
        told = names.read(name) if link else None
        if told and name and not names.ends(clause[after + name.end(2 if told.last else 1) :]):
            told = None
        end = hit.end()
        if told and name:
            person.first, person.last = told.first, told.last
            end = after + name.end(2 if told.last else 1)
        found.append((hit.start(), end, person))
    return found


def _selves(clause: str) -> list[tuple[int, int, Person]]:
    hit = pattern("self").search(clause)
    return [(hit.end() - 1, hit.end(), Person(relation=SELF))] if hit else []


def _beside_self(clause: str, names: Names) -> list[tuple[int, int, Person]]:
    """Read "me and Kenji", "Kenji and I"."""
    hit = pattern("beside_self").search(clause)
    if hit is None:
        return []
    first, last = hit.group("after") or hit.group("before"), hit.group("last")
    if not names.named(first):
        return []
    person = Person(cased(first), cased(last) if last and names.named(last) else "")
    return [(hit.start(), hit.end("after") if hit.group("after") else hit.end("before"), person)]


def _listed(clause: str, names: Names) -> list[tuple[int, int, Person]]:
    """Full names after "for", "passenger", or alone."""
    found = []
    taken = [(each.start, each.end) for each in places(clause)]
    for hit in PAIR.finditer(clause):
        if any(start < hit.end(2) and hit.start() < end for start, end in taken):
            continue
        announced = says("passenger_before", clause[: hit.start()])
        alone = not clause[: hit.start()].strip(" ,") or clause[: hit.start()].rstrip().endswith(
            ","
        )
        person = names.read(hit)
        if person and person.last and (announced or (alone and names.certain(hit, clause))):
            found.append((hit.start(), hit.end(2), person))
            taken.append(hit.span(2))
    for hit in OWNER.finditer(clause):
        if names.named(hit.group(1)):
            found.append((hit.start(), hit.end(), Person(cased(hit.group(1)))))
    return found


def _add_births(
    clause: str, names: Names, today: date, found: list[tuple[int, int, Person]]
) -> None:
    for start, _, born in births(clause, today):
        before = [each for each in found if each[1] <= start]
        nearest = max(before, key=lambda each: each[1]) if before else None
        if nearest and says("dob_link", clause[nearest[1] : start]):
            nearest[2].dob = born
            continue
        link = pattern("dob_before").search(clause[:start])
        ahead = clause[: link.start()] if link else clause[:start]
        person = names.read(_NAME_END.search(ahead))
        if person:
            person.dob = born
            found.append((start - 1, start, person))
        elif nearest is None or says("birth", clause):
            own = SELF if says("own_birth", clause) else ""
            found.append((start - 1, start, Person(dob=born, relation=own)))


def _distinct(found: list[Person]) -> list[Person]:
    kept: list[Person] = []
    for person in found:
        same = next(
            (
                each
                for each in kept
                if (person.first and each.first == person.first)
                or (person.relation and each.relation == person.relation and not person.first)
            ),
            None,
        )
        if same is None:
            kept.append(person)
            continue
        same.last, same.dob = same.last or person.last, same.dob or person.dob
        same.relation = same.relation or person.relation
    return kept


def head_count(clause: str, found: list[Person]) -> int | None:
    """How many fly, as far as the clause tells."""
    party = pattern("party").search(clause)
    if party:
        word = next(each for each in party.groups() if each)
        told = 2 if word == "both" else number(word)
        alone = [each for each in found if each.relation == SELF]
        return told + 1 if alone and "of us" not in clause and "and me" in clause else told
    groups = sum(number(hit.group("n")) for hit in pattern("groups").finditer(clause))
    return groups + len(found) if groups or found else None


def counted(clause: str, found: list[Person]) -> bool:
    """Whether a clause tells how many fly, not only who one of them is."""
    with_self = any(each.relation == SELF for each in found)
    return with_self or says("party", clause) or says("groups", clause)


def completed(known: list[Person], told: list[Person]) -> list[Person]:
    """Passengers with what was told of them later; nameless ones get the names."""
    named = [each for each in known if each != Person()]
    return _distinct([*named, *told]) if named or told else known
