"""Cancelling a reservation: what entitles to it, what forbids it, and why."""

from __future__ import annotations

from datetime import datetime, timedelta

from agent.clerk.airline import looking_up
from agent.clerk.airline.acting import Step
from agent.clerk.airline.asking import refuse
from agent.clerk.airline.flight_wish import read_wanted
from agent.clerk.airline.memory import amount_paid
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.rerouting import difference, reprice
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import stands
from agent.clerk.airline.wording import REFUND_TIME, booked_flight, cabin, money, trip
from agent.clerk.learned import Rule
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Choice, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts

TOOL = "cancel_reservation"
GROUND = Rule(TOOL, "There is a ground to cancel it")
CHANGE_OF_MIND = timedelta(hours=24)
"""How long after booking any reservation can be cancelled."""

_COVERED = frozenset({"health", "weather"})


def cancel(task: Task, talk: Talk, record: Json) -> Step:
    """Cancel a reservation as a whole, where the policy lets it be."""
    key = record["reservation_id"]
    if not stands(record):
        refuse(f"Reservation {trip(record)} is cancelled already.", record)
    gone = looking_up.flown_flights(talk.memory, record, talk.today)
    if gone:
        return _hand_over_begun(task, talk, record, gone)
    _whole_only(task, talk, record)
    why = reason(talk.lines(task)) or task.chosen.get("reason", "")
    why = why or reason(talk.lines_of(task.context))
    if not why and not looking_up.is_called_off(talk.memory, record):
        return _ask_reason(task, record)
    call = Call(TOOL, {"reservation_id": key}, task)
    if _ground(why, talk, record) or GROUND in task.relaxed:
        return call
    if record["insurance"] == "yes" and why == "other":
        text = (
            f"Reservation {trip(record)} can only be cancelled under its insurance, which covers "
            "reasons of health and of weather. Is it one of these?"
        )
        return Ask(text, "covered", task, forbidden=call, focus=key, rule=GROUND)
    refuse(_why_not(talk, record), record, call, GROUND)


def whether(talk: Talk, record: Json) -> Tell:
    """What would come of a cancellation that was only asked about."""
    lead, possible = f"Reservation {trip(record)}", _ground("", talk, record)
    if possible:
        text = (
            f"{lead} can be cancelled; {money(amount_paid(record))} would come back, {REFUND_TIME}."
        )
    elif record["insurance"] == "yes":
        text = f"{lead} can be cancelled only for reasons of health or weather: it is insured."
    else:
        text = _why_not(talk, record)
    outcome = "answered" if possible else "refused"
    return Tell(text, outcome, focus=record["reservation_id"])


def after_upgrade(talk: Talk, record: Json, name: str) -> Tell:
    """What an upgrade would cost, and what a cancellation after it would bring back."""
    due = difference(record, reprice(record, talk, name))
    cost = f"cost {money(due)}" if due >= 0 else f"bring back {money(-due)}"
    text = (
        f"Yes: once it is in {cabin(name)}, reservation {trip(record)} can be cancelled for any "
        f"reason. The change to {cabin(name)} would {cost} now; of the cancellation after it "
        f"{money(amount_paid(record) + due)} would come back, {REFUND_TIME}. Shall I change it to "
        f"{cabin(name)} and then cancel it?"
    )
    return Tell(text, "answered", asks=True, focus=record["reservation_id"])


def _hand_over_begun(task: Task, talk: Talk, record: Json, gone: list[Json]) -> Call:
    """What has been flown in part is for a human agent to cancel; what is over is over."""
    days = [each["date"] for each in record["flights"]]
    if len(gone) == len(days) and not min(days) < talk.today <= max(days):
        refuse(
            f"Reservation {trip(record)} has been flown already and cannot be cancelled.", record
        )
    summary = (
        f"The customer {talk.memory.user_id} wants to cancel reservation "
        f"{record['reservation_id']}, of which {join_parts(booked_flight(each) for each in gone)} "
        "has been flown already."
    )
    return Call("transfer_to_human_agents", {"summary": summary}, task)


def _whole_only(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a refusal where a single flight or passenger is to be cancelled."""
    lines = talk.lines(task)
    people = any(line.has("passenger", "her ticket", "his ticket") for line in lines)
    told = read_wanted(lines, {"": frozenset()})
    part = talk.tells(task, "one way only") and told.out.wanted != told.back.wanted
    if people or (record["flight_type"] == "round_trip" and part):
        what = "a single passenger" if people else "a single flight"
        text = f"I can't cancel {what}: a cancellation covers the whole of reservation"
        refuse(f"{text} {trip(record)}.", record)


def _ask_reason(task: Task, record: Json) -> Ask:
    text = (
        f"Why would you like to cancel reservation {trip(record)}: a **change of plans**, a flight "
        "**cancelled by the airline**, or something else?"
    )
    choices = (
        Choice("change of plans", "my plans changed"),
        Choice("the airline cancelled", "a flight was cancelled by the airline"),
        Choice("another reason", "something else"),
    )
    return Ask(text, "reason", task, choices, focus=record["reservation_id"])


def _is_recent(record: Json, talk: Talk) -> bool:
    """Whether a reservation was made within the last 24 hours."""
    try:
        age = datetime.fromisoformat(talk.now) - datetime.fromisoformat(record["created_at"])
    except (TypeError, ValueError):
        return False
    return age <= CHANGE_OF_MIND


def _ground(why: str, talk: Talk, record: Json) -> bool:
    """Whether the policy lets a reservation be cancelled for the reason that was given."""
    return (
        _is_recent(record, talk)
        or record["cabin"] == "business"
        or looking_up.is_called_off(talk.memory, record)
        or (record["insurance"] == "yes" and why in _COVERED)
    )


def _why_not(talk: Talk, record: Json) -> str:
    cover = "it is not insured"
    if record["insurance"] == "yes":
        cover = "its insurance covers only reasons of health and weather"
    regular = talk.memory.membership == "regular"
    member = "" if regular else " Membership makes no difference to that."
    return (
        f"I can't cancel reservation {trip(record)}: it was booked more than 24 hours ago, it is "
        f"in {cabin(record['cabin'])}, none of its flights was cancelled by the airline, and "
        f"{cover}.{member}"
    )
