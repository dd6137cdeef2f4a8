"""Bags, which can be added to a reservation, and insurance, which cannot change."""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline import payment_slots
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import way_mentioned
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.replies import answer, ask, refuse
from agent.clerk.airline.reservation_changes import refuse_over_limit
from agent.clerk.airline.reservation_slots import find_reservation
from agent.clerk.airline.vocabulary import number, phrases, words_of
from agent.clerk.airline.wording import cabin, count, say, trip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Statement
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, free_bags

BagCount = tuple[str, int]
"""A number of bags and its kind: ``total``, ``more``, ``each``, or ``held``: "I have two bags"."""

_ORDINALS = ("second", "third", "fourth", "fifth", "sixth")
_MOST = 20
"""More than this many are no bags."""


def bags_mentioned(sentence: ParsedSentence) -> BagCount | None:
    """The number of bags that a sentence mentions, or None."""
    nouns = [place for place, word in enumerate(sentence.words) if word in words_of("bags")]
    ordinal = [
        n for n, word in enumerate(_ORDINALS, 2) for e in nouns if word == sentence.words[e - 1]
    ]
    if ordinal:  # "can I have a second bag?"
        return "total", max(ordinal)
    said, in_all = {*sentence.words}, _in_all(sentence)
    off = "remove" in said or (said & {"take", "drop"} and said & {"off", "out"})
    counts = [(place, many) for place, many in _numbers(sentence) if many <= _MOST]

    def rank(told: tuple[int, int]) -> int:  # "I have one in all and want two more"
        held = _is_held(sentence, told[0])
        return 2 if held else 0 if told[0] in in_all else 1

    for place, many in sorted(counts, key=rank):
        kind = _kind_at(sentence, place, nouns, total=place in in_all)
        if kind and not (off and kind == "held"):
            return ("more", -many) if off else (kind, many)
    if nouns and off:
        return "more", -1
    clauses = (" ".join(sentence.before(each, 4)).rpartition(",")[2] for each in nouns)
    denied = any(words_of("denials") & {*each.split()} for each in clauses)
    return ("total", 0) if denied or sentence.has_phrase_of("no bags") else None


def _numbers(sentence: ParsedSentence) -> list[tuple[int, int]]:
    """The places and the values of the numbers in a sentence."""
    told = ((place, number(word)) for place, word in enumerate(sentence.words))
    return [(place, many) for place, many in told if many is not None]


def _in_all(sentence: ParsedSentence) -> set[int]:
    """The places of numbers called the total: "three in all", "in total three", "three total".

    "In all" is of the number that follows it at once, else of the last one before it.
    """
    places = [n for n, _ in _numbers(sentence) if sentence.words[n] not in {"a", "an"}]
    found = {n for n in places if sentence.after(n + 1, 1) == ("total",)}
    for phrase in filter(sentence.has_phrase, phrases("in all")):
        at = sentence.find(phrase)
        end = at + len(phrase.split())
        found |= {end} if end in places else {*[n for n in places if n < at][-1:]}
    return found


def _is_held(sentence: ParsedSentence, place: int) -> bool:
    """Whether a number says what there is already: "I have one"."""
    ahead = sentence.before(place)
    return bool(words_of("had") & {*ahead}) and not {"to", "will", "i'll", "we'll"} & {*ahead}


def _kind_at(sentence: ParsedSentence, place: int, nouns: list[int], *, total: bool) -> str:
    """The kind of a number of bags: ``total``, ``more`` or ``each``; empty for other numbers."""
    word, after, ahead = sentence.words[place], sentence.after(place + 1, 4), sentence.before(place)
    between = [{*sentence.words[place + 1 : each]} for each in nouns if place < each <= place + 4]
    noun = any(each <= words_of("bag kinds") for each in between)
    noun = noun or bool(nouns and nouns[0] < place and words_of("wanting") & {*ahead[-1:]})
    more = word == "another" or bool(words_of("more") & {*after[:1]})
    denied = words_of("denials") & {*ahead} and word in {"a", "one"}
    alone = word in {"a", "an", "single"} and not nouns
    if denied or alone or not (noun or total or more):
        return ""
    if _is_held(sentence, place) and not total:
        return "held" if noun else ""
    beside = after[:2] if nouns and nouns[0] < place else sentence.words
    if not (noun or total) and words_of("counted beside bags") & {*beside}:
        return ""
    if not total and sentence.has_phrase("each", "per person", "per passenger", "apiece"):
        return "each"
    more = more or bool(words_of("more") & {*ahead, *after[:2]})
    return "more" if more and not total else "total"


