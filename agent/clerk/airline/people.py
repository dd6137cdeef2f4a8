"""People in a sentence: the customer, saved passengers, others by name, relatives, or "she"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import number, vocabulary, words_of
from agent.clerk.state.identity import name_data
from agent.clerk.state.records import Json
from agent.clerk.understanding.spelling import is_word

SELF = "self"
_RELATIONS = words_of("relations")
_BEFORE_PERSON = words_of("before person") | _RELATIONS
_BEFORE_NAME = words_of("before name") | _BEFORE_PERSON
_TO_ME = ("to me", "help me", "tell me", "give me", "show me", "send me", "with me")
"""Words in which the last one does not say who travels."""


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
    known = [*map(as_person, dialogue.records.saved), customer(dialogue)]
    same = (each for each in known if first and each.first.lower() == first.lower())
    return next((each for each in same if last.lower() in {"", each.last.lower()}), None)


def people_in(sentence: ParsedSentence, dialogue: AirlineState) -> list[Person]:
    """The travellers named in a sentence, in order, with their dates of birth."""
    found: dict[int, Person] = {}
    for place, first, last in names_in(sentence, dialogue):
        person = find_known(first, last, dialogue) or Person(first, last)
        if person.last:
            found[place] = person
    for place, word in enumerate(sentence.words):  # "my husband", not "my husband Joost"
        owner = set(sentence.before(place, 3))
        own = word in _RELATIONS and owner & words_of("own") and not owner & words_of("met")
        if own and not {place + 1, place + 2, place + 3} & {*found}:
            found[place] = Person(relation=word)
    alone = {sentence.words[:1], sentence.words[-1:]} & {("me",)}  # "one way, me and my husband"
    if sentence.has_phrase_of("self") or (alone and not sentence.has_phrase(*_TO_ME)):
        found[-1] = Person(relation=SELF)
    for day in sentence.births:
        place = max((each for each in found if each < day.start), default=day.start)
        found[place] = replace(found.get(place, Person()), dob=day.value)
    return [found[place] for place in sorted(found)]


def names_in(sentence: ParsedSentence, dialogue: AirlineState) -> list[Name]:
    """The words in a sentence that can only be names."""
    booked = (e for record in dialogue.records.reservations.values() for e in record["passengers"])
    people = [*map(as_person, [*booked, *dialogue.records.saved]), customer(dialogue)]
    known = {each.first.lower() for each in people}
    found: list[Name] = []
    end = 0
    for place, word in enumerate(sentence.words):
        if place < end:
            continue
        own, likely = word.removesuffix("'s") in known, _may_be_name(sentence, place)
        pair = (own or likely) and _may_be_name(sentence, place + 1)
        if own or (likely and _is_new(sentence, place, pair=pair)):
            end = place + 1 + pair
            first, last = (_written(sentence, each) for each in (place, place + 1))
            found.append((place, first, last if pair else ""))
    return found


def _written(sentence: ParsedSentence, place: int) -> str:
    """A word with a name's capitals: ``Anne-Marie``; empty past the last word."""
    word = "".join(sentence.raw[place : place + 1]).removesuffix("'s")
    return "-".join(map(str.capitalize, word.split("-")))


def _is_new(sentence: ParsedSentence, place: int, *, pair: bool) -> bool:
    """Whether a possible name is one, judging by the words around it."""
    if sentence.raw[place].endswith("'s") and sentence.raw[place].islower() and pair:
        return False  # "whatever's left goes on the card"
    ahead = sentence.before(place, 1)
    announced = not ahead or ahead[0] in _BEFORE_NAME
    plain = _is_plain(sentence, place) and (not pair or _is_plain(sentence, place + 1))
    if not pair:
        ends = set(sentence.after(place + 1, 1)) <= words_of("after name")
        return announced and ends and not plain
    capital = place > 0 and sentence.raw[place][:1].isupper()
    person = ahead[0] in _BEFORE_PERSON - {","} if ahead else bool(sentence.births)
    person = person or sentence.before(place, 2) == ("name", "is")
    return (announced or capital) and (person or not plain)


def _is_plain(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word is an ordinary one, in lower case or capitalized only as the first word."""
    raw = sentence.raw[place].removesuffix("'s")
    small = raw.islower() or (place == 0 and len(sentence.words) > 1)
    return small and is_word(raw.lower())


def _may_be_name(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word may be part of a name, as it is not typical of sentences about trips."""
    word = "".join(sentence.words[place : place + 1]).removesuffix("'s")
    if len(word) < 2 or not word.replace("-", "").isalpha():
        return False
    known = vocabulary()
    others = known["months"], known["weekdays"], name_data()["not_names"], words_of("not people")
    in_place = any(each.start <= place < each.end for each in sentence.places)
    cased_text = any(each[:1].isupper() for each in sentence.raw[1:])
    cased = sentence.raw[place][:1].isupper() or not cased_text
    return cased and not in_place and not any(word in each for each in others)


def travels_alone(sentence: ParsedSentence, found: Sequence[Person]) -> bool:
    """Whether a sentence says that nobody else travels; "just me and my wife" does not."""
    if (number_of_people(sentence) or 1) > 1:
        return False
    if not any(each.relation != SELF for each in found):
        return sentence.has_phrase_of("alone") or "myself" in sentence.words
    me = [place for place, word in enumerate(sentence.words) if word in {"me", "myself"}]
    beside = {word for at in me for word in (*sentence.before(at, 1), *sentence.after(at + 1, 1))}
    return sentence.has_phrase_of("alone") and not words_of("joining") & beside


def head_count(sentence: ParsedSentence, found: Sequence[Person]) -> int | None:
    """The number of travellers that a sentence gives, or None."""
    return 1 if travels_alone(sentence, found) else number_of_people(sentence)


def number_of_people(sentence: ParsedSentence) -> int | None:
    """The number of people that a sentence states: "two persons", "a party of four"."""
    if sentence.has_phrase_of("two people"):
        return 2
    for place, word in enumerate(sentence.words):
        many, after = number(word), sentence.after(place + 1, 2)
        ahead = sentence.before(place, 3)
        if many is None or word in {"a", "an", "another"} or "not" in ahead or "per" in after:
            continue
        party = {"us", "of"} & {*ahead[-1:]} and words_of("party") & {*sentence.words}
        couple = word == "couple" and {*after[:1]} <= words_of("after name")
        one_seat = many == 1 and {"seat", "ticket"} & {*after[:1]}
        counted = words_of("counted") & {*after} or one_seat
        if party or couple or counted or after == ("of", "us"):
            return None if {"more", "extra", "additional"} & {*after} else many
    return None


def means_another(sentence: ParsedSentence) -> bool:
    """Whether a sentence refers to someone other than the speaker: "her", "not me"."""
    return sentence.has_phrase_of("another", "not self")


def means_self(sentence: ParsedSentence) -> bool:
    """Whether a sentence refers to the speaker."""
    return sentence.has_phrase_of("speaker") and not means_another(sentence)
