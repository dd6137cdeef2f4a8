"""Complaints, and the certificates that the airline gives for flights that went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.replies import answer, ask, refuse
from agent.clerk.airline.reservation_slots import find_candidates, is_active
from agent.clerk.airline.wording import booked_flight, cabin, count, money, say, state_words, trip
from agent.clerk.deciding.offers import MOST
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

CERTIFICATE = "send_certificate"
ENTITLED = Rule(CERTIFICATE, "Silver or gold member, insured, or in business")
AMENDED = Rule(CERTIFICATE, "For a delay, the reservation was changed or cancelled")
_WORTH = {"delayed": 50, "cancelled": 100}
"""Dollars of a certificate for each passenger, by the status of the flight."""

_AMENDS = {"cancel_reservation", "update_reservation_flights"}


def compensate(task: Task, dialogue: AirlineState, policy: str = "") -> Call | Statement:
    """The call that sends a certificate, if the complaint is true and the policy grants one."""
    if task.written:
        worth = money([*dialogue.records.given.values()][-1])
        return Statement(f"A travel certificate worth {worth} is now in your profile.", "done")
    record, flight, state = _find_trouble(task, dialogue, " I can't compensate you for it.")
    amount = _worth(record, state)
    call = Call(CERTIFICATE, {"user_id": dialogue.records.user_id, "amount": amount}, task)
    if call.key in {Call(each.name, dict(each.arguments)).key for each in dialogue.changes}:
        refuse("A certificate for this has already been sent.", record)
    what = _what_happened(flight, state)
    if not _is_entitled(record, dialogue) and ENTITLED not in task.relaxed:
        refuse(_why_not_entitled(what, record, dialogue), record, call, ENTITLED)
    amends = (each for each in dialogue.changes if each.name in _AMENDS)
    amended = {each.arguments.get("reservation_id") for each in amends}
    changed = record["reservation_id"] in amended or state == "cancelled"
    if not changed and AMENDED not in task.relaxed:
        refuse(say("not amended", what=what), record, call, AMENDED)
    return call


def answer_compensation(task: Task, dialogue: AirlineState) -> Statement | None:
    """What would be given for a flight that went wrong, and when; None if none of theirs did."""
    if not _troubled(task, dialogue):
        return None
    record, flight, state = _find_trouble(task, dialogue)
    what, people = _what_happened(flight, state), len(record["passengers"])
    if not _is_entitled(record, dialogue):
        return answer(_why_not_entitled(what, record, dialogue), record)
    told = {"amount": money(_worth(record, state)), "trip": trip(record)}
    each = f": {money(_WORTH[state])} for each of the {people} passengers" if people > 1 else ""
    then = say("once amended") if state == "delayed" else ""
    return answer(say("would compensate", what=what, **told, each=each, then=then), record)


def _worth(record: Json, state: str) -> int:
    """The dollars of a certificate for a flight of a reservation that went wrong."""
    return len(record["passengers"]) * _WORTH[state]


def _what_happened(flight: Json, state: str) -> str:
    return f"{booked_flight(flight)} {'was' if state == 'cancelled' else 'is'} indeed {state}"


def _is_entitled(record: Json, dialogue: AirlineState) -> bool:
    """Whether the policy grants compensation for a reservation at all."""
    regular = dialogue.records.membership == "regular"
    return not regular or record["insurance"] == "yes" or record["cabin"] == "business"


def _why_not_entitled(what: str, record: Json, dialogue: AirlineState) -> str:
    member, seat = dialogue.records.membership, cabin(record["cabin"])
    return say("not entitled", what=what, trip=trip(record), cabin=seat, member=member)


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

    Raises Settled with a question if several fit, or with the answer that the complaint is not
    true; with ``unless``, which is added to the text, as a refusal.
    """
    troubled = _troubled(task, dialogue)
    records = {record["reservation_id"]: record for record, _, _ in troubled}
    if len(records) > 1:
        choices = [Choice(key, trip(each)) for key, each in records.items()]
        ask(task, "reservation", "Which reservation is it about?", choices=choices, shown=MOST)
    if troubled:
        return troubled[0]
    found, wanted = _candidates(task, dialogue), _complaint_of(task, dialogue)
    text = f"I can't find a flight of yours that is {wanted or 'delayed or cancelled'}."
    if len(found) == 1:
        flights = found[0]["flights"]
        states = (
            f"{booked_flight(each)} {state_words(_state(dialogue, each))}" for each in flights
        )
        text = f"I don't see that: {join_parts(states)}."
    record = found[0] if len(found) == 1 else None
    told = answer(f"{text}{unless}", record)
    raise Settled(replace(told, outcome="refused") if unless else told)


def _troubled(task: Task, dialogue: AirlineState) -> list[tuple[Json, Json, str]]:
    """The flights that went wrong, rather in the way of the complaint, with their reservations."""
    known = _gone_wrong(_candidates(task, dialogue), dialogue)
    wanted, first = _complaint_of(task, dialogue), dialogue.records.first_read
    if not known and wanted:  # it may be a reservation that was cancelled here for just that
        now = dialogue.records.reservations
        gone = [e for key, e in first.items() if is_active(e) and not is_active(now[key])]
        known = [each for each in _gone_wrong(gone, dialogue) if each[2] == wanted]
    return [each for each in known if each[2] == wanted] or known


def _gone_wrong(records: Sequence[Json], dialogue: AirlineState) -> list[tuple[Json, Json, str]]:
    flights = ((one, each, _state(dialogue, each)) for one in records for each in one["flights"])
    return [each for each in flights if each[2] in _WORTH]


def _complaint_of(task: Task, dialogue: AirlineState) -> str:
    lines = dialogue.sentences_of(task)
    return complaint(lines) or complaint(dialogue.parse_all(task.context))


def _candidates(task: Task, dialogue: AirlineState) -> list[Json]:
    """The reservations, as first read, that a complaint may be about; rather the one spoken of."""
    pointed = [each["reservation_id"] for each in find_candidates(task, dialogue)]
    every = [each["reservation_id"] for each in dialogue.records.read_reservations()]
    first, focus = dialogue.records.first_read, str(dialogue.focus)
    other = any(line.places or line.ids for line in dialogue.sentences_of(task))
    if focus in first and (focus in pointed or not other):
        states = {_state(dialogue, each) for each in first[focus]["flights"]}
        pointed = [focus] if states & {*_WORTH} else pointed
    return [first[each] for each in pointed or every]


def _state(dialogue: AirlineState, flight: Json) -> str:
    return dialogue.records.status(flight["flight_number"], flight["date"])


def complaint(lines: Sequence[ParsedSentence]) -> str:
    """The last complaint: ``cancelled``, ``delayed`` or empty."""
    for line in reversed(lines):
        noun = line.has_phrase("cancelled flight", "cancellation")
        if noun or line.has_phrase_of("airline cancelled"):
            return "cancelled"
        if line.has_phrase_of("delayed"):
            return "delayed"
    return ""
