"""Changes of a reservation's flights or cabin: its new contents and their cost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NoReturn

from agent.clerk.airline import payment_slots
from agent.clerk.airline.cancellation import CANCEL, has_ground
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import (
    FlightQuery,
    as_argument,
    cities_of,
    find_offers,
    flight_keys,
)
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import Journey, ways
from agent.clerk.airline.new_flights import (
    ask_if_out_of_order,
    cabin_told,
    difference,
    find_cabin,
    legs_of,
    new_way,
    refuse_if_flown,
    reprice,
)
from agent.clerk.airline.part_meant import leaves_out_some, means_some, part_meant
from agent.clerk.airline.replies import Step, ask, refuse, with_news
from agent.clerk.airline.reservation_slots import find_candidates, upcoming
from agent.clerk.airline.vocabulary import FROM, TO, Mention
from agent.clerk.airline.wanted_legs import lines_about, read_wanted
from agent.clerk.airline.wording import (
    cabin,
    clock,
    cost_of,
    count,
    fare,
    method_bare,
    money,
    say,
    trip,
    weekday,
)
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Question, Settled
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts
from agent.comparison.sentences import sentences

TOOL = "update_reservation_flights"
SAME = Rule(TOOL, "The trip stays the same: origin, destination and type")
KEEPS = Rule(TOOL, "A basic economy reservation keeps its flights")


def flights(task: Task, dialogue: AirlineState, record: Json) -> Step:
    """The call for other flights, and for another cabin if one was requested."""
    return _call(task, dialogue, record, *reroute(task, dialogue, record))


def reroute(task: Task, dialogue: AirlineState, record: Json) -> tuple[str, list[Json]]:
    """The cabin and the flights that the reservation would have."""
    there = _same_trip(task, dialogue, record)
    lines = dialogue.sentences_of(task)
    some = leaves_out_some(task, dialogue, record) or means_some(lines, dialogue, record)
    if some and not task.chosen.get("whole"):
        people = count(len(record["passengers"]), "passenger")
        ask(task, "whole", say("flights of all", trip=trip(record), people=people), record)
    name = cabin_told(task, dialogue, record) or str(record["cabin"])
    if record["cabin"] == "basic_economy" and KEEPS not in task.relaxed:
        forbidden = _find_forbidden(task, record, dialogue)
        refuse(say("basic economy", trip=trip(record)), record, forbidden, KEEPS)
    if name != record["cabin"]:
        refuse_if_flown(record, dialogue)
    told = read_wanted(lines_about(record, task, dialogue), record)
    if told.is_empty:
        told = read_wanted([*dialogue.parse_all(task.context), *lines], record)
    legs = legs_of(task, there, told, dialogue)
    if there is not record:  # on the booked day, unless the customer named another
        booked = told.booked()
        for place, (leg, way) in enumerate(zip(legs, ways(there), strict=False)):
            if not leg.numbers and leg.date in {"", *booked}:
                legs[place] = replace(leg, days=(way[0]["date"],), mentioned=True)
    if name == record["cabin"] and not any(not each.is_empty or each.mentioned for each in legs):
        ask(task, "legs", say("change to when?", trip=trip(record)), record)
    new = [new_way(task, there, dialogue, leg, name, number) for number, leg in enumerate(legs)]
    ask_if_out_of_order(task, there, dialogue, new)
    return name, [flight for each in new for flight in each]


def quote(task: Task, dialogue: AirlineState, record: Json) -> Question:
    """The cost of other flights, with the question whether to take them."""
    text = describe_change(dialogue, record, *reroute(task, dialogue, record))
    return Question("Shall I change it?", "go", task, focus=record["reservation_id"], lead=text)


def describe_change(dialogue: AirlineState, record: Json, name: str, new: list[Json]) -> str:
    """The new flights of a reservation with their times, and what they cost."""
    listed, times = flight_keys(record["flights"]), dialogue.records.times
    words: list[str] = []
    for number, day in flight_keys(new):
        when = times.get(number)
        at = f", {clock(when[0])}–{clock(when[1])}" if when else ""
        words += [] if (number, day) in listed else [f"{number} on {weekday(day)}{at}"]
    seat = f" in {cabin(name)}" if name != record["cabin"] else ""
    due, people = difference(record, new), len(record["passengers"])
    cost = f"{cost_of(due)}{' more' * (due > 0)}" if due else "cost nothing more"
    split = f" ({money(abs(due) / people)} each)" if due and people > 1 else ""
    each = f", for {count(people, 'passenger')}{split}"
    stops = " with a change of planes" if len(new) > len(record["flights"]) else ""
    what = f"{join_parts(words) or 'the same flights'}{stops}"
    return say("change", trip=trip(record), what=f"{what}{seat}", cost=cost, each=each)


def cabins(task: Task, dialogue: AirlineState, record: Json) -> Step:
    """The call for another cabin on the same flights."""
    name = find_cabin(task, dialogue, record)
    other = _other_meant(task, dialogue, name) if name == record["cabin"] else None
    if other is not None:
        return cabins(task, dialogue, other)
    if name == record["cabin"]:
        refuse(f"Reservation {trip(record)} is already in {cabin(name)}.", record)
    part = part_meant(task, dialogue, record)
    if part and not task.chosen.get("whole"):
        cost = f" That would {cost_of(difference(record, reprice(record, dialogue, name)))}."
        text = say("cabin of all", what=part, cost=cost)
        ask(task, "whole", f"{text} Shall I change it for the whole reservation?", record)
    refuse_if_flown(record, dialogue)
    return _call(task, dialogue, record, name, reprice(record, dialogue, name))


def _other_meant(task: Task, dialogue: AirlineState, name: str) -> Json | None:
    """The one trip ahead that is not in a cabin yet, if the customer names no trip."""
    if any(line.names_trip for line in dialogue.sentences_of(task)):
        return None
    ahead = upcoming([*dialogue.records.reservations.values()], dialogue)
    found = [each for each in ahead if each["cabin"] != name]
    return found[0] if len(found) == 1 else None


def _same_trip(task: Task, dialogue: AirlineState, record: Json) -> Json:
    """The reservation, maybe with another airport that a memory entry allows; or a refusal."""
    ends = {code for each in record["flights"] for code in (each["origin"], each["destination"])}
    places = [each for line in dialogue.sentences_of(task) for each in line.places]
    other = [each for each in places if each.role in {TO, FROM} and not {*each.value} & ends]
    if not other:
        return record
    entries = dialogue.records.learned.lessons(SAME.tool, "relaxes") if SAME in task.relaxed else ()
    for condition in (each.condition for each in entries if each.is_of(SAME)):
        # an entry says which airports are of one city: "Kennedy counts as LaGuardia"
        named = {code for each in dialogue.parse(condition).places for code in each.value}
        new = next((code for each in other for code in each.value if code in named), None)
        if new is not None and ends & named:
            booked = min(ends & named)
            moved = [_moved(each, booked, new) for each in record["flights"]]
            return {**_moved(record, booked, new), "flights": moved}
    _refuse_other_trip(task, dialogue, record, other[-1])


def _refuse_other_trip(
    task: Task, dialogue: AirlineState, record: Json, place: Mention
) -> NoReturn:
    """Raise Settled with a refusal, or with the offer to cancel the trip and book the other one."""
    key, to, days = record["reservation_id"], place.role != FROM, [record["flights"][0]["date"]]
    ends = [(record["origin"],), (record["destination"],)]
    ends[to] = place.value
    told = read_wanted(dialogue.sentences_of(task), record)
    day = (*told.either.days, *told.out.days, *days)[:1]
    new = FlightQuery(ends[0], ends[1], day, record["cabin"], len(record["passengers"]))
    text = say("same ends", id=key, there=f" to {cities_of(place.value)}" if to else "")
    found = find_offers(dialogue.records, new, Leg()).fitting
    if not has_ground("", dialogue, record) or task.give_up or not found:
        refuse(text, record, rule=SAME)
    cancels = [e for e in task.fallback_tasks if e.intent == CANCEL and not e.items]
    if task.chosen.get("rebook") or any(dialogue.parse(e.text).places for e in cancels):
        said = [dialogue.parse(e.text) for text in task.words[1:] for e in sentences(text)]
        own = {*ends[0], *ends[1]}
        details = [e.text for e in said if all(own.issuperset(at.value) for at in e.places)]
        book = Task("book_flight", f"book {new} instead", notes=details, context=task.words)
        task.fallback_tasks = [Task(CANCEL, f"cancel {key}, change of plans"), book]
    if task.fallback_tasks:
        refuse(text, record, rule=SAME)
    cost = f"{money(min(fare(e, new.cabin) for e in found))}{' each' * (new.seats > 1)}"
    offer = say("cancel and book?", refused=text, new=str(new).removeprefix("from "), cost=cost)
    ask(task, "rebook", offer, record)


def _moved(flight: Json, booked: str, new: str) -> Json:
    """A flight, or a whole trip, from or to a new airport instead of the booked one."""
    ends = [end for end in ("origin", "destination") if flight[end] == booked]
    return {**flight, **dict.fromkeys(ends, new)}


def _call(task: Task, dialogue: AirlineState, record: Json, name: str, new: list[Json]) -> Call:
    """The call for the change; raises Settled unless its cost and its payment are clear."""
    due = difference(record, new)
    people = len(record["passengers"])
    refuse_over_limit(task, due, people, "The change would cost")
    if name == record["cabin"] and flight_keys(new) == flight_keys(record["flights"]):
        refuse(f"Reservation {trip(record)} is already like that.", record)
    key = record["reservation_id"]
    arguments = {"reservation_id": key, "cabin": name, "flights": as_argument(new)}
    try:
        arguments["payment_id"] = payment_slots.one_method(task, dialogue, record, due)
    except Settled as settled:
        news = describe_change(dialogue, record, name, new)
        raise Settled(with_news(settled.step, dialogue, news)) from None
    return Call(TOOL, arguments, task)


def _find_forbidden(task: Task, record: Json, dialogue: AirlineState) -> Call | None:
    """The call that the tools would carry out against the policy, or a look-up for it."""
    methods = dialogue.records.methods
    cards = [key for key, each in methods.items() if each["source"] == "credit_card"]
    payment = next(iter([*cards, *methods]), "")
    allowed = replace(task, relaxed=task.relaxed | {KEEPS}, notes=[*task.notes, payment])
    try:
        step = flights(allowed, dialogue, record)
    except Settled as settled:
        step = settled.step
    return replace(step, task=step.task and task) if isinstance(step, Call) else None


def refuse_over_limit(task: Task, due: float, people: int, lead: str) -> None:
    """Raise Settled with a refusal if ``due`` dollars exceed the limit, in all or for each."""
    words = task.all_words.lower()
    cost = due / max(people, 1) if "each" in words.split() or "per person" in words else due
    if task.limit is not None and cost > task.limit + 0.005:
        most = f"the {money(task.limit)} you named" if task.limit > 0 else "you want to pay"
        refuse(f"{lead} {money(cost)}, more than {most}.")


def change_at_hand(dialogue: AirlineState) -> Task | None:
    """The open change of flights that was spoken of last; None if there is none."""
    tasks = [*dialogue.open_tasks, dialogue.current_task]
    own = [e for e in tasks if e and not e.closed and e.intent == "change_flights"]
    return own[-1] if own else None


def tell_change(task: Task, dialogue: AirlineState) -> str:
    """What a change would be: flights, times, cost and payment; empty if it is not clear yet."""
    found = _proposed(task, dialogue)
    if found is None:
        return ""
    record, due, paid = found[0], difference(found[0], found[2]), ""
    with suppress(Settled):
        paid = payment_slots.one_method(task, dialogue, record, due) if due else ""
    way = "charged to" if due > 0 else "refunded to"
    whose = method_bare(dialogue.records.methods.get(paid), paid)
    end = f" It would be {way} your {whose}." if paid else ""
    return f"{describe_change(dialogue, *found)}{end}"


def tell_declined_change(call: Call, dialogue: AirlineState) -> str:
    """What a change of flights that was declined would be; empty for other changes."""
    with suppress(Settled):
        if call.task is not None and call.task.intent == "change_flights":
            return tell_change(call.task, dialogue)
    return ""


def _proposed(task: Task, dialogue: AirlineState) -> tuple[Json, str, list[Json]] | None:
    """The reservation, and the cabin and the flights that it would have, if that is clear."""
    found = find_candidates(task, dialogue)
    try:
        return (found[0], *reroute(task, dialogue, found[0])) if len(found) == 1 else None
    except Settled as settled:
        if isinstance(settled.step, Call):
            raise
        return None


def flights_now(
    task: Task, dialogue: AirlineState, record: Json, side: str, dates: tuple[str, ...]
) -> Journey:
    """The flights of a way that others are compared with: those proposed on that day, or booked."""
    change = change_at_hand(dialogue)
    found = _proposed(change, dialogue) if change is not None and change is not task else None
    if found is not None and found[0] is record:
        new = ways({**record, "flights": found[2]})[side == "back"]
        if new and new[0]["date"] in dates:
            return new
    return ways(record)[side == "back"]
