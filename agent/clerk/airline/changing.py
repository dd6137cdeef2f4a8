"""Changing a reservation's flights or its cabin: what it would hold, and what that costs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.clerk.airline import paying
from agent.clerk.airline.acting import Step, with_news
from agent.clerk.airline.asking import ask, refuse
from agent.clerk.airline.flight_wish import Leg, read_wanted
from agent.clerk.airline.journeys import as_argument, flight_keys
from agent.clerk.airline.memory import ways
from agent.clerk.airline.people import people_in
from agent.clerk.airline.rerouting import (
    cabin_told,
    difference,
    find_cabin,
    in_order,
    legs_of,
    new_way,
    reprice,
    unflown,
)  # fmt: skip
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    city,
    clock,
    cost_of,
    count,
    money,
    say,
    trip,
)
from agent.clerk.airline.words import FROM, NOT, TO
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Ask, Call, Settled
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

TOOL = "update_reservation_flights"
SAME = Rule(TOOL, "The trip stays the same: origin, destination and type")
KEEPS = Rule(TOOL, "A basic economy reservation keeps its flights")


def flights(task: Task, talk: Talk, record: Json) -> Step:
    """Other flights in a reservation, and another cabin where that was asked for too."""
    return _call(task, talk, record, *_reroute(task, talk, record))


def _reroute(task: Task, talk: Talk, record: Json) -> tuple[str, list[Json]]:
    """The cabin and the flights that a reservation would have."""
    there = _same_trip(task, talk, record)
    name = cabin_told(task, talk, record) or str(record["cabin"])
    _changeable(task, record, talk, name)
    booked = booked_days(record)
    told = read_wanted(talk.lines(task), booked)
    if told.out.empty and told.back.empty and told.open.empty:
        told = read_wanted(talk.lines_of([*task.context, *task.words]), booked)
    legs = legs_of(task, there, told, talk)
    if there is not record:
        legs = [
            _on_its_day(leg, way, booked[""]) for leg, way in zip(legs, ways(there), strict=False)
        ]
    if name == record["cabin"] and not any(not each.empty or each.wanted for each in legs):
        ask(task, "legs", say("change to when?", trip=trip(record)), record)
    new = [new_way(task, there, talk, leg, name, number) for number, leg in enumerate(legs)]
    in_order(task, there, talk, new)
    return name, [flight for each in new for flight in each]


def _on_its_day(leg: Leg, way: Sequence[Json], booked: Collection[str]) -> Leg:
    """A leg that is wanted from or to another airport, on the day that is booked unless told.

    A day that is booked for the other way is that way's.
    """
    if (leg.date and leg.date not in booked) or leg.numbers:
        return leg
    return replace(leg, date=way[0]["date"], dates=(), wanted=True)


def booked_days(record: Json) -> dict[str, frozenset[str]]:
    """The days of a reservation's flights, by way."""
    out, back = (frozenset(each["date"] for each in way) for way in ways(record))
    return {"out": out, "back": back, "": out | back, "both": out | back}


def quote(task: Task, talk: Talk, record: Json) -> Ask:
    """What other flights would cost, with the question whether to take them."""
    _, new = _reroute(task, talk, record)
    due = difference(record, new)
    cost = f"{cost_of(due)}{' more' * (due > 0)}" if due else "cost nothing more"
    people = count(len(record["passengers"]), "passenger")
    on = join_parts(booked_flight(each) for each in new)
    text = f"Reservation {record['reservation_id']} on {on} would {cost}, for {people}."
    return Ask("Shall I change it?", "go", task, focus=record["reservation_id"], lead=text)


def cabins(task: Task, talk: Talk, record: Json) -> Step:
    """Another cabin on the same flights."""
    name = find_cabin(task, talk, record)
    if name == record["cabin"]:
        refuse(f"Reservation {trip(record)} is in {cabin(name)} already.", record)
    _not_in_part(task, talk, record)
    unflown(record, talk)
    return _call(task, talk, record, name, reprice(record, talk, name))


