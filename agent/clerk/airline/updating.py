"""Changing the bags and the passengers of a reservation; its insurance cannot be changed."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.airline import paying
from agent.clerk.airline.changing import settled_with
from agent.clerk.airline.fares import EXTRA_BAG, free_bags
from agent.clerk.airline.limits import within
from agent.clerk.airline.locating import the_one, to_do
from agent.clerk.airline.passengers import customer, mentions
from agent.clerk.airline.requests import Person, Rename, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import cabin, count, name, route, trip
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import joined

BAGS, PASSENGERS = "update_reservation_baggages", "update_reservation_passengers"


def bags(request: Request, talk: Talk) -> Call | Ask | Tell:
    """More checked bags in a reservation."""
    record = to_do(request, talk)
    if record is None:
        return _packed(request, talk)
    total = _bags_in_all(request, record, talk)
    now, people = record["total_baggages"], len(record["passengers"])
    if total < now:
        return _no_fewer(request, record, total, talk)
    if total == now:
        text = f"Reservation {trip(record)} has {count(now, 'checked bag')} already."
        return Tell(text, "refused", focus=record["reservation_id"])
    nonfree = max(0, total - free_bags(talk.memory.membership, record["cabin"], people))
    due = EXTRA_BAG * max(0, nonfree - record["nonfree_baggages"])
    within(request, due, people, "The bags would cost")
    return _bags_call(
        request, record, total, nonfree, paying.one_method(request, talk, record, due)
    )


def _bags_call(request: Request, record: Json, total: int, nonfree: int, method_id: str) -> Call:
    arguments = {
        "reservation_id": record["reservation_id"],
        "total_baggages": total,
        "nonfree_baggages": nonfree,
        "payment_id": method_id,
    }
    return Call(BAGS, arguments, request)


def _bags_in_all(request: Request, record: Json, talk: Talk) -> int:
    """The number of bags that was asked for; Settled with the question while it is open."""
    now, people = int(record["total_baggages"]), len(record["passengers"])
    if request.bags_more is not None:
        return now + request.bags_more
    if request.bags is not None:
        return request.bags
    if request.bags_each is not None:
        return request.bags_each * people
    free = free_bags(talk.memory.membership, record["cabin"], people)
    if request.bags_free:
        return max(now, free)
    text = (
        f"Reservation {trip(record)} has {count(now, 'checked bag')}; {free} are free in "
        f"{cabin(record['cabin'])}. How many would you like to have in all?"
    )
    raise Settled(Ask(text, "bags", request, None, focus=record["reservation_id"]))


def _no_fewer(request: Request, record: Json, total: int, talk: Talk) -> Tell:
    text = (
        f"I can't take bags out of reservation {trip(record)}: they can only be added, and the "
        f"{count(record['total_baggages'], 'bag')} in it stay."
    )
    usable = [key for key, each in talk.memory.methods.items() if each["source"] != "certificate"]
    forbidden = _bags_call(request, record, max(0, total), 0, usable[0]) if usable else None
    return Tell(text, "refused", forbidden, focus=record["reservation_id"])


def _packed(request: Request, talk: Talk) -> Tell:
    key = request.written[-1]
    record = talk.memory.reservations.get(key)
    if record is None:
        return Tell("The bags are added.", "done")
    number = count(record["total_baggages"], "checked bag")
    text = f"Reservation {key} ({route(record)}) now has {number}{settled_with(talk, key)}."
    return Tell(text, "done", focus=key)


def people(request: Request, talk: Talk) -> Call | Ask | Tell:
    """Other names or other people in a reservation; never more or fewer."""
    record = to_do(request, talk)
    if record is None:
        return _renamed(request, talk)
    _same_number(request, record)
    if not request.renames:
        raise Settled(_ask_whom(request, record))
    listed = [dict(each) for each in record["passengers"]]
    for rename in request.renames:
        place = _place(_old(rename, record), record, request, talk)
        listed[place] = _rewritten(listed[place], rename, request, talk)
    if listed == record["passengers"]:
        text = f"The passengers of reservation {trip(record)} are written like that already."
        return Tell(text, "refused", focus=record["reservation_id"])
    arguments = {"reservation_id": record["reservation_id"], "passengers": listed}
    return Call(PASSENGERS, arguments, request)


_TAKES_OUT = re.compile(r"\b(?:take|remove|drop|leave|get)\b.*\b(?:off|out)\b|\bremove\b")
"""How customers ask for fewer passengers without naming anybody."""


def _same_number(request: Request, record: Json) -> None:
    """Settled with a refusal where passengers are to be added or taken out."""
    now = len(record["passengers"])
    fewer = bool(request.removing) or (not request.renames and _TAKES_OUT.search(request.text))
    if not (request.adding or fewer or request.count not in {None, now}):
        return
    more = request.adding or (request.count or 0) > now
    what = "add a passenger to" if more else "take a passenger out of"
    text = (
        f"I can't {what} reservation {trip(record)}: the number of passengers in a reservation "
        "cannot be changed, and not even a human agent can do that."
    )
    raise Settled(Tell(text, "refused", focus=record["reservation_id"]))


def _ask_whom(request: Request, record: Json) -> Ask:
    now = joined(name(each) for each in record["passengers"])
    text = (
        f"On reservation {trip(record)} are {now}. Who should be written differently, and how: "
        "please give me the old and the new name."
    )
    return Ask(text, "renames", request, None, focus=record["reservation_id"])


def _old(rename: Rename, record: Json) -> Person:
    """Who is to be rewritten; where only the new name was told, whoever has its first name."""
    first = rename.new.first
    same = any(each["first_name"].lower() == first.lower() for each in record["passengers"])
    return Person(first) if same and rename.old == Person() else rename.old


def _place(old: Person, record: Json, request: Request, talk: Talk) -> int:
    """Which passenger is meant; Settled with the question where it is not clear."""
    if old.relation == "self" and not old.first:
        old = customer(talk)
    passengers = record["passengers"]
    fits = [n for n, each in enumerate(passengers) if _can_be(old, each)]
    if len(fits) != 1 and old.relation not in {"", "self"} and not old.first:
        me = customer(talk)
        others = [n for n, each in enumerate(passengers) if each["first_name"] != me.first]
        fits = others if len(others) == 1 else fits
    if len(fits) != 1:
        told = [n for n, e in enumerate(passengers) if mentions(request.text, e["first_name"])]
        fits = told if len(told) == 1 else fits
    if len(fits) == 1:
        return fits[0]
    if len(passengers) == 1 and not (old.first or old.last):
        return 0
    options = tuple(Choice(name(each), name(each)) for each in passengers)
    text = f"Which passenger do you mean: {joined((each.words for each in options), 'or')}?"
    raise Settled(Ask(text, "passenger", request, old, options, focus=record["reservation_id"]))


def _can_be(old: Person, record: Json) -> bool:
    parts = ((old.first, "first_name"), (old.last, "last_name"), (old.dob, "dob"))
    told = [(part, record[key]) for part, key in parts if part]
    return bool(told) and all(part.lower() == value.lower() for part, value in told)


def _rewritten(record: Json, rename: Rename, request: Request, talk: Talk) -> Json:
    """A passenger with the new parts; Settled with a question where another person lacks one."""
    new = rename.new
    saved = [
        each
        for each in talk.memory.saved
        if new.first
        and each["first_name"].lower() == new.first.lower()
        and new.last.lower() in {"", each["last_name"].lower()}
    ]
    old_first = record["first_name"].lower()
    if new.relation == "self" and not new.first:
        new = customer(talk)
    elif saved and not new.dob:
        new = replace(new, last=saved[0]["last_name"], dob=saved[0]["dob"])
    somebody_else = bool(new.first and new.last) and new.first.lower() != old_first
    same_person = new.last.lower() in {"", record["last_name"].lower()}
    if somebody_else and not same_person and not new.dob:
        text = f"What is {new.first} {new.last}'s date of birth?"
        raise Settled(Ask(text, "dob", request, rename))
    return {
        "first_name": new.first or record["first_name"],
        "last_name": new.last or record["last_name"],
        "dob": new.dob or record["dob"],
    }


def _renamed(request: Request, talk: Talk) -> Tell:
    key = request.written[-1]
    record = talk.memory.reservations.get(key)
    if record is None:
        return Tell("The passengers are changed.", "done")
    who = joined(name(each) for each in record["passengers"])
    verb = "is" if len(record["passengers"]) == 1 else "are"
    return Tell(f"On reservation {key} ({route(record)}) {verb} now {who}.", "done", focus=key)


def insurance(request: Request, talk: Talk) -> Ask | Tell:
    """Insurance can neither be added to a reservation nor taken out of it."""
    record = the_one(request, talk)
    key = record["reservation_id"]
    if request.insurance_off:
        text = (
            f"The travel insurance of a reservation cannot be taken out: {trip(record)} keeps it."
        )
    elif record.get("insurance") == "yes":
        return Tell(
            f"Reservation {trip(record)} has travel insurance already.", "answered", focus=key
        )
    else:
        text = (
            f"I can't insure reservation {trip(record)}: travel insurance cannot be added once a "
            "reservation has been made."
        )
    return Tell(text, "refused", focus=key)
