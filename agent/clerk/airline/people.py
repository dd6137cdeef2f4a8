"""People in what a customer says: themselves, those in the profile, and others by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.clerk.airline.line import Line, is_word
from agent.clerk.airline.words import number, phrases, vocabulary, words_of
from agent.clerk.identity import name_data
from agent.clerk.remembering import Json

Talk = Any
SELF = "self"
_SELF = phrases("people", "self")
_ALONE = ("just me", "only me", "alone", "myself", "on my own", "solo", "just for me", "1 adult")
_COUNTED = words_of("counted")
_AFTER_NAME = words_of("after_name")
_ASKS = frozenset({"cost", "costs", "charge", "charged", "fee", "free"})


@dataclass(frozen=True)
class Person:
    """Somebody who flies, as far as told."""

    first: str = ""
    last: str = ""
    dob: str = ""
    relation: str = ""
    """``self`` for the customer, else ``husband``, ``daughter``, …"""


def capitalize(word: str) -> str:
    """A name as it is written: ``Anne-Marie``."""
    return "-".join(part[:1].upper() + part[1:].lower() for part in word.split("-"))


def as_person(record: Json) -> Person:
    """A passenger of a record."""
    return Person(record["first_name"], record["last_name"], record["dob"])


def customer(talk: Talk) -> Person:
    """The customer as a passenger."""
    user = talk.memory.user or {}
    names = user.get("name") or {}
    first, last = str(names.get("first_name", "")), str(names.get("last_name", ""))
    return Person(first, last, str(user.get("dob") or ""), SELF)


def people_in(line: Line, talk: Talk) -> list[Person]:
    """Everybody whom a sentence names as flying, in its order, with the dates of birth told."""
    found: list[tuple[int, Person]] = []
    if line.has(*_SELF) or line.words[:1] == ("me",):
        found.append((-1, Person(relation=SELF)))
    taken: set[int] = set()
    for place, person, end in _find_known(line, talk):
        found.append((place, person))
        taken |= set(range(place, end))
    for place, person, end in _new(line, talk, taken):
        found.append((place, person))
        taken |= set(range(place, end))
    found += _relatives(line, found)
    return _with_births(line, sorted(found, key=lambda each: each[0]))


def _find_known(line: Line, talk: Talk) -> list[tuple[int, Person, int]]:
    """The saved passengers, and the customer, who are named."""
    found = []
    me = customer(talk)
    for person in [*map(as_person, talk.memory.saved), me]:
        for place, word in enumerate(line.words):
            if word.removesuffix("'s") != person.first.lower() or not person.first:
                continue
            last = line.after(place + 1, 1)
            named = last and last[0].removesuffix("'s") == person.last.lower()
            other = last and _may_be_name(line, place + 1, talk) and not named
            if not other:
                found.append((place, person, place + 1 + bool(named)))
    return found


def _new(line: Line, talk: Talk, taken: set[int]) -> list[tuple[int, Person, int]]:
    """First and last names of people nobody knows yet."""
    found = []
    place = 0
    while place < len(line.words) - 1:
        pair = {place, place + 1}
        named = all(_may_be_name(line, each, talk) for each in pair) and not pair & taken
        if named and (_is_announced(line, place) or line.raw[place][0].isupper()):
            first, last = (line.raw[each].removesuffix("'s") for each in (place, place + 1))
            found.append((place, Person(capitalize(first), capitalize(last)), place + 2))
            place += 2
        else:
            place += 1
    return found


def _is_announced(line: Line, place: int) -> bool:
    ahead = line.before(place, 2)
    return not ahead or ahead[-1] in {
        "for",
        "and",
        ",",
        "passenger",
        "is",
        "with",
        "name",
        "add",
        *_relations(),
    }


def names_in(line: Line, talk: Talk) -> list[tuple[str, str]]:
    """Words that can only be names, in pairs of first and last name; the last may be empty."""
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(line.words):
        if not _may_be_name(line, place, talk) or not (_after_is(line, place) or _big(line, place)):
            place += 1
            continue
        pair = _may_be_name(line, place + 1, talk)
        alone = not pair and not (_after_is(line, place) and _ends(line, place + 1))
        plain = _is_plain(line, place) and not (pair and _is_known(line.words[place], talk))
        plain &= not pair or _is_plain(line, place + 1)
        if alone or plain or (pair and _is_in_question(line, place)):
            place += 1
            continue
        first = line.raw[place].removesuffix("'s")
        found.append((first, line.raw[place + 1].removesuffix("'s") if pair else ""))
        place += 1 + pair
    return found


def _big(line: Line, place: int) -> bool:
    return place > 0 and line.raw[place][:1].isupper()


def _after_is(line: Line, place: int) -> bool:
    """Whether a word stands where a new name does: "to …", "is …", at the beginning."""
    ahead = line.before(place, 1)
    return not ahead or ahead[0] in {
        "to",
        "is",
        "be",
        "with",
        "from",
        "for",
        ",",
        "myself",
        "say",
        "now",
        "she's",
        "he's",
        "called",
        "named",
    }


def _ends(line: Line, place: int) -> bool:
    """Whether nothing follows that would make a verb, or another thing, of the word before."""
    return set(line.after(place, 1)) <= _AFTER_NAME


def _is_known(first: str, talk: Talk) -> bool:
    """Whether somebody who flies on a reservation, or may, has this first name."""
    booked = (each for record in talk.memory.reservations.values() for each in record["passengers"])
    people = [*map(as_person, [*booked, *talk.memory.saved]), customer(talk)]
    return first.removesuffix("'s") in {each.first.lower() for each in people}


def _is_plain(line: Line, place: int) -> bool:
    """Whether a word is one of the language's, in small letters or at the head of more words."""
    raw = line.raw[place].removesuffix("'s")
    small = raw.islower() or (place == 0 and len(line.words) > 1)
    return small and is_word(raw.lower())