def _not_in_part(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a question where only one flight or passenger should change the cabin."""
    if task.chosen.get("whole"):
        return
    lines = talk.lines(task)
    told = read_wanted(lines, booked_days(record))
    apart = told.out.wanted != told.back.wanted and "only" in " ".join(task.words).lower()
    part = record["flight_type"] == "round_trip" and apart
    firsts = {each["first_name"] for each in record["passengers"]}
    named = {each.first for line in lines for each in people_in(line, talk)} & firsts
    fewer = len(record["passengers"]) > 1 and 0 < len(named) < len(record["passengers"])
    if not part and not fewer:
        return
    what = "a single passenger" if fewer else "a single flight"
    ask(task, "whole", say("cabin of all", what=what), record)


def _same_trip(task: Task, talk: Talk, record: Json) -> Json:
    """The reservation, with another airport of the same city where one is wanted and learned of.

    Settled with a refusal where another origin, destination or type of trip is wanted.
    """
    ends = {code for each in record["flights"] for code in (each["origin"], each["destination"])}
    places = [each for line in talk.lines(task) for each in line.places if each.role != NOT]
    other = [each for each in places if each.role in {TO, FROM} and not set(each.value) & ends]
    codes = [code for each in other for code in each.value]
    known = _move_to_same_city(record, codes, talk) if SAME in task.relaxed else None
    if other and known is None:
        there = f" to {join_parts(map(city, other[0].value), 'or')}" if other[0].role == TO else ""
        there = there if other[0].value else ""
        refuse(say("same ends", id=record["reservation_id"], there=there), record, rule=SAME)
    return known or record


def _move_to_same_city(record: Json, wanted: Sequence[str], talk: Talk) -> Json | None:
    """A reservation as if it were booked from or to another airport of the same city.

    The records do not say which airports are of one city, and neither does the policy: an entry of
    the memory may, *Kennedy counts as LaGuardia*. None where no such entry that was read names the
    airport together with one of the reservation's own.
    """
    ends = {code for each in record["flights"] for code in (each["origin"], each["destination"])}
    for lesson in talk.memory.learned.lessons(SAME.tool, "relaxes"):
        if not lesson.is_of(SAME):
            continue
        named = {code for each in talk.line(lesson.condition).places for code in each.value}
        new = next((each for each in wanted if each in named), None)
        if new is not None and ends & named:
            return _with_airport(record, min(ends & named), new)
    return None


def _with_airport(record: Json, booked: str, new: str) -> Json:
    def put(each: Json) -> Json:
        ends = {key: each[key] for key in ("origin", "destination") if key in each}
        return {**each, **{key: new if code == booked else code for key, code in ends.items()}}

    return {**put(record), "flights": [put(each) for each in record["flights"]]}


def _call(task: Task, talk: Talk, record: Json, name: str, new: list[Json]) -> Call:
    """The change, once it is known what it costs and who pays."""
    due = difference(record, new)
    people = len(record["passengers"])
    within(task, due, people, "The change would cost")
    if name == record["cabin"] and flight_keys(new) == flight_keys(record["flights"]):
        refuse(f"Reservation {trip(record)} is like that already.", record)
    try:
        method_id = paying.one_method(task, talk, record, due)
    except Settled as settled:
        raise Settled(with_news(settled.step, talk, _news(talk, record, new))) from None
    arguments = {
        "reservation_id": record["reservation_id"],
        "cabin": name,
        "flights": as_argument(new),
        "payment_id": method_id,
    }
    return Call(TOOL, arguments, task)


def _news(talk: Talk, record: Json, new: list[Json]) -> str:
    """The flights that are new in a reservation, with their times."""
    listed, times = flight_keys(record["flights"]), talk.memory.times
    words = [
        f"{booked_flight(each)}" + (f", {clock(when[0])}–{clock(when[1])}" if when else "")
        for each in new
        if (each["flight_number"], each["date"]) not in listed
        for when in [times.get(each["flight_number"])]
    ]
    return f"That would be {join_parts(words)}." if words else ""


def _changeable(task: Task, record: Json, talk: Talk, name: str) -> None:
    """Settled with a refusal where the flights, or the cabin, have to stay."""
    if record["cabin"] == "basic_economy" and KEEPS not in task.relaxed:
        text = say("basic economy", trip=trip(record))
        refuse(text, record, _find_forbidden(task, record, talk), KEEPS)
    if name != record["cabin"]:
        unflown(record, talk)


def _find_forbidden(task: Task, record: Json, talk: Talk) -> Call | None:
    """The change that the tools would make all the same, or the look-up that it needs."""
    payment = paying.any_method(talk)
    allowed = replace(task, relaxed=task.relaxed | {KEEPS}, notes=[*task.notes, payment])
    try:
        step = flights(allowed, talk, record)
    except Settled as settled:
        step = settled.step
    return replace(step, request=step.request and task) if isinstance(step, Call) else None


def within(task: Task, due: float, people: int, lead: str) -> None:
    """Settled with a refusal where a change of ``due`` dollars costs more than was allowed."""
    each = "each" in task.all_words.lower().split() or "per person" in task.all_words.lower()
    cost = due / max(people, 1) if each else due
    if task.limit is not None and cost > task.limit + 0.005:
        refuse(f"{lead} {money(cost)}, more than the {money(task.limit)} you named.")
