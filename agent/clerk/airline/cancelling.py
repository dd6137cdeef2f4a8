"""Cancelling a reservation: what entitles to it, what forbids it, and why."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from agent.clerk.airline import looking_up
from agent.clerk.airline.legs import read_wanted
from agent.clerk.airline.memory import amount_paid
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.rerouting import difference, reprice
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import for_each, has_begun, stands
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    method_bare,
    money,
    trip,
)
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


def cancel(task: Task, talk: Talk, policy: str = "") -> Call | Ask | Tell:
    """Cancel reservations as a whole, where the policy lets them be."""
    return for_each(task, talk, _cancel, _tell_cancelled)


def _cancel(task: Task, talk: Talk, record: Json) -> Call | Ask | Tell:
    key = record["reservation_id"]
    if not stands(record):
        return Tell(f"Reservation {trip(record)} is cancelled already.", "refused", focus=key)
    gone = looking_up.flown_flights(talk.memory, record, talk.today)
    if gone:
        return _refuse_begun(task, talk, record, gone)
    partial = _part_only(task, talk, record)
    if partial is not None:
        return partial
    why = task.chosen.get("reason", "") or reason(talk.lines(task))
    why = reason(talk.lines(task)) or why or reason(talk.lines_of(task.context))
    if not why and not looking_up.is_called_off(talk.memory, record):
        return _ask_reason(task, record)
    call = Call(TOOL, {"reservation_id": key}, task)
    if _ground(why, talk, record) or GROUND in task.relaxed:
        return call
    if record.get("insurance") == "yes" and why == "other":
        text = (
            f"Reservation {trip(record)} can only be cancelled under its insurance, which covers "
            "reasons of health and of weather. Is it one of these?"
        )
        return Ask(text, "covered", task, forbidden=call, focus=key, rule=GROUND)
    return Tell(_why_not(talk, record), "refused", call, focus=key, rule=GROUND)


def whether(talk: Talk, record: Json) -> Tell:
    """What would come of a cancellation that was only asked about."""
    lead, possible = f"Reservation {trip(record)}", _ground("", talk, record)
    if possible:
        text = (
            f"{lead} can be cancelled; {money(amount_paid(record))} would come back, {REFUND_TIME}."
        )
    elif record.get("insurance") == "yes":
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


def _refuse_begun(task: Task, talk: Talk, record: Json, gone: list[Json]) -> Call | Tell:
    """What has been flown in part is for a human agent to cancel; what is over is over."""
    if len(gone) == len(record["flights"]) and not has_begun_return(record, talk):
        text = f"Reservation {trip(record)} has been flown already and cannot be cancelled."
        return Tell(text, "refused", focus=record["reservation_id"])
    summary = (
        f"The customer {talk.memory.user_id} wants to cancel reservation "
        f"{record['reservation_id']}, of which {join_parts(booked_flight(each) for each in gone)} "
        "has been flown already."
    )
    return Call("transfer_to_human_agents", {"summary": summary}, task)


def has_begun_return(record: Json, talk: Talk) -> bool:
    """Whether a reservation has flights on both sides of today."""
    return has_begun(record, talk) and any(each["date"] >= talk.today for each in record["flights"])


def _part_only(task: Task, talk: Talk, record: Json) -> Tell | None:
    """A single flight or passenger cannot be cancelled out of a reservation."""
    lines = talk.lines(task)
    people = any(line.has("passenger", "her ticket", "his ticket") for line in lines)
    only = ("only the", "just the", "return flight", "outbound flight", "way back", "way out")
    told = read_wanted(lines, {"": frozenset()})
    part = any(line.has(*only) for line in lines) and told.out.wanted != told.back.wanted
    one_way = record["flight_type"] == "round_trip" and part
    if not people and not one_way:
        return None
    what = "a single passenger" if people else "a single flight"
    text = f"I can't cancel {what}: a cancellation covers the whole of reservation {trip(record)}."
    return Tell(text, "refused", focus=record["reservation_id"])


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


def recent(record: Json, talk: Talk) -> bool:
    """Whether a reservation was made within the last 24 hours."""
    try:
        age = datetime.fromisoformat(talk.now) - datetime.fromisoformat(record["created_at"])
    except (TypeError, ValueError):
        return False
    return age <= CHANGE_OF_MIND


def _ground(why: str, talk: Talk, record: Json) -> bool:
    """Whether the policy lets a reservation be cancelled for the reason that was given."""
    return (
        recent(record, talk)
        or record["cabin"] == "business"
        or looking_up.is_called_off(talk.memory, record)
        or (record.get("insurance") == "yes" and why in _COVERED)
    )


def _why_not(talk: Talk, record: Json) -> str:
    insured = record.get("insurance") == "yes"
    cover = (
        "its insurance covers only reasons of health and weather"
        if insured
        else "it is not insured"
    )
    member = (
        "" if talk.memory.membership == "regular" else " Membership makes no difference to that."
    )
    return (
        f"I can't cancel reservation {trip(record)}: it was booked more than 24 hours ago, it is "
        f"in {cabin(record['cabin'])}, none of its flights was cancelled by the airline, and "
        f"{cover}.{member}"
    )


def _tell_cancelled(task: Task, talk: Talk) -> Tell:
    lines = []
    for key in dict.fromkeys(task.written):
        record = talk.memory.reservations.get(key)
        if record is None:
            lines.append(f"Reservation {key} is cancelled.")
            continue
        back: Counter[str] = Counter()
        rows = record["payment_history"]
        for row in rows[len(rows) // 2 :]:
            back[row["payment_id"]] -= row["amount"]
        to = join_parts(
            f"{money(amount)} to your {method_bare(talk.memory.methods.get(each), each)}"
            for each, amount in back.items()
            if amount
        )
        refund = f" You get back {to}, {REFUND_TIME}." if to else ""
        lines.append(f"Reservation {trip(record)} is cancelled.{refund}")
    return Tell("\n".join(lines), "done", focus=task.written[-1])