def bags_in_all(lines: Iterable[ParsedSentence], now: int, people: int) -> int | None:
    """The total number of bags after all sentences, oldest first; None if none mentions bags.

    What there is already are the bags to take, as long as the trip has none.
    """
    found: int | None = None
    before: BagCount | None = None
    for line in lines:
        told = bags_mentioned(line)
        if told is None or told == before:
            continue
        before = kind, many = told
        exact = many == 0 or line.has_phrase_of("settled count") or _in_all(line)
        if kind == "each":
            found = many * people
        elif kind == "held":
            found = many if found is None and not now else found
        elif kind == "more":
            found = (found or now) + many
        else:
            found = many if exact or many >= now else now + many
    return found


def wants_insurance(lines: Iterable[ParsedSentence]) -> bool | None:
    """Whether the customer wants travel insurance; None if no sentence says."""
    found: bool | None = None
    for line in lines:
        found = False if line.has_phrase_of("no insurance") else found
        for part in line.parts() if "?" not in line.words else ():
            for place, word in enumerate(part.words):
                if word.startswith(("insur", "assurance")):
                    found = not _is_denied(part, place)
    return found


def _is_denied(sentence: ParsedSentence, place: int) -> bool:
    """Whether the words around a place deny it; the "no" of "no bags but …" does not count."""
    ahead, after = sentence.words[:place], {*sentence.after(place + 1)}
    for at, word in enumerate(ahead):
        if word in {"yes", "but"} or (word in words_of("bags") and sentence.words[at + 1] != "or"):
            ahead = sentence.words[at + 1 : place]
    follows = words_of("denials") & after and not words_of("bags") & after
    return bool(follows or words_of("denials") & {*ahead})


def add_bags(task: Task, dialogue: AirlineState, record: Json) -> Call:
    """The call that adds checked bags; raises Settled with a question or a refusal."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    free = free_bags(dialogue.records.membership, record["cabin"], people)
    total = bags_in_all(dialogue.sentences_of(task), now, people)
    ways = (way_mentioned(line) for line in dialogue.sentences_of(task))
    way = next(filter(None, ways), "") if dialogue.task_says(task, "one way only") else ""
    whole = way and say("bags of all", way=f"the way {'out' if way == 'out' else 'back'}")
    if total is None:
        told = {"trip": trip(record), "bags": count(now, "checked bag")}
        told |= {"free": f"{free} {'is' if free == 1 else 'are'}", "cabin": cabin(record["cabin"])}
        ask(task, "bags", f"{whole} {say('more bags?', **told)}".strip(), record)
    if whole and not task.chosen.get("whole"):
        ask(task, "whole", f"{whole} Shall I add it for the whole reservation?", record)
    if total < now:
        refuse(say("bags stay", trip=trip(record), bags=count(now, "bag")), record)
    if total == now:
        refuse(f"Reservation {trip(record)} already has {count(now, 'checked bag')}.", record)
    nonfree = max(0, total - free)
    due = EXTRA_BAG * max(0, nonfree - record["nonfree_baggages"])
    refuse_over_limit(task, due, people, "The bags would cost")
    arguments = {
        "reservation_id": record["reservation_id"],
        "total_baggages": total,
        "nonfree_baggages": nonfree,
        "payment_id": payment_slots.one_method(task, dialogue, record, due),
    }
    return Call("update_reservation_baggages", arguments, task)


def insurance(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """Refuse to add insurance to a reservation or to remove it, or answer that it is insured."""
    record = find_reservation(task, dialogue)
    if dialogue.task_says(task, "insurance off"):
        refuse(say("insurance stays", trip=trip(record)), record)
    if record["insurance"] == "yes":
        return answer(f"Reservation {trip(record)} already has travel insurance.", record)
    refuse(say("no insurance later", trip=trip(record)), record)
