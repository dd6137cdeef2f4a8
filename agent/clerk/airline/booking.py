"""Booking: fill the slots of a trip, one question at a time, and build the call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.clerk.airline import payment_slots
from agent.clerk.airline.ask_or_refuse import ask, refuse
from agent.clerk.airline.bags import bags_in_all, wants_insurance
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_query import FlightQuery, as_argument, cities_of
from agent.clerk.airline.flight_search import arrival_of, choose_journey, find_offers
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import CABINS, Journey
from agent.clerk.airline.passengers import MOST, party, travellers
from agent.clerk.airline.per_reservation import Step, tell_done, with_news
from agent.clerk.airline.reservation_changes import refuse_over_limit
from agent.clerk.airline.trip_slots import TripSlots, trip_of
from agent.clerk.airline.wording import cabin, count, fare, journey, money, say, weekday
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags

_CABIN = "Which cabin would you like: **basic economy**, **economy** or **business**?"


def book(task: Task, dialogue: AirlineState, policy: str = "") -> Step:
    """The booking call, or the next question while a slot is empty."""
    if task.written:
        return tell_done(task, dialogue)
    wanted = trip_of(task, dialogue)
    _settle_route(wanted, task)
    _ask_if_none_flies(wanted, task, dialogue)
    legs = _legs(wanted, task)
    if not wanted.cabin:
        choices = [Choice(each, cabin(each)) for each in CABINS]
        days = " and back on ".join(weekday(each.date) for each in legs if each.date)
        lead = f"{cities_of(wanted.origin)} to {cities_of(wanted.destination)} on {days}."
        lead = "" if dialogue.has_told(lead) else lead
        ask(task, "cabin", _CABIN, lead=lead, choices=choices)
    found = party(task, dialogue, wanted.copied_from)
    chosen: list[Journey] = []
    try:
        for leg in legs:
            chosen.append(_choose_flights(wanted, task, dialogue, leg, found.size, chosen))
        people = travellers(task, dialogue, found)
        bags, insured = _extras(wanted, task, dialogue, len(people))
    except Settled as settled:
        news = _news(dialogue, chosen, wanted.cabin, found.size)
        raise Settled(with_news(settled.step, dialogue, news)) from None
    return _call(wanted, task, dialogue, chosen, people, bags, insured)


def refuse_unknown(wanted: TripSlots) -> None:
    """Raise Settled with a refusal if the customer names a city without flights."""
    if wanted.unknown and not (wanted.origin and wanted.destination):
        refuse(f"I'm sorry, we don't fly to {wanted.unknown.title()}.")


def _settle_route(wanted: TripSlots, task: Task) -> None:
    """Raise Settled with a question unless origin and destination are known."""
    refuse_unknown(wanted)
    if not wanted.origin and not wanted.destination:
        ask(task, "route", "Where would you like to fly from, and where to?")
    if not wanted.origin:
        ask(task, "origin", say("from where to?", there=cities_of(wanted.destination)))
    if not wanted.destination:
        ask(task, "destination", say("where from?", here=cities_of(wanted.origin)))


def _ask_if_none_flies(wanted: TripSlots, task: Task, dialogue: AirlineState) -> None:
    """Raise Settled with a question if nothing flies on the day, before anything else is asked."""
    out = wanted.out
    if out.date and not (wanted.kind and wanted.cabin):
        way = replace(query_for(wanted, out, 1), cabin=wanted.cabin or "economy")
        found = find_offers(dialogue.records, way, out)
        if not (found.fitting or found.near or found.full):
            choose_journey(task, dialogue, way, out, "out")


def _legs(wanted: TripSlots, task: Task) -> list[Leg]:
    """The slots of each way; raises Settled with a question for the type of trip or a day."""
    if not wanted.kind and wanted.back.is_empty:
        kinds = [Choice("one way", "one-way trip"), Choice("round trip", "round trip")]
        ask(task, "type", "Should it be a one-way trip or a round trip?", choices=kinds)
    if not wanted.out.date:
        ask(task, "out_date", "On which day would you like to fly?")
    if wanted.kind == "one_way":
        return [wanted.out]
    if not wanted.back.date:
        ask(task, "back_date", "On which day would you like to fly back?")
    return [wanted.out, wanted.back]


def query_for(wanted: TripSlots, leg: Leg, size: int) -> FlightQuery:
    """One way of the trip, as it is searched for."""
    return FlightQuery(wanted.origin, wanted.destination, leg.days, wanted.cabin, min(size, MOST))


def _choose_flights(
    wanted: TripSlots,
    task: Task,
    dialogue: AirlineState,
    leg: Leg,
    size: int,
    before: Sequence[Journey],
) -> Journey:
    """The flights of one way; the way back starts where and after the way out ends."""
    way = query_for(wanted, leg, size)
    if not before:
        return choose_journey(task, dialogue, way, leg, "out")
    there, here = before[-1][-1]["destination"], before[0][0]["origin"]
    back = replace(way, origins=(there,), destinations=(here,), earliest=arrival_of(before[-1]))
    return choose_journey(task, dialogue, back, leg, "back")


def _news(dialogue: AirlineState, chosen: list[Journey], cabin_: str, size: int) -> str:
    """The flights that were found and not yet reported."""
    new = [each for each in chosen if not all(dialogue.has_told(f["flight_number"]) for f in each)]
    lines = [
        f"{weekday(each[0]['date'])} there is {journey(each)}, "
        f"for {money(fare(each, cabin_))}{' each' if size > 1 else ''}"
        for each in new
    ]
    none = "" if all(len(e) == 1 for e in new) else "There is no direct flight that fits. "
    return f"{none}On {'; back on '.join(lines)}." if new else ""


def _extras(wanted: TripSlots, task: Task, dialogue: AirlineState, people: int) -> tuple[int, bool]:
    """The number of checked bags and whether to insure; raises Settled with a question."""
    lines = dialogue.sentences_of(task)
    bags, insured = bags_in_all(lines, 0, people), wants_insurance(lines)
    if bags is None:
        free = free_bags(dialogue.records.membership, wanted.cabin, people)
        each = f"{count(free, 'bag')} would be free" if free else "none is free"
        further = "extra one" if free else "one"
        ask(task, "bags", say("bags?", each=each, further=further, price=money(EXTRA_BAG)))
    if insured is None:
        each = " for each passenger" if people > 1 else ""
        ask(task, "insurance", say("insurance?", price=f"{money(INSURANCE)}{each}"))
    return max(0, bags), insured


def _call(
    wanted: TripSlots,
    task: Task,
    dialogue: AirlineState,
    chosen: list[Journey],
    people: list[Json],
    bags: int,
    insured: bool,
) -> Call:
    """The call; raises Settled with a question for the payment, after the bill in words."""
    size = len(people)
    paid_bags = max(0, bags - free_bags(dialogue.records.membership, wanted.cabin, size))
    seat = sum(fare(each, wanted.cabin) for each in chosen)
    extras = {
        "insurance": INSURANCE * size * insured,
        count(paid_bags, "bag"): EXTRA_BAG * paid_bags,
    }
    total = seat * size + sum(extras.values())
    refuse_over_limit(task, total, size, "The booking would cost")
    times = "; back on ".join(f"{weekday(each[0]['date'])}: {journey(each)}" for each in chosen)
    parts = [money(seat) if size == 1 else f"{size} × {money(seat)}"]
    parts += [f"{money(amount)} for {what}" for what, amount in extras.items() if amount]
    sums = f" ({' + '.join(parts)})" if len(parts) > 1 or size > 1 else ""
    kind = ", one way" if wanted.kind == "one_way" else ""
    bill = f"{times}, in {cabin(wanted.cabin)}{kind}. That comes to {money(total)}{sums}."
    return Call(
        "book_reservation",
        {
            "user_id": dialogue.records.user_id,
            "origin": chosen[0][0]["origin"],
            "destination": chosen[0][-1]["destination"],
            "flight_type": wanted.kind or "round_trip",
            "cabin": wanted.cabin,
            "flights": as_argument([flight for each in chosen for flight in each]),
            "passengers": people,
            "payment_methods": payment_slots.split(task, dialogue, total, bill),
            "total_baggages": bags,
            "nonfree_baggages": paid_bags,
            "insurance": "yes" if insured else "no",
        },
        task,
    )
