"""Bags and insurance: the slots in a sentence, and the skills for reservations that exist.

Bags can be added to a reservation; its insurance cannot change.
"""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline import payment_slots
from agent.clerk.airline.ask_or_refuse import answer, ask, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.reservation_changes import refuse_over_limit
from agent.clerk.airline.reservation_slots import find_reservation
from agent.clerk.airline.vocabulary import number, phrases, words_of
from agent.clerk.airline.wording import cabin, count, say, trip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Statement
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, free_bags

BagCount = tuple[str, int]
"""A number of bags and its kind: ``total``, ``more``, ``each`` or ``free``."""


def bags_mentioned(sentence: ParsedSentence) -> BagCount | None:
    """The number of bags that a sentence mentions, or None."""
    if sentence.has_phrase("no extras", "nothing extra"):
        return "total", 0
    nouns = [place for place, word in enumerate(sentence.words) if word in words_of("bags")]
    if sentence.has_phrase_of("free bags") and sentence.has_phrase("all", "my free", "as many"):
        return "free", 0
    for place in range(len(sentence.words)):
        told = _count_at(sentence, place, nouns)
        if told is not None:
            return told
    if (
        nouns
        and sentence.has_phrase("remove", "take", "drop")
        and sentence.has_phrase("off", "out", "remove")
    ):
        return "more", -1
    denied = any(
        words_of("denials") & set(" ".join(sentence.before(each, 4)).rpartition(",")[2].split())
        for each in nouns
    )
    bare = sentence.has_phrase("bags none", "carry-on only", "only carry-on")
    return ("total", 0) if denied or bare else None


def _count_at(sentence: ParsedSentence, place: int, nouns: list[int]) -> BagCount | None:
    word = sentence.words[place]
    many = number(word)
    if many is None or (word in {"a", "an", "single"} and not nouns):
        return None
    after, ahead = sentence.after(place + 1, 4), set(sentence.before(place, 3))
    noun = any(
        place < each <= place + 4 and set(sentence.words[place + 1 : each]) <= words_of("bag kinds")
        for each in nouns
    )
    total = any(" ".join(after).startswith(each) for each in phrases("bags in all"))
    more = set(after[:1]) & {"more", "extra", "additional", "further"}
    ends = {"please", "pls", "then", "for", "to", "too", ",", ".", "?", "!"}
    added = sentence.before(place, 1) == ("add",) and not set(after[:1]) - ends
    bare = bool(more) or word == "another" or added
    if not (noun or total or (bare and not sentence.has_phrase_of("counted beside bags"))):
        return None
    if ahead & words_of("had") and "to" not in ahead:
        return None
    if many > 20 or (ahead & words_of("denials") and word in {"a", "one"}):
        return None
    if sentence.has_phrase("each", "per person", "per passenger", "apiece"):
        return "each", many
    if sentence.has_phrase("remove", "off", "take out", "drop") and not sentence.has_phrase(
        "drop off"
    ):
        return "more", -many
    total = total or sentence.has_phrase(*phrases("bags in all")[:3])
    adds = bare or words_of("more") & {*ahead, *after[:2]}
    return "more" if adds and not total else "total", many


def bags_in_all(lines: Iterable[ParsedSentence], now: int, people: int, free: int) -> int | None:
    """The total number of bags after all sentences, oldest first; None if none mentions bags."""
    found: int | None = None
    before: BagCount | None = None
    for line in lines:
        told = bags_mentioned(line)
        if told in {None, before}:
            continue
        before = told
        kind, many = told or ("total", 0)
        if kind == "more":
            found = (now if found is None else found) + many
        else:
            fewer = many == 0 or line.has_phrase_of("bags in all", "fewer bags")
            many = many if fewer or kind != "total" or many >= now else now + many
            found = {"total": many, "each": many * people, "free": max(now, free)}[kind]
    return found


def wants_insurance(lines: Iterable[ParsedSentence]) -> bool | None:
    """Whether the customer wants travel insurance; None if no sentence says."""
    found: bool | None = None
    for line in lines:
        if line.has_phrase("no extras", "nothing extra", "chance it", "risk it"):
            found = False
        for part in line.parts() if "?" not in line.words else ():
            for place, word in enumerate(part.words):
                if word.startswith(("insur", "assurance")):
                    found = not _is_denied(part, place)
    return found


def _is_denied(sentence: ParsedSentence, place: int) -> bool:
    """Whether the words around a place deny it; the "no" of "no bags but …" does not count."""
    ahead, after = sentence.words[:place], sentence.words[place + 1 : place + 4]
    for at, word in enumerate(sentence.words[:place]):
        if word in {"yes", "but"} or (word in words_of("bags") and sentence.words[at + 1] != "or"):
            ahead = sentence.words[at + 1 : place]
    denials = words_of("denials")
    follows = not (denials | {"isn't"}).isdisjoint(after) and words_of("bags").isdisjoint(after)
    return follows or not denials.isdisjoint(ahead)


def add_bags(task: Task, dialogue: AirlineState, record: Json) -> Call:
    """The call that adds checked bags; raises Settled with a question or a refusal."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    free = free_bags(dialogue.records.membership, record["cabin"], people)
    total = bags_in_all(dialogue.sentences_of(task), now, people, free)
    if total is None:
        told = {"trip": trip(record), "bags": count(now, "checked bag")}
        told |= {"free": f"{free} {'is' if free == 1 else 'are'}", "cabin": cabin(record["cabin"])}
        ask(task, "bags", say("more bags?", **told), record)
    if total < now:
        text = say("bags stay", trip=trip(record), bags=count(now, "bag"))
        usable = [
            k for k, each in dialogue.records.methods.items() if each["source"] != "certificate"
        ]
        refuse(text, record, _call(task, record, max(0, total), 0, usable[0]) if usable else None)
    if total == now:
        refuse(f"Reservation {trip(record)} already has {count(now, 'checked bag')}.", record)
    nonfree = max(0, total - free)
    due = EXTRA_BAG * max(0, nonfree - record["nonfree_baggages"])
    refuse_over_limit(task, due, people, "The bags would cost")
    return _call(
        task, record, total, nonfree, payment_slots.one_method(task, dialogue, record, due)
    )


def _call(task: Task, record: Json, total: int, nonfree: int, method_id: str) -> Call:
    arguments = {
        "reservation_id": record["reservation_id"],
        "total_baggages": total,
        "nonfree_baggages": nonfree,
        "payment_id": method_id,
    }
    return Call("update_reservation_baggages", arguments, task)


def insurance(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """Refuse to add insurance to a reservation or to remove it.

    The answer that a reservation is insured already is no refusal.
    """
    record = find_reservation(task, dialogue)
    if dialogue.task_says(task, "insurance off"):
        refuse(say("insurance stays", trip=trip(record)), record)
    if record["insurance"] == "yes":
        return answer(f"Reservation {trip(record)} already has travel insurance.", record)
    refuse(say("no insurance later", trip=trip(record)), record)
