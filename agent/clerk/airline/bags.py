"""Bags and insurance: in what a customer says, and in a reservation, whose insurance stays."""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline import paying
from agent.clerk.airline.asking import answer, ask, refuse
from agent.clerk.airline.changing import within
from agent.clerk.airline.line import Line
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_one
from agent.clerk.airline.wording import cabin, count, say, trip
from agent.clerk.airline.words import number, phrases, words_of
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Tell
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, free_bags

Told = tuple[str, int]
"""``total``, ``more``, ``each`` or ``free``, and how many."""


def bags_told(line: Line) -> Told | None:
    """How many bags a sentence speaks of; None where it speaks of none."""
    if line.has("no extras", "nothing extra"):
        return "total", 0
    nouns = [place for place, word in enumerate(line.words) if word in words_of("bags")]
    if line.tells("free bags") and line.has("all", "my free", "as many"):
        return "free", 0
    for place in range(len(line.words)):
        told = _count_at(line, place, nouns)
        if told is not None:
            return told
    if nouns and line.has("remove", "take", "drop") and line.has("off", "out", "remove"):
        return "more", -1
    denied = any(
        words_of("denials") & set(" ".join(line.before(each, 4)).rpartition(",")[2].split())
        for each in nouns
    )
    bare = line.has("bags none", "carry-on only", "only carry-on")
    return ("total", 0) if denied or bare else None


def _count_at(line: Line, place: int, nouns: list[int]) -> Told | None:
    word = line.words[place]
    many = number(word)
    if many is None or (word in {"a", "an", "single"} and not nouns):
        return None
    after, ahead = line.after(place + 1, 4), set(line.before(place, 3))
    noun = any(
        place < each <= place + 4 and set(line.words[place + 1 : each]) <= words_of("bag kinds")
        for each in nouns
    )
    total = any(" ".join(after).startswith(each) for each in phrases("bags in all"))
    more = set(after[:1]) & {"more", "extra", "additional", "further"}
    bare = bool(more) or word == "another"
    if not (noun or total or (bare and not line.tells("counted beside bags"))):
        return None
    if ahead & words_of("had") and "to" not in ahead:
        return None
    if many > 20 or (ahead & words_of("denials") and word in {"a", "one"}):
        return None
    if line.has("each", "per person", "per passenger", "apiece"):
        return "each", many
    if line.has("remove", "off", "take out", "drop") and not line.has("drop off"):
        return "more", -many
    total = total or line.has(*phrases("bags in all")[:3])
    adds = bare or words_of("more") & {*ahead, *after[:2]}
    return "more" if adds and not total else "total", many


def bags_in_all(lines: Iterable[Line], now: int, people: int, free: int) -> int | None:
    """The number of bags that sentences, the oldest first, come to; None where none says."""
    found: int | None = None
    before: Told | None = None
    for line in lines:
        told = bags_told(line)
        if told in {None, before}:
            continue
        before = told
        kind, many = told or ("total", 0)
        if kind == "more":
            found = (now if found is None else found) + many
        else:
            found = {"total": many, "each": many * people, "free": max(now, free)}[kind]
    return found


def insurance_wish(lines: Iterable[Line]) -> bool | None:
    """Whether travel insurance is wanted; None where nothing says."""
    found: bool | None = None
    for line in lines:
        if line.has("no extras", "nothing extra", "chance it", "risk it"):
            found = False
        for part in line.parts() if "?" not in line.words else ():
            for place, word in enumerate(part.words):
                if word.startswith(("insur", "assurance")):
                    found = not _is_denied(part, place)
    return found


def _is_denied(line: Line, place: int) -> bool:
    """Whether a word is denied by what leads up to it: not by the no of "no bags but …"."""
    ahead, after = line.words[:place], line.words[place + 1 : place + 4]
    for at, word in enumerate(line.words[:place]):
        if word in {"yes", "but"} or (word in words_of("bags") and line.words[at + 1] != "or"):
            ahead = line.words[at + 1 : place]
    denials = words_of("denials")
    follows = not (denials | {"isn't"}).isdisjoint(after) and words_of("bags").isdisjoint(after)
    return follows or not denials.isdisjoint(ahead)


def add_bags(task: Task, talk: Talk, record: Json) -> Call:
    """More checked bags in a reservation."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    free = free_bags(talk.memory.membership, record["cabin"], people)
    total = bags_in_all(talk.lines(task), now, people, free)
    if total is None:
        told = {"trip": trip(record), "bags": count(now, "checked bag")}
        told |= {"free": f"{free} {'is' if free == 1 else 'are'}", "cabin": cabin(record["cabin"])}
        ask(task, "bags", say("more bags?", **told), record)
    if total < now:
        text = say("bags stay", trip=trip(record), bags=count(now, "bag"))
        usable = [k for k, each in talk.memory.methods.items() if each["source"] != "certificate"]
        refuse(text, record, _call(task, record, max(0, total), 0, usable[0]) if usable else None)
    if total == now:
        refuse(f"Reservation {trip(record)} has {count(now, 'checked bag')} already.", record)
    nonfree = max(0, total - free)
    due = EXTRA_BAG * max(0, nonfree - record["nonfree_baggages"])
    within(task, due, people, "The bags would cost")
    return _call(task, record, total, nonfree, paying.one_method(task, talk, record, due))


def _call(task: Task, record: Json, total: int, nonfree: int, method_id: str) -> Call:
    arguments = {
        "reservation_id": record["reservation_id"],
        "total_baggages": total,
        "nonfree_baggages": nonfree,
        "payment_id": method_id,
    }
    return Call("update_reservation_baggages", arguments, task)


def insurance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Insurance can neither be added to a reservation nor taken out of it."""
    record = find_one(task, talk)
    if talk.tells(task, "insurance off"):
        refuse(say("insurance stays", trip=trip(record)), record)
    if record["insurance"] == "yes":
        return answer(f"Reservation {trip(record)} has travel insurance already.", record)
    refuse(say("no insurance later", trip=trip(record)), record)
