"""Complaints about flights, and the certificates that the policy grants for some of them."""

from __future__ import annotations

from agent.clerk.airline import looking_up
from agent.clerk.airline.reasons import complaint
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant
from agent.clerk.airline.wording import booked_flight, cabin, count, money, trip
from agent.clerk.learned import Rule
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts

TOOL = "send_certificate"
ENTITLED = Rule(TOOL, "Silver or gold member, insured, or in business")
AMENDED = Rule(TOOL, "For a delay, the reservation was changed or cancelled")
FOR_CANCELLED, FOR_DELAYED = 100, 50
"""Dollars of a certificate for each passenger."""

_STATES = ("delayed", "cancelled")
_AMENDS = {"cancel_reservation", "update_reservation_flights"}


def compensate(task: Task, talk: Talk, policy: str = "") -> Call | Ask | Tell:
    """Send a certificate where the complaint is true and the policy grants one."""
    if task.written:
        return _tell_sent(talk)
    record, flight, state = find_complaint(task, talk)
    key = record["reservation_id"]
    people = len(record["passengers"])
    amount = people * (FOR_CANCELLED if state == "cancelled" else FOR_DELAYED)
    call = Call(TOOL, {"user_id": talk.memory.user_id, "amount": amount}, task)
    if call.arguments in [dict(each.arguments) for each in talk.changes if each.name == TOOL]:
        return Tell("A certificate for this has been sent already.", "refused", focus=key)
    what = f"{booked_flight(flight)} {'was' if state == 'cancelled' else 'is'} indeed {state}"
    if not is_entitled(record, talk) and ENTITLED not in task.relaxed:
        text = (
            f"I'm sorry for the trouble: {what}. Still, I can't compensate you for it: that is for "
            "silver and gold members, for insured reservations and for business, and "
            f"reservation {trip(record)} is an uninsured one in {cabin(record['cabin'])} of a "
            f"{talk.memory.membership} member."
        )
        return Tell(text, "refused", call, focus=key, rule=ENTITLED)
    if state == "delayed" and not _is_amended(key, talk) and AMENDED not in task.relaxed:
        text = (
            f"I'm sorry for the trouble: {what}. For a delay I can compensate you only once the "
            "reservation has been changed or cancelled because of it."
        )
        return Tell(text, "refused", call, focus=key, rule=AMENDED)
    return call


def is_entitled(record: Json, talk: Talk) -> bool:
    """Whether membership, insurance or cabin can bring a certificate."""
    insured = record.get("insurance") == "yes"
    return talk.memory.membership != "regular" or insured or record["cabin"] == "business"


def _is_amended(key: str, talk: Talk) -> bool:
    """Whether a reservation was changed or cancelled in this conversation."""
    return any(
        each.name in _AMENDS and each.arguments.get("reservation_id") == key
        for each in talk.changes
    )


def find_complaint(task: Task, talk: Talk) -> tuple[Json, Json, str]:
    """Reservation, flight and status that a complaint is about; Settled where it is not true.

    It is looked for among the reservations as they were before anything was changed.
    """
    found = _candidates(task, talk)
    wanted = complaint(talk.lines(task)) or complaint(talk.lines_of(task.context)) or None
    known = [
        (record, flight, state)
        for record in found
        for flight in record["flights"]
        if (state := _state(talk, flight)) in _STATES
    ]
    troubled = [each for each in known if each[2] == wanted] or known
    if len({record["reservation_id"] for record, _, _ in troubled}) > 1:
        records = {record["reservation_id"]: record for record, _, _ in troubled}
        options = tuple(Choice(key, trip(each)) for key, each in records.items())
        text = f"Which reservation is it about: {join_parts((c.words for c in options), 'or')}?"
        raise Settled(Ask(text, "reservation", task, options))
    if troubled:
        return troubled[0]
    raise Settled(_untrue(found, talk, wanted))


def _candidates(task: Task, talk: Talk) -> list[Json]:
    """Reservations, as they were at first, that a complaint can be about."""
    memory = talk.memory
    looking_up.reservations(memory)
    known = [memory.as_found[each] for each in memory.reservation_ids if each in memory.as_found]
    said = any(line.places or line.ids for line in talk.lines(task))
    if (
        not said
        and talk.focus in memory.as_found
        and _has_trouble(memory.as_found[talk.focus], talk)
    ):
        return [memory.as_found[talk.focus]]
    pointed = {each["reservation_id"] for each in find_meant(task, talk)}
    found = [each for each in known if each["reservation_id"] in pointed]
    focused = [each for each in found if each["reservation_id"] == talk.focus]
    return focused if focused and _has_trouble(focused[0], talk) else found or known


def _has_trouble(record: Json, talk: Talk) -> bool:
    return any(_state(talk, each) in _STATES for each in record["flights"])


def _state(talk: Talk, flight: Json) -> str:
    return looking_up.status(talk.memory, flight["flight_number"], flight["date"])


def _untrue(found: list[Json], talk: Talk, wanted: str | None) -> Tell:
    what = wanted or "delayed or cancelled"
    if len(found) == 1:
        states = join_parts(
            f"{booked_flight(each)} is {_state(talk, each)}" for each in found[0]["flights"]
        )
        text = f"I don't see that: {states}. I can't compensate you for it."
        return Tell(text, "refused", focus=found[0]["reservation_id"])
    return Tell(f"I don't find a flight of yours that is {what}, so I can't compensate.", "refused")


def _tell_sent(talk: Talk) -> Tell:
    amount = money(list(talk.memory.given.values())[-1]) if talk.memory.given else ""
    worth = f" worth {amount}" if amount else ""
    return Tell(f"A travel certificate{worth} is now in your profile.", "done")


def complain(task: Task, talk: Talk, policy: str = "") -> Ask | Tell:
    """Say what the records have on a complaint; compensation is not offered before it is asked."""
    try:
        record, flight, state = find_complaint(task, talk)
    except Settled as settled:
        step = settled.step
        if isinstance(step, Call):
            raise
        if isinstance(step, Tell):
            text = step.text.replace(" I can't compensate you for it.", "")
            text = text.replace(", so I can't compensate.", ".")
            return Tell(text, "answered", focus=step.focus)
        return step
    others = count(len(record["passengers"]), "passenger")
    text = (
        f"I'm sorry to hear that. {booked_flight(flight)} is indeed {state}; it is in your "
        f"reservation {trip(record)} for {others}.{_ways_out(record, state)} "
        "What would you like me to do?"
    )
    alone = len(talk.open) == 1
    if not alone:
        text = text.removesuffix(" What would you like me to do?")
        text = text.removesuffix(_ways_out(record, state))
    return Tell(text, "answered", asks=alone, focus=record["reservation_id"])


def _ways_out(record: Json, state: str) -> str:
    """What a customer can have after a flight was called off; the flight back may be left."""
    if state != "cancelled" or record.get("status") == "cancelled":
        return ""
    moved = "" if record["cabin"] == "basic_economy" else ", or move you to another flight"
    return f" I can cancel the reservation and refund it{moved}."
