"""Changing a reservation's flights or its cabin: what it would hold, and what that costs."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import paying
from agent.clerk.airline.limits import within
from agent.clerk.airline.memory import ways
from agent.clerk.airline.repricing import (
    difference,
    listed_flights,
    not_in_part,
    repriced,
    unflown,
    wanted_cabin,
)
from agent.clerk.airline.requests import Request
from agent.clerk.airline.rerouting import in_order, legs_of, new_way, redirected, same_trip
from agent.clerk.airline.several import for_each
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    clock,
    count,
    method_bare,
    money,
    route,
    trip,
)
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Settled, Tell
from agent.clerk.wording import joined

TOOL = "update_reservation_flights"


def flights(request: Request, talk: Talk) -> Call | Ask | Tell:
    """Other flights in a reservation, and another cabin where that was asked for too."""
    return for_each(redirected(request, talk), talk, _flights, changed)


def _flights(request: Request, talk: Talk, record: Json) -> Call | Ask | Tell:
    same_trip(request, record)
    name = _cabin_with(request, record)
    _changeable(request, record, talk, name)
    legs = legs_of(_without_booked_days(request, record), record, talk.today)
    if name == record["cabin"] and all(replace(leg, keep=False).empty for leg in legs):
        text = f"To which day or time should I change reservation {trip(record)}?"
        return Ask(text, "legs", request, focus=record["reservation_id"])
    new = [
        new_way(request, record, talk, leg, name, number)
        for number, leg in enumerate(legs)
        if ways(record)[number]
    ]
    in_order(request, record, talk, new)
    return _call(request, talk, record, name, [flight for each in new for flight in each])


def _without_booked_days(request: Request, record: Json) -> Request:
    """Of several days that were told, those that are booked tell what there is: "not the 22nd"."""
    told = [each for each in (request.out.date, *request.out.dates) if each]
    booked = {each["date"] for each in record["flights"]}
    new = [each for each in told if each not in booked]
    if len(new) == len(told) or not new:
        return request
    return replace(request, out=replace(request.out, date=new[0], dates=new[1:]))


def quote(request: Request, talk: Talk, record: Json) -> Ask:
    """What other flights would cost, with the question whether to take them."""
    same_trip(request, record)
    _changeable(request, record, talk, str(record["cabin"]))
    legs = legs_of(request, record, talk.today)
    new = [
        new_way(request, record, talk, leg, str(record["cabin"]), number)
        for number, leg in enumerate(legs)
        if ways(record)[number]
    ]
    in_order(request, record, talk, new)
    flat = [flight for each in new for flight in each]
    due = difference(record, flat)
    cost = f"cost {money(due)} more" if due > 0 else f"bring back {money(-due)}"
    cost = cost if due else "cost nothing more"
    people = count(len(record["passengers"]), "passenger")
    on = joined(booked_flight(each) for each in flat)
    text = f"Reservation {record['reservation_id']} on {on} would {cost}, for {people}."
    return Ask("Shall I change it?", "go", request, focus=record["reservation_id"], lead=text)


def cabins(request: Request, talk: Talk) -> Call | Ask | Tell:
    """Another cabin on the same flights."""
    return for_each(request, talk, _cabin, changed)


def _cabin(request: Request, talk: Talk, record: Json) -> Call | Ask | Tell:
    name = wanted_cabin(request, record)
    if name == record["cabin"]:
        text = f"Reservation {trip(record)} is in {cabin(name)} already."
        return Tell(text, "refused", focus=record["reservation_id"])
    not_in_part(request, record)
    unflown(record, talk)
    new = repriced(record, talk, name)
    return _call(request, talk, record, name, new)


def _call(request: Request, talk: Talk, record: Json, name: str, new: list[Json]) -> Call:
    """The change, once it is known what it costs and who pays."""
    due = difference(record, new)
    people = len(record["passengers"])
    within(request, due, people, "The change would cost")
    key = record["reservation_id"]
    if name == record["cabin"] and listed_flights(new) == listed_flights(record["flights"]):
        raise Settled(Tell(f"Reservation {trip(record)} is like that already.", "refused"))
    try:
        method_id = paying.one_method(request, talk, record, due)
    except Settled as settled:
        raise Settled(_with_news(settled.step, talk, record, new)) from None
    arguments = _arguments(record, name, new, method_id)
    if arguments in [dict(each.arguments) for each in talk.changes if each.name == TOOL]:
        raise Settled(Tell(f"Reservation {key} is like that already.", "refused"))
    return Call(TOOL, arguments, request)


def _with_news(
    step: Call | Ask | Tell, talk: Talk, record: Json, new: list[Json]
) -> Call | Ask | Tell:
    """A question about the payment with the new flights, where nobody has told of them."""
    listed, times = listed_flights(record["flights"]), talk.memory.times
    words = [
        f"{booked_flight(each)}" + (f", {clock(when[0])}–{clock(when[1])}" if when else "")
        for each in new
        if (each["flight_number"], each["date"]) not in listed
        for when in [times.get(each["flight_number"])]
    ]
    lead = f"That would be {joined(words)}."
    if not isinstance(step, Ask) or not words or talk.has_told(lead):
        return step
    return replace(step, lead=lead)


def _arguments(record: Json, name: str, new: list[Json], method_id: str) -> dict[str, object]:
    return {
        "reservation_id": record["reservation_id"],
        "cabin": name,
        "flights": [
            {"flight_number": number, "date": date} for number, date in listed_flights(new)
        ],
        "payment_id": method_id,
    }


def _cabin_with(request: Request, record: Json) -> str:
    """The cabin of the changed reservation."""
    if request.cabin or request.cabin_move:
        return wanted_cabin(request, record)
    return str(record["cabin"])


def _changeable(request: Request, record: Json, talk: Talk, name: str) -> None:
    """Settled with a refusal where the flights, or the cabin, have to stay."""
    if record["cabin"] == "basic_economy":
        text = (
            f"Reservation {trip(record)} is in basic economy, and the flights of a basic economy "
            "reservation cannot be changed, whatever the membership."
        )
        forbidden = _forbidden(request, record, talk)
        raise Settled(Tell(text, "refused", forbidden, focus=record["reservation_id"]))
    if name != record["cabin"]:
        unflown(record, talk)


def _forbidden(request: Request, record: Json, talk: Talk) -> Call | None:
    """The change that the tools would make all the same, as far as that is known without asking."""
    allowed = {**record, "cabin": "economy"}
    memory = talk.memory
    known = replace(talk, memory=replace(memory, reservations={**memory.reservations}))
    known.memory.reservations[record["reservation_id"]] = allowed
    try:
        legs = legs_of(request, allowed, talk.today)
        new = [
            flight
            for number, leg in enumerate(legs)
            if ways(allowed)[number]
            for flight in new_way(request, allowed, known, leg, "basic_economy", number)
        ]
        method_id = paying.any_method(known)
    except Settled as settled:
        needed = settled.step
        return needed if isinstance(needed, Call) and needed.request is None else None
    return Call(TOOL, _arguments(record, "basic_economy", new, method_id), request)


def changed(request: Request, talk: Talk) -> Tell:
    """What came of a change of flights or cabin."""
    lines = []
    for key in dict.fromkeys(request.written):
        record = talk.memory.reservations.get(key)
        if record is None:
            lines.append(f"Reservation {key} is changed.")
            continue
        on = joined(booked_flight(each) for each in record["flights"])
        lines.append(
            f"Reservation {key} ({route(record)}) is now in {cabin(record['cabin'])} on {on}"
            f"{settled_with(talk, key)}."
        )
    return Tell("\n".join(lines), "done", focus=request.written[-1])


def settled_with(talk: Talk, key: str) -> str:
    """What the last change of a reservation cost or brought, as the end of a sentence."""
    moves = (each for each in reversed(talk.memory.moves) if each.reservation_id == key)
    move = next((each for each in moves if "payment_id" in each.call.arguments), None)
    if move is None or not move.amount:
        return ""
    method_id = str(move.call.arguments.get("payment_id"))
    name = method_bare(talk.memory.methods.get(method_id), method_id)
    if move.amount > 0:
        return f"; {money(move.amount)} is charged to your {name}"
    return f"; {money(-move.amount)} goes back to your {name}"