def _is_in_question(line: Line, place: int) -> bool:
    """Whether a question begins with what may be a name, or there is one: "kdoes anything cost"."""
    return (place == 0 and "?" in line.words) or bool(_ASKS & set(line.after(place, 6)))


def _relations() -> list[str]:
    listed: list[str] = vocabulary()["relations"]
    return listed


def _may_be_name(line: Line, place: int, talk: Talk) -> bool:
    """Whether a word can be part of a name: none of the words that a trip is told in."""
    if place >= len(line.words):
        return False
    word = line.words[place].removesuffix("'s")
    capital = line.raw[place][:1].isupper()
    cased_text = any(each[:1].isupper() for each in line.raw[1:])
    if not word.isalpha() and "-" not in word:
        return False
    in_place = any(each.start <= place < each.end for each in line.places)
    refused = word in name_data()["not_names"] or word in _WORDS or word in vocabulary()["months"]
    weekday = word in vocabulary()["weekdays"]
    return len(word) > 1 and not (in_place or refused or weekday) and (capital or not cased_text)


_WORDS = words_of("not_people")


def _relatives(line: Line, found: Sequence[tuple[int, Person]]) -> list[tuple[int, Person]]:
    """Those who are only told by what they are to the customer: "my husband"."""
    new = []
    for place, word in enumerate(line.words):
        after = {each for each, _ in found if place < each <= place + 3}
        owner = line.before(place, 3)
        own = {"my", "our", "his", "her", "the", "and"} & set(owner)
        told_of = {"visit", "visiting", "see", "meet", "meeting", "seeing"} & set(owner)
        if told_of:
            continue
        if word in _relations() and own and not after and not line.has(f"{word}'s"):
            new.append((place, Person(relation=word)))
    return new


def _with_births(line: Line, found: list[tuple[int, Person]]) -> list[Person]:
    people = list(found)
    for day in line.births:
        before = [n for n, (place, _) in enumerate(people) if place < day.start]
        if before:
            place, person = people[before[-1]]
            people[before[-1]] = (place, replace(person, dob=day.value))
        else:
            people.append((day.start, Person(dob=day.value)))
    return [person for _, person in people]


def head_count(line: Line, found: Sequence[Person]) -> int | None:
    """How many fly, as far as a sentence tells."""
    if line.has(*_ALONE) and len(found) <= 1:
        return 1
    if line.has("both of us", "us both"):
        return 2
    for place, word in enumerate(line.words):
        many = number(word)
        if many is None or word in {"a", "an", "another"}:
            continue
        after, ahead = line.after(place + 1, 2), line.before(place, 2)
        if set(after[:1]) & _COUNTED or (
            ahead[-1:] in (("us",), ("of",)) and "party" in line.words
        ):
            more = {"more", "extra", "additional"} & set(after)
            return None if more else many
        if len(after) > 1 and after[1] in {"passengers", "people", "seats"}:
            return many
    return None
