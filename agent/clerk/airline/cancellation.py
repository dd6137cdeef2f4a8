"""Cancelling a reservation: whether the policy allows it, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import amount_paid
from agent.clerk.airline.new_flights import difference, reprice
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.part_meant import leaves_out_some, means_some
from agent.clerk.airline.payment_mentions import wanted_payments
from agent.clerk.airline.replies import Step, answer, ask, refuse
from agent.clerk.airline.reservation_slots import is_active
from agent.clerk.airline.vocabulary import phrases, words_of
from agent.clerk.airline.wanted_legs import read_wanted
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    cost_of,
    count,
    method_bare,
    money,
    say,
    trip,
)
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import HAND_OVER, Json
from agent.clerk.state.steps import Call, Choice, Question, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.sentence_kinds import keeps_out
from agent.clerk.wording import join_parts

CANCEL = "cancel_reservation"
GROUND = Rule(CANCEL, "There are grounds to cancel it")
CHANGE_OF_MIND = timedelta(hours=24)
"""The time after booking in which any reservation can be cancelled."""

_COVERED = frozenset({"health", "weather"})
_REASONS = (
    Choice("change of plans", "my plans changed"),
    Choice("the airline cancelled", "a flight was cancelled by the airline"),
    Choice("another reason", "something else"),
)


def cancel(task: Task, dialogue: AirlineState, record: Json) -> Step:
    """The call that cancels a whole reservation, or hands a partly flown one over to a human."""
    key = record["reservation_id"]
    if not is_active(record):
        refuse(f"Reservation {trip(record)} has already been cancelled.", record)
    gone = dialogue.records.flown_flights(record, dialogue.today)
    if gone:
        days = [each["date"] for each in record["flights"]]
        if len(gone) == len(days) and not min(days) < dialogue.today <= max(days):
            refuse(say("all flown", trip=trip(record)), record)
        summary = say("partly flown", id=key, gone=join_parts(map(booked_flight, gone)))
        return Call(HAND_OVER, {"summary": summary}, task)
    _refuse_partial(task, dialogue, record)
    why = reason(dialogue.sentences_of(task)) or task.chosen.get("reason", "")
    why = why or reason(dialogue.parse_all(task.context))
    if not why and not dialogue.records.is_called_off(record):
        ask(task, "reason", say("why cancel?", trip=trip(record)), record, choices=_REASONS)
    call = Call(CANCEL, {"reservation_id": key}, task)
    if has_ground(why, dialogue, record) or GROUND in task.relaxed:
        _tell_of_refund(task, dialogue, record)
        return call
    if record["insurance"] == "yes" and why == "other":
        text = say("covered?", trip=trip(record))
        return Question(text, "covered", task, forbidden=call, focus=key, rule=GROUND)
    refuse(_why_not(dialogue, record), record, call, GROUND)


def _tell_of_refund(task: Task, dialogue: AirlineState, record: Json) -> None:
    """Raise Settled with a question if the money is wanted elsewhere than where it goes back to."""
    paid = {each["payment_id"].rpartition("_")[0] for each in record["payment_history"]}
    lines = dialogue.parse_all(task.words)
    named = {pay.kind for line in lines for pay in wanted_payments(line) if pay.kind}
    if task.chosen.get("refund") or not named - {"original"} or named & paid:
        return
    known = dialogue.records.methods
    ids = dict.fromkeys(each["payment_id"] for each in record["payment_history"])
    told = join_parts(f"your {method_bare(known.get(each), each)}" for each in ids)
    choices = (Choice("go", "cancel it all the same"), Choice("leave", "leave it"))
    text = f"{say('refund goes back')} That is {told}. Would you like to"
    ask(task, "refund", text, record, choices=choices, shown=len(choices))


def answer_cancellable(dialogue: AirlineState, record: Json) -> Statement:
    """What a cancellation would give back; raises Settled with a refusal."""
    if dialogue.records.flown_flights(record, dialogue.today):
        refuse(say("all flown", trip=trip(record)), record)
    grounds = has_ground("", dialogue, record)
    if not grounds and record["insurance"] == "no":
        refuse(_why_not(dialogue, record), record)
    known = dialogue.records.methods
    ids = dict.fromkeys(each["payment_id"] for each in record["payment_history"])
    told = {
        "trip": trip(record),
        "back": money(amount_paid(record)),
        "people": count(len(record["passengers"]), "passenger"),
        "methods": join_parts(f"your {method_bare(known.get(each), each)}" for each in ids),
        "soon": REFUND_TIME,
    }
    text = say("can be cancelled", **told) if grounds else say("insured only", **told)
    return answer(text, record)


def after_upgrade(task: Task, dialogue: AirlineState, record: Json) -> Statement:
    """The cost of an upgrade to business and the refund of a cancellation after it."""
    due = difference(record, reprice(record, dialogue, "business"))
    back = money(amount_paid(record) + due)
    told = {"trip": trip(record), "cost": cost_of(due), "back": back, "soon": REFUND_TIME}
    text = say("after the upgrade", **told)
    if keeps_out(task.message, {"upgrade", "upgrading"}):
        return answer(text, record)  # "just asking, I don't want to upgrade"
    return replace(answer(f"{text} {say('shall I upgrade')}", record), asks=True)


def _refuse_partial(task: Task, dialogue: AirlineState, record: Json) -> None:
    """Raise Settled with a refusal if only a flight or a passenger should be cancelled."""
    lines = dialogue.sentences_of(task)
    people = any(line.has_phrase("passenger", "her ticket", "his ticket") for line in lines)
    several = len(record["passengers"]) > 1
    alone = any(line.has_phrase("only", "just", "still fly", "still flying") for line in lines)
    people |= several and any(line.has_phrase_of("not all of us") for line in lines)
    people |= several and alone and means_some(lines, dialogue, record)
    people |= leaves_out_some(task, dialogue, record)
    told = read_wanted(lines, record)
    part = dialogue.task_says(task, "one way only") and told.out.mentioned != told.back.mentioned
    if people or (record["flight_type"] == "round_trip" and part):
        what = "a single passenger" if people else "a single flight"
        refuse(say("cancelled whole", what=what, trip=trip(record)), record)


def _is_recent(record: Json, dialogue: AirlineState) -> bool:
    """Whether a reservation was made within the last 24 hours."""
    try:
        age = datetime.fromisoformat(dialogue.now) - datetime.fromisoformat(record["created_at"])
    except (TypeError, ValueError):
        return False
    return age <= CHANGE_OF_MIND


def has_ground(why: str, dialogue: AirlineState, record: Json) -> bool:
    """Whether the policy allows a reservation to be cancelled for the given reason."""
    return (
        _is_recent(record, dialogue)
        or record["cabin"] == "business"
        or dialogue.records.is_called_off(record)
        or (record["insurance"] == "yes" and why in _COVERED)
    )


def _why_not(dialogue: AirlineState, record: Json) -> str:
    cover = "it is not insured"
    if record["insurance"] == "yes":
        cover = "its insurance covers only health and weather reasons"
    regular = dialogue.records.membership == "regular"
    member = "" if regular else " Membership makes no difference to that."
    told = {"trip": trip(record), "cabin": cabin(record["cabin"]), "cover": cover}
    return say("cannot cancel", **told, member=member)


def reason(lines: Sequence[ParsedSentence]) -> str:
    """The reason for cancelling that was given last.

    ``airline cancelled``, ``health``, ``weather``, ``change of plan``, ``other`` or empty.
    """
    for line in reversed(lines):
        event = line.has_phrase_of("events") and line.has_phrase_of("event off")
        if line.has_phrase_of("airline cancelled") and not event:
            return "airline cancelled"
        if _affirms(line, "health") and not line.has_phrase("cat"):
            return "health"
        if _affirms(line, "weather"):
            return "weather"
        if line.has_phrase_of("plans changed") or event:
            return "change of plan"
        if line.has_phrase_of("other reasons"):
            return "other"
    return ""


def _affirms(sentence: ParsedSentence, name: str) -> bool:
    """Whether a sentence states something without a denial: "nobody is ill" states no illness."""
    places = [place for each in phrases(name) if (place := sentence.find(each)) >= 0]
    return any(not words_of("reasons denied") & set(sentence.before(place)) for place in places)
