"""What is under discussion about a booked trip: its change, the way and the day that it is about.

Questions about the change are answered from the flights that are proposed, and a search without a
route of its own is about the way and the day that were spoken of last.
"""

from __future__ import annotations

from agent.clerk.airline import payment_slots
from agent.clerk.airline.ask_or_refuse import answer
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_query import FlightQuery, as_argument
from agent.clerk.airline.flight_search import find_near_days, find_offers
from agent.clerk.airline.known_records import Journey, ways
from agent.clerk.airline.new_flights import cabin_told, difference, look_up_times
from agent.clerk.airline.reservation_changes import describe_change, reroute
from agent.clerk.airline.reservation_slots import find_candidates
from agent.clerk.airline.wanted_legs import WantedLegs, lines_about, read_wanted
from agent.clerk.airline.wording import method_bare, shift_day
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import list_lines


def change_at_hand(dialogue: AirlineState) -> Task | None:
    """The open change of flights that was spoken of last; None if there is none."""
    tasks = [*dialogue.open_tasks, dialogue.current_task]
    own = [e for e in tasks if e and not e.closed and e.intent == "change_flights"]
    return own[-1] if own else None


def tell_change(task: Task, dialogue: AirlineState) -> str:
    """What a change would be: reservation, flights, times, cost, and payment if it is known.

    Empty if it is not clear yet; raises Settled with a look-up.
    """
    found = _proposed(task, dialogue)
    if found is None:
        return ""
    record, name, new = found
    due = difference(record, new)
    told = describe_change(dialogue, record, name, new)
    try:
        paid = payment_slots.one_method(task, dialogue, record, due) if due else ""
    except Settled:
        return told
    way = "charged to" if due > 0 else "refunded to"
    whose = method_bare(dialogue.records.methods.get(paid), paid)
    return f"{told} It would be {way} your {whose}." if paid else told


def tell_declined_change(call: Call, dialogue: AirlineState) -> str:
    """What a change of flights that was declined would be; empty for other changes."""
    if call.task is None or call.task.intent != "change_flights":
        return ""
    try:
        return tell_change(call.task, dialogue)
    except Settled:
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


def search_for(task: Task, dialogue: AirlineState, record: Json) -> Statement:
    """The flights that a reservation could be changed to, for a question about them."""
    wanted = read_wanted(lines_about(record, task, dialogue), record)
    told = [
        _tell_flights(task, dialogue, record, side, wanted)
        for side, flights in zip(("out", "back"), ways(record), strict=True)
        if flights and side in {wanted.side or side}
    ]
    return answer("\n\n".join(told), record)


def _tell_flights(
    task: Task, dialogue: AirlineState, record: Json, side: str, wanted: WantedLegs
) -> str:
    """The flights of one way that fit a question, with what it would cost to change to each."""
    booked = ways(record)[side == "back"]
    leg = wanted.either.updated_by(wanted.of(side))
    dates = leg.days or (shift_day(booked[0]["date"], leg.shift or 0),)
    ends = (booked[0]["origin"],), (booked[-1]["destination"],)
    now = _now(task, dialogue, record, side, dates)
    look_up_times(dialogue.records, now[0])
    name = cabin_told(task, dialogue, record) or record["cabin"]
    way = FlightQuery(*ends, dates, name, len(record["passengers"]), now, record, may_stay=True)
    found = find_offers(dialogue.records, way, leg)
    listed, lead = found.fitting, f"From {way}"[5:]
    if not listed:
        like = f"{leg.relative} " if leg.relative else ""
        near = [e for e in found.near if not (leg.relative and as_argument(e) == as_argument(now))]
        none = f"There is no {like}flight {way} that {'fits' if near else 'can be booked'}"
        none = (
            f"No flight {way} has {way.room} any more"
            if found.full and not (near or like)
            else none
        )
        listed = tuple(near) or find_near_days(dialogue, way, leg)
        lead = f"{none}{'; there is' if near else '. The nearest days with a flight are'}"
    if not listed:
        return f"{lead.partition('.')[0]}, nor on the days around it."
    lines = list_lines(way.describe(each) for each in listed)
    return f"{lead[:1].upper()}{lead[1:]}:\n\n{lines}"


def _now(
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
