"""Adding bags to a reservation; its insurance cannot be changed."""

from __future__ import annotations

from typing import NoReturn

from agent.clerk.airline import paying
from agent.clerk.airline.asking import answer, ask, refuse
from agent.clerk.airline.bags import bags_in_all
from agent.clerk.airline.changing import within
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_one
from agent.clerk.airline.wording import cabin, count, say, trip
from agent.clerk.remembering import Json
from agent.clerk.steps import Call, Tell
from agent.clerk.task import Task
from domains.airline.fares import EXTRA_BAG, free_bags


def bags(task: Task, talk: Talk, record: Json) -> Call:
    """More checked bags in a reservation."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    free = free_bags(talk.memory.membership, record["cabin"], people)
    total = bags_in_all(talk.lines(task), now, people, free)
    if total is None:
        told = {"trip": trip(record), "bags": count(now, "checked bag")}
        told |= {"free": f"{free} {'is' if free == 1 else 'are'}", "cabin": cabin(record["cabin"])}
        ask(task, "bags", say("more bags?", **told), record)
    if total < now:
        _refuse_fewer(task, record, total, talk)
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


def _refuse_fewer(task: Task, record: Json, total: int, talk: Talk) -> NoReturn:
    text = say("bags stay", trip=trip(record), bags=count(record["total_baggages"], "bag"))
    usable = [key for key, each in talk.memory.methods.items() if each["source"] != "certificate"]
    forbidden = _call(task, record, max(0, total), 0, usable[0]) if usable else None
    refuse(text, record, forbidden)


def insurance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Insurance can neither be added to a reservation nor taken out of it."""
    record = find_one(task, talk)
    if talk.tells(task, "insurance off"):
        refuse(say("insurance stays", trip=trip(record)), record)
    if record["insurance"] == "yes":
        return answer(f"Reservation {trip(record)} has travel insurance already.", record)
    refuse(say("no insurance later", trip=trip(record)), record)
