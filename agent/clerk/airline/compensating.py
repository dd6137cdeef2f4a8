"""Complaints about flights, and the certificates that the policy grants for some of them."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.asking import answer, ask, refuse
from agent.clerk.airline.reasons import complaint
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant, stands
from agent.clerk.airline.wording import booked_flight, cabin, count, money, say, trip
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

TOOL = "send_certificate"
ENTITLED = Rule(TOOL, "Silver or gold member, insured, or in business")
AMENDED = Rule(TOOL, "For a delay, the reservation was changed or cancelled")
_WORTH = {"delayed": 50, "cancelled": 100}
"""Dollars of a certificate for each passenger, by how a flight stands."""

_AMENDS = {"cancel_reservation", "update_reservation_flights"}


def compensate(task: Task, talk: Talk, policy: str = "") -> Call | Tell:
    """Send a certificate where the complaint is true and the policy grants one."""
    if task.written:
        worth = money([*talk.memory.given.values()][-1])
        return Tell(f"A travel certificate worth {worth} is now in your profile.", "done")
    record, flight, state = _find_trouble(task, talk, " I can't compensate you for it.")
    amount = len(record["passengers"]) * _WORTH[state]
    call = Call(TOOL, {"user_id": talk.memory.user_id, "amount": amount}, task)
    if call.arguments in [dict(each.arguments) for each in talk.changes if each.name == TOOL]:
        refuse("A certificate for this has been sent already.", record)
    what = f"{booked_flight(flight)} {'was' if state == 'cancelled' else 'is'} indeed {state}"
    member, insured = talk.memory.membership, record["insurance"] == "yes"
    entitled = member != "regular" or insured or record["cabin"] == "business"
    if not entitled and ENTITLED not in task.relaxed:
        of = {"trip": trip(record), "cabin": cabin(record["cabin"])}
        text = say("not entitled", what=what, **of, member=member)
        refuse(text, record, call, ENTITLED)
    key, changed = record["reservation_id"], [e for e in talk.changes if e.name in _AMENDS]
    amended = any(each.arguments.get("reservation_id") == key for each in changed)
    if state == "delayed" and not amended and AMENDED not in task.relaxed:
        refuse(say("not amended", what=what), record, call, AMENDED)
    return call


def complain(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Say what the records have on a complaint; compensation is not offered before it is asked."""
    record, flight, state = _find_trouble(task, talk)
    told = {"flight": booked_flight(flight), "state": state, "trip": trip(record)}
    text = say("complaint", **told, people=count(len(record["passengers"]), "passenger"))
    if len(talk.open) != 1:
        return answer(text, record)
    if state == "cancelled" and stands(record):
        moved = "" if record["cabin"] == "basic_economy" else ", or move you to another flight"
        text = f"{text} I can cancel the reservation and refund it{moved}."
    return replace(answer(f"{text} What would you like me to do?", record), asks=True)


def _find_trouble(task: Task, talk: Talk, unless: str = "") -> tuple[Json, Json, str]:
    """Reservation, flight and status that a complaint is about; Settled where it is not true.

    It is looked for among the reservations as they were before anything was changed. With
    ``unless`` it is told as the refusal of something.
    """
    found = _candidates(task, talk)
    wanted = complaint(talk.lines(task)) or complaint(talk.lines_of(task.context))
    known = [
        (record, flight, state)
        for record in found
        for flight in record["flights"]
        if (state := _state(talk, flight)) in _WORTH
    ]
    troubled = [each for each in known if each[2] == wanted] or known
    records = {record["reservation_id"]: record for record, _, _ in troubled}
    if len(records) > 1:
        choices = [Choice(key, trip(each)) for key, each in records.items()]
        text = f"Which reservation is it about: {join_parts((c.words for c in choices), 'or')}?"
        ask(task, "reservation", text, choices=choices)
    if troubled:
        return troubled[0]
    text = f"I don't find a flight of yours that is {wanted or 'delayed or cancelled'}."
    if len(found) == 1:
        states = (f"{booked_flight(e)} is {_state(talk, e)}" for e in found[0]["flights"])
        text = f"I don't see that: {join_parts(states)}."
    focus = found[0]["reservation_id"] if len(found) == 1 else ""
    raise Settled(Tell(f"{text}{unless}", "refused" if unless else "answered", focus=focus))


def _candidates(task: Task, talk: Talk) -> list[Json]:
    """Reservations, as they were at first, that a complaint can be about."""
    memory = talk.memory
    memory.read_reservations()
    known = [memory.as_found[each] for each in memory.reservation_ids if each in memory.as_found]
    said = any(line.places or line.ids for line in talk.lines(task))
    pointed = {each["reservation_id"] for each in find_meant(task, talk)}
    found = [each for each in known if each["reservation_id"] in pointed]
    focused = memory.as_found.get(str(talk.focus))
    meant = focused is not None and (focused in found or not said)
    if focused and meant and any(_state(talk, each) in _WORTH for each in focused["flights"]):
        return [focused]
    return found or known


def _state(talk: Talk, flight: Json) -> str:
    return talk.memory.status(flight["flight_number"], flight["date"])
