"""Complaints about flights, and the certificates that the policy grants for some of them."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.ask_or_refuse import answer, ask_which, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.reasons import complaint
from agent.clerk.airline.reservation_slots import find_candidates, is_active
from agent.clerk.airline.wording import booked_flight, cabin, count, money, say, trip
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

TOOL = "send_certificate"
ENTITLED = Rule(TOOL, "Silver or gold member, insured, or in business")
AMENDED = Rule(TOOL, "For a delay, the reservation was changed or cancelled")
_WORTH = {"delayed": 50, "cancelled": 100}
"""Dollars of a certificate for each passenger, by the status of the flight."""

_AMENDS = {"cancel_reservation", "update_reservation_flights"}


def compensate(task: Task, dialogue: AirlineState, policy: str = "") -> Call | Statement:
    """The call that sends a certificate, if the complaint is true and the policy grants one.

    Raises Settled with a question or a refusal otherwise.
    """
    if task.written:
        worth = money([*dialogue.records.given.values()][-1])
        return Statement(f"A travel certificate worth {worth} is now in your profile.", "done")
    record, flight, state = _find_trouble(task, dialogue, " I can't compensate you for it.")
    amount = len(record["passengers"]) * _WORTH[state]
    call = Call(TOOL, {"user_id": dialogue.records.user_id, "amount": amount}, task)
    if call.arguments in [dict(each.arguments) for each in dialogue.changes if each.name == TOOL]:
        refuse("A certificate for this has already been sent.", record)
    what = f"{booked_flight(flight)} {'was' if state == 'cancelled' else 'is'} indeed {state}"
    member, insured = dialogue.records.membership, record["insurance"] == "yes"
    entitled = member != "regular" or insured or record["cabin"] == "business"
    if not entitled and ENTITLED not in task.relaxed:
        of = {"trip": trip(record), "cabin": cabin(record["cabin"])}
        text = say("not entitled", what=what, **of, member=member)
        refuse(text, record, call, ENTITLED)
    key, changed = record["reservation_id"], [e for e in dialogue.changes if e.name in _AMENDS]
    amended = any(each.arguments.get("reservation_id") == key for each in changed)
    if state == "delayed" and not amended and AMENDED not in task.relaxed:
        refuse(say("not amended", what=what), record, call, AMENDED)
    return call


def complain(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The records' answer to a complaint; it does not offer compensation."""
    record, flight, state = _find_trouble(task, dialogue)
    told = {"flight": booked_flight(flight), "state": state, "trip": trip(record)}
    text = say("complaint", **told, people=count(len(record["passengers"]), "passenger"))
    if len(dialogue.open_tasks) != 1:
        return answer(text, record)
    if state == "cancelled" and is_active(record):
        moved = "" if record["cabin"] == "basic_economy" else ", or move you to another flight"
        text = f"{text} I can cancel the reservation and refund it{moved}."
    return replace(answer(f"{text} What would you like me to do?", record), asks=True)


def _find_trouble(task: Task, dialogue: AirlineState, unless: str = "") -> tuple[Json, Json, str]:
    """The reservation, flight and status that a complaint is about.

    They are searched for among the reservations as first read. Raises Settled with a question if
    several fit, or with the answer that the complaint is not true. With ``unless``, which is added
    to the text, that answer counts as a refusal.
    """
    found = _candidates(task, dialogue)
    wanted = complaint(dialogue.sentences_of(task)) or complaint(dialogue.parse_all(task.context))
    known = [trouble for record in found for trouble in _troubles(dialogue, record)]
    troubled = [each for each in known if each[2] == wanted] or known
    records = {record["reservation_id"]: record for record, _, _ in troubled}
    if len(records) > 1:
        choices = [Choice(key, trip(each)) for key, each in records.items()]
        ask_which(task, "reservation", "Which reservation is it about?", choices)
    if troubled:
        return troubled[0]
    text, record = (
        f"I can't find a flight of yours that is {wanted or 'delayed or cancelled'}.",
        None,
    )
    if len(found) == 1:
        record = found[0]
        states = (f"{booked_flight(e)} is {_state(dialogue, e)}" for e in record["flights"])
        text = f"I don't see that: {join_parts(states)}."
    if unless:
        refuse(f"{text}{unless}", record)
    raise Settled(answer(text, record))


def _candidates(task: Task, dialogue: AirlineState) -> list[Json]:
    """The reservations, as first read, that a complaint may be about; else all of them.

    If one was spoken of and has such a flight, it is about that one.
    """
    records = dialogue.records
    pointed = [each["reservation_id"] for each in find_candidates(task, dialogue)]
    records.read_reservations()
    focused = records.first_read.get(str(dialogue.focus))
    other = any(line.places or line.ids for line in dialogue.sentences_of(task))
    if focused and (dialogue.focus in pointed or not other) and _troubles(dialogue, focused):
        return [focused]
    return [records.first_read[each] for each in pointed or records.reservation_ids]


def _troubles(dialogue: AirlineState, record: Json) -> list[tuple[Json, Json, str]]:
    """The flights of a reservation that are delayed or cancelled, each with its status."""
    states = [(record, each, _state(dialogue, each)) for each in record["flights"]]
    return [each for each in states if each[2] in _WORTH]


def _state(dialogue: AirlineState, flight: Json) -> str:
    return dialogue.records.status(flight["flight_number"], flight["date"])
