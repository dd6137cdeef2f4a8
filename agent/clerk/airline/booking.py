"""Booking: from what a customer wants to the call, one question at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from agent.clerk.airline import paying
from agent.clerk.airline.acting import Step, tell_done, with_news
from agent.clerk.airline.asking import ask, refuse
from agent.clerk.airline.bags import bags_in_all, insurance_wish
from agent.clerk.airline.changing import within
from agent.clerk.airline.flight_wish import Leg
from agent.clerk.airline.journeys import Way, as_argument, choose, cities_of, lands
from agent.clerk.airline.memory import CABINS, Journey
from agent.clerk.airline.passengers import MOST, party, travellers
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wanted_trip import Trip, trip_of
from agent.clerk.airline.wording import cabin, count, fare, journey, money, say, weekday
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags


def book(task: Task, talk: Talk, policy: str = "") -> Step:
    """Book flights; the next question while something is missing."""
    if task.written:
        return tell_done(task, talk)
    wanted = trip_of(task, talk)
    _settle_route(wanted, task)
    legs = _legs(wanted, task)
    if not wanted.cabin:
        _ask_cabin(wanted, task, talk, legs)
    found = party(task, talk, wanted.like)
    chosen: list[Journey] = []
    try:
        for leg in legs:
            chosen.append(_choose(wanted, task, talk, leg, found.size, chosen))
        people = travellers(task, talk, found)
        bags = _bags(wanted, task, talk, len(people))
        safe = _wants_insurance(task, talk, len(people))
    except Settled as settled:
        news = _news(talk, chosen, wanted.cabin, found.size)
        raise Settled(with_news(settled.step, talk, news)) from None
    return _call(wanted, task, talk, chosen, people, bags, safe)


def refuse_unknown(wanted: Trip) -> None:
    """Settled with a refusal where the airline has no flights to a city that was named."""
    if wanted.unknown and not (wanted.origin and wanted.destination):
        refuse(f"I'm sorry, we don't fly to {wanted.unknown.title()}.")


def _settle_route(wanted: Trip, task: Task) -> None:
    """Settled while it is not known where from and where to."""
    refuse_unknown(wanted)
    if not wanted.origin and not wanted.destination:
        ask(task, "route", "Where would you like to fly from, and where to?")
    if not wanted.origin:
        ask(task, "origin", say("from where to?", there=cities_of(wanted.destination)))
    if not wanted.destination:
        ask(task, "destination", say("where from?", here=cities_of(wanted.origin)))


def _legs(wanted: Trip, task: Task) -> list[Leg]:
    """What is wanted of each way; Settled while the kind of trip or a day is missing."""
    if not wanted.kind and wanted.back.empty:
        kinds = [Choice("one way", "one-way trip"), Choice("round trip", "round trip")]
        ask(task, "type", "Should it be a one-way trip or a round trip?", choices=kinds)
    if not wanted.out.date:
        ask(task, "out_date", "On which day would you like to fly?")
    if wanted.kind == "one_way":
        return [wanted.out]
    if not wanted.back.date:
        ask(task, "back_date", "On which day would you like to fly back?")
    return [wanted.out, wanted.back]


def _ask_cabin(wanted: Trip, task: Task, talk: Talk, legs: list[Leg]) -> NoReturn:
    choices = [Choice(each, cabin(each)) for each in CABINS]
    text = "Which cabin would you like: **basic economy**, **economy** or **business**?"
    ways_ = f"{cities_of(wanted.origin)} to {cities_of(wanted.destination)}"
    days = " and back on ".join(weekday(each.date) for each in legs if each.date)
    lead = f"{ways_} on {days}."
    ask(task, "cabin", text, lead="" if talk.has_told(lead) else lead, choices=choices)


def way_of(wanted: Trip, leg: Leg, size: int) -> Way:
    """Where a way of the trip leads, and when."""
    return Way(wanted.origin, wanted.destination, leg.days, wanted.cabin, min(size, MOST))


def _choose(
    wanted: Trip, task: Task, talk: Talk, leg: Leg, size: int, before: Sequence[Journey]
) -> Journey:
    """The flights of one way, which on the way back begins where and when the other ends."""
    way = way_of(wanted, leg, size)
    if not before:
        return choose(task, talk, way, leg, "out")
    there, here = before[-1][-1]["destination"], before[0][0]["origin"]
    back = replace(way, origins=(there,), destinations=(here,), earliest=lands(before[-1]))
    return choose(task, talk, back, leg, "back")


def _news(talk: Talk, chosen: list[Journey], cabin_: str, size: int) -> str:
    """The flights that were found and that nobody has told of."""
    new = [each for each in chosen if not all(talk.has_told(f["flight_number"]) for f in each)]
    lines = [
        f"{weekday(each[0]['date'])} there is {journey(each)}, "
        f"for {money(fare(each, cabin_))}{' each' if size > 1 else ''}"
        for each in new
    ]
    none = "" if all(len(e) == 1 for e in new) else "I find no direct flight that would fit. "
    return f"{none}On {'; back on '.join(lines)}." if new else ""


def _bags(wanted: Trip, task: Task, talk: Talk, people: int) -> int:
    """How many checked bags in all; Settled with the question while nobody has said."""
    free = free_bags(talk.memory.membership, wanted.cabin, people)
    told = bags_in_all(talk.lines(task), 0, people, free)
    if told is not None:
        return max(0, told)
    each = f"{count(free, 'bag')} would be free" if free else "none is free"
    further = "further one" if free else "one"
    ask(task, "bags", say("bags?", each=each, further=further, price=money(EXTRA_BAG)))


def _wants_insurance(task: Task, talk: Talk, people: int) -> bool:
    told = insurance_wish(talk.lines(task))
    if told is not None:
        return told
    each = " for each passenger" if people > 1 else ""
    ask(task, "insurance", say("insurance?", price=f"{money(INSURANCE)}{each}"))


def _call(
    wanted: Trip,
    task: Task,
    talk: Talk,
    chosen: list[Journey],
    people: list[Json],
    bags: int,
    safe: bool,
) -> Call:
    paid_bags = max(0, bags - free_bags(talk.memory.membership, wanted.cabin, len(people)))
    seat = sum(fare(each, wanted.cabin) for each in chosen)
    extras = [(INSURANCE * len(people), "insurance")] if safe else []
    extras += [(EXTRA_BAG * paid_bags, count(paid_bags, "bag"))] if paid_bags else []
    total = seat * len(people) + sum(amount for amount, _ in extras)
    within(task, total, len(people), "The booking would cost")
    lead = _bill(wanted, chosen, len(people), seat, extras, total)
    flights = [flight for each in chosen for flight in each]
    return Call(
        "book_reservation",
        {
            "user_id": talk.memory.user_id,
            "origin": chosen[0][0]["origin"],
            "destination": chosen[0][-1]["destination"],
            "flight_type": wanted.kind or "round_trip",
            "cabin": wanted.cabin,
            "flights": as_argument(flights),
            "passengers": people,
            "payment_methods": paying.split(task, talk, total, lead),
            "total_baggages": bags,
            "nonfree_baggages": paid_bags,
            "insurance": "yes" if safe else "no",
        },
        task,
    )


def _bill(
    wanted: Trip,
    chosen: list[Journey],
    people: int,
    seat: int,
    extras: list[tuple[int, str]],
    total: int,
) -> str:
    """What a booking costs and for which flights, in words."""
    times = "; back on ".join(f"{weekday(each[0]['date'])}: {journey(each)}" for each in chosen)
    parts = [money(seat) if people == 1 else f"{people} × {money(seat)}"]
    parts += [f"{money(amount)} for {what}" for amount, what in extras]
    split = f" ({' + '.join(parts)})" if len(parts) > 1 or people > 1 else ""
    kind = ", one way" if wanted.kind == "one_way" else ""
    return f"{times}, in {cabin(wanted.cabin)}{kind}. That comes to {money(total)}{split}."
