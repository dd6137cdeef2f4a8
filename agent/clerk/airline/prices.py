"""Skills for current prices, flight searches, hypothetical changes and the sum of all changes."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.answers import asked_flights, policy_question
from agent.clerk.airline.ask_or_refuse import answer, ask
from agent.clerk.airline.booking import query_for, refuse_unknown
from agent.clerk.airline.cancellation import after_upgrade, answer_cancellable
from agent.clerk.airline.change_at_hand import search_for
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_query import FlightQuery
from agent.clerk.airline.flight_search import (
    arrival_of,
    departure_of,
    duration,
    find_near_days,
    find_offers,
)
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import CABINS, Journey
from agent.clerk.airline.new_flights import cabin_told, difference, price_now
from agent.clerk.airline.passengers import party
from agent.clerk.airline.per_reservation import Step
from agent.clerk.airline.reservation_changes import part_meant, quote
from agent.clerk.airline.reservation_slots import (
    find_candidates,
    find_reservation,
    is_active,
    is_on_route,
    upcoming,
)
from agent.clerk.airline.trip_slots import TripSlots, trip_of
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    cost_of,
    count,
    fare,
    journey,
    money,
    offer,
    say,
    way,
    weekday,
)  # fmt: skip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG


def what_if(task: Task, dialogue: AirlineState, policy: str) -> Step:
    """The effect of a hypothetical change."""
    if task.intent == "cancel_reservation":
        record = find_reservation(task, dialogue)
        upgraded = any(
            c.value == "business" for line in dialogue.sentences_of(task) for c in line.cabins
        )
        upgraded = upgraded or any(
            line.has_phrase("upgrade", "upgraded") for line in dialogue.sentences_of(task)
        )
        return (
            after_upgrade(dialogue, record, "business")
            if upgraded
            else answer_cancellable(dialogue, record)
        )
    if task.intent == "change_cabin":
        return cabin_price(task, dialogue)
    if task.intent == "change_flights":
        return quote(task, dialogue, find_reservation(task, dialogue))
    if task.intent == "book_flight":
        return search(task, dialogue)
    if task.intent == "add_bags":
        return answer(f"Each checked bag beyond the free ones costs {money(EXTRA_BAG)}.")
    return policy_question(task, dialogue, policy)


def cabin_price(task: Task, dialogue: AirlineState) -> Statement:
    """The current price of a seat in the cabin asked about, or in all, and of the change."""
    record = find_reservation(task, dialogue)
    told = cabin_told(task, dialogue, record)
    names = [told] if told else list(CABINS)
    offered = [
        (each, price_now(dialogue.records, each)) for each in asked_flights(task, dialogue, record)
    ]
    gone = [booked_flight(each) for each, found in offered if found is None]
    if gone:
        text = f"There is no price for {join_parts(gone)}: it can no longer be booked."
        return answer(text, record)
    known = [(each, found) for each, found in offered if found is not None]
    people = len(record["passengers"])
    part = part_meant(task, dialogue, record)
    if part:
        whole = [price_now(dialogue.records, each) for each in record["flights"]]
        cost = _move(record, told, [each for each in whole if each])
        return answer(say("cabin of all", what=part, cost=f" {cost}".rstrip()), record)
    full = [booked_flight(e) for e, found in known if found["available_seats"][names[0]] < people]
    if told and told != record["cabin"] and full:
        text = f"There are too few seats left in {cabin(told)} on {join_parts(full)}."
        return answer(text, record)
    lines = [
        f"{booked_flight(each)}, {way([each])}: "
        + join_parts(f"{money(found['prices'][n])} in {cabin(n)}" for n in names)
        for each, found in known
    ]
    moved = _move(record, told, [found for _, found in known])
    if len(lines) == 1:
        return answer(f"The current price of a seat on {lines[0]}. {moved}".strip(), record)
    return answer(f"The current price of a seat:\n\n{list_lines(lines)}\n\n{moved}".strip(), record)


def _move(record: Json, name: str, offered: list[Json]) -> str:
    """The cost of changing the whole trip to another cabin; empty if only part was asked about."""
    if not name or name == record["cabin"] or len(offered) != len(record["flights"]):
        return ""
    due = difference(record, [{"price": each["prices"][name]} for each in offered])
    people = count(len(record["passengers"]), "passenger")
    both = ", both ways together" if record["flight_type"] == "round_trip" else ""
    return (
        f"Changing reservation {record['reservation_id']} would {cost_of(due)} for {people}{both}."
    )


def _reservation_meant(task: Task, dialogue: AirlineState, wanted: TripSlots) -> Json | None:
    """The reservation that a search is about: one named beside it or spoken of; else None.

    A search with a route that is not the reservation's is about a new trip.
    """
    said = dialogue.parse(task.message)
    own = [each for each in said.ids if each in dialogue.records.reservation_ids]
    key = own[0] if own else task.chosen.get("focus", "")
    if not key and said.days and not (wanted.origin or wanted.destination or wanted.unknown):
        found = find_candidates(Task(None, task.message), dialogue)
        return found[0] if len(found) == 1 else None
    record = dialogue.records.reservations.get(key)
    lines = [*dialogue.parse_all(task.context), *dialogue.sentences_of(task)]
    if record is None and not (wanted.origin and wanted.destination):
        ahead = upcoming(dialogue.records.read_reservations(), dialogue)
        own_ = [e for e in ahead if all(is_on_route(each, e) for each in lines)]
        return own_[0] if len(own_) == 1 else None
    fits = record and is_active(record) and all(is_on_route(each, record) for each in lines)
    return record if fits else None


def search(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The flights that match a search; raises Settled with a question or a look-up."""
    wanted = trip_of(task, dialogue)
    record = _reservation_meant(task, dialogue, wanted)
    if record is not None:
        return search_for(task, dialogue, record)
    refuse_unknown(wanted)
    if not wanted.origin or not wanted.destination:
        slot = "origin" if wanted.destination else "destination" if wanted.origin else "route"
        ask(task, slot, "Where should I look for flights from, and where to?")
    if not wanted.out.date:
        ask(task, "out_date", "For which day should I look for flights?")
    size = party(task, dialogue, None).size
    cabin_ = wanted.cabin
    wanted.cabin = cabin_ or "economy"
    asked = query_for(wanted, wanted.out, size)
    found = find_offers(dialogue.records, asked, wanted.out)
    line = dialogue.parse(task.text)
    extra = {
        "duration": line.has_phrase("how long"),
        "seats": line.has_phrase("how full", "seats", "how many"),
    }
    if found.near and not found.fitting:
        lines = [_line(cabin_, each, asked.seats, extra) for each in found.near]
        return answer(f"No flight {asked} is just like that, but there is:\n\n{list_lines(lines)}")
    if not found.fitting:
        return answer(_none_found(dialogue, asked, wanted.out, cabin_, full=found.full))
    many = len(asked.dates) > 1
    lines = [
        f"{weekday(each[0]['date'])}: " * many + _line(cabin_, each, asked.seats, extra)
        for each in found.fitting
    ]
    stops = "direct" if found.stops == 0 else "with one stop"
    return answer(f"I found these flights {asked}, {stops}:\n\n{list_lines(lines)}")


