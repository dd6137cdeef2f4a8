"""Changing the bags and the passengers of a reservation; its insurance cannot be changed."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import paying
from agent.clerk.airline.bags import EXTRA_BAG, bags_in_all, free_bags
from agent.clerk.airline.changing import money_moved, within
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_next, find_one
from agent.clerk.airline.wording import cabin, count, route, trip
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Settled, Tell
from agent.clerk.task import Task

TOOL = "update_reservation_baggages"


def bags(task: Task, talk: Talk, policy: str = "") -> Call | Ask | Tell:
    """More checked bags in a reservation."""
    record = find_next(task, talk)
    if record is None:
        return _tell_packed(task, talk)
    total = _bags_in_all(task, record, talk)
    now, people = record["total_baggages"], len(record["passengers"])
    if total < now:
        return _no_fewer(task, record, total, talk)
    if total == now:
        text = f"Reservation {trip(record)} has {count(now, 'checked bag')} already."
        return Tell(text, "refused", focus=record["reservation_id"])
    nonfree = max(0, total - free_bags(talk.memory.membership, record["cabin"], people))
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
    return Call(TOOL, arguments, task)


def _bags_in_all(task: Task, record: Json, talk: Talk) -> int:
    """The number of bags that was asked for; Settled with the question while it is open."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    free = free_bags(talk.memory.membership, record["cabin"], people)
    lines = talk.lines(task)
    adds = any(
        line.has("add", "extra", "more", "additional", "another", "one more") for line in lines[:1]
    )
    told = bags_in_all(lines, now, people, free)
    if told is not None:
        return told
    one = any(
        line.has("a bag", "a suitcase", "a checked bag", "add one", "one bag") for line in lines
    )
    if one and adds:
        return now + 1
    text = (
        f"Reservation {trip(record)} has {count(now, 'checked bag')}; {free} are free in "
        f"{cabin(record['cabin'])}. How many would you like to have in all?"
    )
    raise Settled(Ask(text, "bags", task, focus=record["reservation_id"]))


def _no_fewer(task: Task, record: Json, total: int, talk: Talk) -> Tell:
    text = (
        f"I can't take bags out of reservation {trip(record)}: they can only be added, and the "
        f"{count(record['total_baggages'], 'bag')} in it stay."
    )
    usable = [key for key, each in talk.memory.methods.items() if each["source"] != "certificate"]
    forbidden = _call(task, record, max(0, total), 0, usable[0]) if usable else None
    return Tell(text, "refused", forbidden, focus=record["reservation_id"])


def _tell_packed(task: Task, talk: Talk) -> Tell:
    key = task.written[-1]
    record = talk.memory.reservations.get(key)
    if record is None:
        return Tell("The bags are added.", "done")
    number = count(record["total_baggages"], "checked bag")
    text = f"Reservation {key} ({route(record)}) now has {number}{money_moved(talk, key)}."
    return Tell(text, "done", focus=key)


def insurance(task: Task, talk: Talk, policy: str = "") -> Ask | Tell:
    """Insurance can neither be added to a reservation nor taken out of it."""
    record = find_one(task, talk)
    off = any(
        line.has("refund", "remove", "cancel", "take off", "drop", "money back", "without")
        for line in talk.lines(task)
    )
    if off:
        text = (
            f"The travel insurance of a reservation cannot be taken out: {trip(record)} keeps it."
        )
    elif record.get("insurance") == "yes":
        known = Tell(f"Reservation {trip(record)} has travel insurance already.", "answered")
        return replace(known, focus=record["reservation_id"])
    else:
        text = (
            f"I can't insure reservation {trip(record)}: travel insurance cannot be added once a "
            "reservation has been made."
        )
    return Tell(text, "refused", focus=record["reservation_id"])
