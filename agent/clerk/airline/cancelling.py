"""Cancelling a reservation: what entitles to it, what forbids it, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from agent.clerk.airline.acting import Step
from agent.clerk.airline.asking import answer, ask, refuse
from agent.clerk.airline.flight_wish import read_wanted
from agent.clerk.airline.memory import amount_paid
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.rerouting import difference, reprice
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import stands
from agent.clerk.airline.wording import REFUND_TIME, booked_flight, cabin, cost_of, money, say, trip
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import HAND_OVER, Json
from agent.clerk.state.steps import Ask, Call, Choice, Tell
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

TOOL = "cancel_reservation"
GROUND = Rule(TOOL, "There is a ground to cancel it")
CHANGE_OF_MIND = timedelta(hours=24)
"""How long after booking any reservation can be cancelled."""

_COVERED = frozenset({"health", "weather"})
_REASONS = (
    Choice("change of plans", "my plans changed"),
    Choice("the airline cancelled", "a flight was cancelled by the airline"),
    Choice("another reason", "something else"),
)


def cancel(task: Task, talk: Talk, record: Json) -> Step:
    """Cancel a reservation as a whole, where the policy lets it be."""
    key = record["reservation_id"]
    if not stands(record):
        refuse(f"Reservation {trip(record)} is cancelled already.", record)
    gone = talk.memory.flown_flights(record, talk.today)
    if gone:
        return _hand_over_begun(task, talk, record, gone)
    _whole_only(task, talk, record)
    why = reason(talk.lines(task)) or task.chosen.get("reason", "")
    why = why or reason(talk.lines_of(task.context))
    if not why and not talk.memory.is_called_off(record):
        ask(task, "reason", say("why cancel?", trip=trip(record)), record, choices=_REASONS)
    call = Call(TOOL, {"reservation_id": key}, task)
    if _ground(why, talk, record) or GROUND in task.relaxed:
        return call
    if record["insurance"] == "yes" and why == "other":
        text = say("covered?", trip=trip(record))
        return Ask(text, "covered", task, forbidden=call, focus=key, rule=GROUND)
    refuse(_why_not(talk, record), record, call, GROUND)


def whether(talk: Talk, record: Json) -> Tell:
    """What would come of a cancellation that was only asked about."""
    if _ground("", talk, record):
        told = {"trip": trip(record), "back": money(amount_paid(record))}
        return answer(say("can be cancelled", **told, soon=REFUND_TIME), record)
    if record["insurance"] == "yes":
        refuse(say("insured only", trip=trip(record)), record)
    refuse(_why_not(talk, record), record)


def after_upgrade(talk: Talk, record: Json, name: str) -> Tell:
    """What an upgrade would cost, and what a cancellation after it would bring back."""
    due = difference(record, reprice(record, talk, name))
    parts = {"cabin": cabin(name), "trip": trip(record), "cost": cost_of(due), "soon": REFUND_TIME}
    text = say("after the upgrade", **parts, back=money(amount_paid(record) + due))
    return replace(answer(text, record), asks=True)


def _hand_over_begun(task: Task, talk: Talk, record: Json, gone: list[Json]) -> Call:
    """What has been flown in part is for a human agent to cancel; what is over is over."""
    days = [each["date"] for each in record["flights"]]
    if len(gone) == len(days) and not min(days) < talk.today <= max(days):
        refuse(say("all flown", trip=trip(record)), record)
    flown, user = join_parts(map(booked_flight, gone)), talk.memory.user_id
    summary = say("partly flown", user=user, id=record["reservation_id"], gone=flown)
    return Call(HAND_OVER, {"summary": summary}, task)


def _whole_only(task: Task, talk: Talk, record: Json) -> None:
    """Settled with a refusal where a single flight or passenger is to be cancelled."""
    lines = talk.lines(task)
    people = any(line.has("passenger", "her ticket", "his ticket") for line in lines)
    told = read_wanted(lines, {"": frozenset()})
    part = talk.tells(task, "one way only") and told.out.wanted != told.back.wanted
    if people or (record["flight_type"] == "round_trip" and part):
        what = "a single passenger" if people else "a single flight"
        refuse(say("cancelled whole", what=what, trip=trip(record)), record)


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
        or talk.memory.is_called_off(record)
        or (record["insurance"] == "yes" and why in _COVERED)
    )


def _why_not(talk: Talk, record: Json) -> str:
    cover = "it is not insured"
    if record["insurance"] == "yes":
        cover = "its insurance covers only reasons of health and weather"
    regular = talk.memory.membership == "regular"
    member = "" if regular else " Membership makes no difference to that."
    told = {"trip": trip(record), "cabin": cabin(record["cabin"]), "cover": cover}
    return say("cannot cancel", **told, member=member)
