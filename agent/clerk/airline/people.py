"""People in a sentence: the customer, saved passengers, others by name, relatives, or "she"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import number, vocabulary, words_of
from agent.clerk.state.identity import name_data
from agent.clerk.state.records import Json
from agent.clerk.understanding.intents import is_word

SELF = "self"
_RELATIONS = words_of("relations")
_BEFORE_PERSON = words_of("before person") | _RELATIONS
_BEFORE_NAME = words_of("before name") | _BEFORE_PERSON


@dataclass(frozen=True)
class Person:
    """A traveller, as far as known."""

    first: str = ""
    last: str = ""
    dob: str = ""
    relation: str = ""
    """``self`` for the customer, otherwise ``husband``, ``daughter``, …"""


Name = tuple[int, str, str]
"""The place of a name in a sentence, the first name, and the last name, which may be empty."""


def as_person(record: Json) -> Person:
    """A passenger in a record as a person."""
    return Person(record["first_name"], record["last_name"], record["dob"])


def customer(dialogue: AirlineState) -> Person:
    """The customer as a person."""
    user = dialogue.records.user
    if user is None:
        return Person(relation=SELF)
    return Person(user["name"]["first_name"], user["name"]["last_name"], user["dob"], SELF)


def find_known(first: str, last: str, dialogue: AirlineState) -> Person | None:
    """The customer or a saved passenger with this first name, and last name if given; or None."""
    for each in [*map(as_person, dialogue.records.saved), customer(dialogue)]:
        same = first and each.first.lower() == first.lower()
        if same and last.lower() in {"", each.last.lower()}:
            return each
    return None


def people_in(sentence: ParsedSentence, dialogue: AirlineState) -> list[Person]:
    """The travellers named in a sentence, in order, with their dates of birth."""
    found: list[tuple[int, Person]] = []
    if sentence.has_phrase_of("self") or sentence.words[:1] == ("me",):
        found.append((-1, Person(relation=SELF)))
    for place, first, last in names_in(sentence, dialogue):
        person = find_known(first, last, dialogue)
        if person is None and last:
            person = Person(first, last)
        if person is not None:
            found.append((place, person))
    found += _relatives(sentence, found)
    return _with_births(sentence, sorted(found, key=lambda each: each[0]))


def names_in(sentence: ParsedSentence, dialogue: AirlineState) -> list[Name]:
    """The words in a sentence that can only be names."""
    found: list[Name] = []
    known = _known_names(dialogue)
    place = 0
    while place < len(sentence.words):
        own = sentence.words[place].removesuffix("'s") in known
        pair = _may_be_name(sentence, place + 1) and (own or _may_be_name(sentence, place))
        if not own and not (_may_be_name(sentence, place) and _is_new(sentence, place, pair=pair)):
            place += 1
            continue
        first, last = (_written(sentence, each) for each in (place, place + 1))
        found.append((place, first, last if pair else ""))
        place += 1 + pair
    return found


def _written(sentence: ParsedSentence, place: int) -> str:
    """A word with a name's capitals: ``Anne-Marie``; empty past the last word."""
    word = "".join(sentence.raw[place : place + 1]).removesuffix("'s")
    return "-".join(map(str.capitalize, word.split("-")))


def _is_new(sentence: ParsedSentence, place: int, *, pair: bool) -> bool:
    """Whether a possible name is one, judging by the words around it."""
    ahead = sentence.before(place, 1)
    announced = not ahead or ahead[0] in _BEFORE_NAME
    plain = _is_plain(sentence, place) and (not pair or _is_plain(sentence, place + 1))
    if not pair:
        ends = set(sentence.after(place + 1, 1)) <= words_of("after name")
        return announced and ends and not plain
    capital = place > 0 and sentence.raw[place][:1].isupper()
    person = bool(sentence.births) if not ahead else ahead[0] in _BEFORE_PERSON
    person = person or sentence.before(place, 2) == ("name", "is")
    return (announced or capital) and (person or not plain)


def _known_names(dialogue: AirlineState) -> set[str]:
    """The first names of the customer, the saved passengers and those in reservations."""
    booked = (
        each for record in dialogue.records.reservations.values() for each in record["passengers"]
    )
    people = [*map(as_person, [*booked, *dialogue.records.saved]), customer(dialogue)]
    return {each.first.lower() for each in people}


def _is_plain(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word is an ordinary one, in lower case or capitalized only as the first word."""
    raw = sentence.raw[place].removesuffix("'s")
    small = raw.islower() or (place == 0 and len(sentence.words) > 1)
    return small and is_word(raw.lower())


def _may_be_name(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word may be part of a name, as it is not typical of sentences about trips."""
    if place >= len(sentence.words):
        return False
    word = sentence.words[place].removesuffix("'s")
    if len(word) < 2 or not (word.isalpha() or "-" in word):
        return False
    capital = sentence.raw[place][:1].isupper()
    cased_text = any(each[:1].isupper() for each in sentence.raw[1:])
    known = vocabulary()
    refused = word in name_data()["not_names"] or word in words_of("not people")
    refused = refused or word in known["months"] or word in known["weekdays"]
    in_place = any(each.start <= place < each.end for each in sentence.places)
    return not (in_place or refused) and (capital or not cased_text)


def _relatives(
    sentence: ParsedSentence, found: Sequence[tuple[int, Person]]
) -> Iterator[tuple[int, Person]]:
    """Yield the people who are described only as relatives of the customer: "my husband"."""
    named = [place for place, _ in found]
    for place, word in enumerate(sentence.words):
        owner = set(sentence.before(place, 3))
        own = owner & words_of("own") and not owner & words_of("met")
        if word in _RELATIONS and own and not any(0 < each - place <= 3 for each in named):
            yield place, Person(relation=word)


def _with_births(sentence: ParsedSentence, found: list[tuple[int, Person]]) -> list[Person]:
    people = list(found)
    for day in sentence.births:
        before = [n for n, (place, _) in enumerate(people) if place < day.start]
        if before:
            place, person = people[before[-1]]
            people[before[-1]] = (place, replace(person, dob=day.value))
        else:
            people.append((day.start, Person(dob=day.value)))
    return [person for _, person in people]


def head_count(sentence: ParsedSentence, found: Sequence[Person]) -> int | None:
    """The number of travellers that a sentence gives, or None."""
    if sentence.has_phrase_of("alone") and len(found) <= 1:
        return 1
    if sentence.has_phrase("both of us", "us both"):
        return 2
    for place, word in enumerate(sentence.words):
        many = number(word)
        if many is None or word in {"a", "an", "another"}:
            continue
        after, ahead = sentence.after(place + 1, 2), sentence.before(place, 2)
        party = ahead[-1:] in (("us",), ("of",)) and "party" in sentence.words
        if set(after[:1]) & words_of("counted") or party:
            return None if {"more", "extra", "additional"} & set(after) else many
        if len(after) > 1 and after[1] in {"passengers", "people", "seats"}:
            return many
    return None


def is_named(first: str, sentence: ParsedSentence) -> bool:
    """Whether a sentence has a first name, also as a possessive: "petra's", "petras"."""
    return not {first, f"{first}'s", f"{first}s"}.isdisjoint(sentence.words)


def means_another(sentence: ParsedSentence) -> bool:
    """Whether a sentence refers to someone other than the speaker: "her", "not me"."""
    return sentence.has_phrase_of("another", "not self")


def means_self(sentence: ParsedSentence) -> bool:
    """Whether a sentence refers to the speaker."""
    return sentence.has_phrase_of("speaker") and not means_another(sentence)