def _none_found(
    dialogue: AirlineState, asked: FlightQuery, leg: Leg, named: str, *, full: bool
) -> str:
    """The sentence that no flight has been found, and in which other cabin there is one."""
    if not full:
        none = f"I can't find a flight {asked} that can be booked"
        days = find_near_days(dialogue, asked, leg)
        prices = [f"{weekday(e[0]['date'])}: {_line(named, e, asked.seats, {})}" for e in days]
        return (
            f"{none}. The nearest days with one are:\n\n{list_lines(prices)}"
            if days
            else f"{none}."
        )
    others = [each for each in CABINS if each != asked.cabin]
    free = [
        (name, each)
        for name in others
        for each in find_offers(dialogue.records, replace(asked, cabin=name), leg).fitting
    ]
    lead = f"No flight {asked} has {asked.room} any more"
    if not free:
        return f"{lead}."
    lines = [f"{cabin(name)}: {offer(each, name, asked.seats)}" for name, each in free]
    return f"{lead}, but there is:\n\n{list_lines(lines)}"


def _line(named: str, each: Journey, seats: int, extra: dict[str, bool]) -> str:
    """A journey on one line, with its price in the named cabin or in all of them."""
    prices = ", ".join(f"{cabin(n)} {money(fare(each, n))}" for n in CABINS)
    line = offer(each, named, seats) if named else f"{journey(each)}: {prices}"
    line = (
        f"{line}; {duration(arrival_of(each) - departure_of(each))}"
        if extra.get("duration")
        else line
    )
    names = [named] if named else CABINS
    left = {n: min(flight["available_seats"][n] for flight in each) for n in names}
    free = join_parts(f"{count(number, 'seat')} left in {cabin(n)}" for n, number in left.items())
    return f"{line}; {free}" if extra.get("seats") else line
