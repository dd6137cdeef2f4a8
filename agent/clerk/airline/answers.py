"""Answers to questions about reservations, flights and what things cost."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline import journeys, looking_up
from agent.clerk.airline.memory import Memory, amount_paid
from agent.clerk.airline.rerouting import price_now
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant, find_one, lies_ahead, means_several, stands
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    clock,
    count,
    describe_reservation,
    method,
    money,
    name,
    trip,
    way,
    weekday,
)
from agent.clerk.airline.words import phrase_table
from agent.clerk.remembering import Json
from agent.clerk.steps import Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts, list_lines


def answer(text: str, focus: str = "") -> Tell:
    """A question settled by these words."""
    return Tell(text, "answered", focus=focus)


def status(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How flights stand today."""
    lines = talk.lines(task)
    numbers = [each for line in lines for each in line.flight_numbers]
    days = [each.value for line in lines for each in line.days]
    if numbers and days:
        state = looking_up.status(talk.memory, numbers[0], days[0]) or "not known to me"
        return answer(f"{numbers[0]} on {weekday(days[0])} is {state}.")
    record = _today(task, talk, days) or find_one(task, talk)
    asked = [
        each
        for each in record["flights"]
        if (not days or each["date"] in days) and (not numbers or each["flight_number"] in numbers)
    ]
    told = [
        f"{booked_flight(each)}, {way([each])}, is "
        f"{looking_up.status(talk.memory, each['flight_number'], each['date']) or 'unknown to me'}"
        for each in asked or record["flights"]
    ]
    text = list_lines(told) if len(told) > 1 else f"{told[0]}."
    if any(line.has("how late", "how long", "how much") for line in lines):
        text = f"{text} By how much, the records don't tell me."
    return answer(text, record["reservation_id"])


def _today(task: Task, talk: Talk, days: list[str]) -> Json | None:
    """The one reservation that flies today, of several that a question can be about."""
    found = find_meant(task, talk)
    flying = [each for each in found if any(f["date"] == talk.today for f in each["flights"])]
    return flying[0] if len(flying) == 1 and not days else None


def reservations(task: Task, talk: Talk, policy: str = "") -> Tell:
    """The customer's reservations; those that lie ahead where only these were asked for."""
    found = _find_asked(task, talk)
    if not found:
        return answer("I find no such reservation on your profile.")
    return answer(
        f"Your reservations:\n\n{list_lines(describe_reservation(each) for each in found)}"
    )


def _find_asked(task: Task, talk: Talk) -> list[Json]:
    everything = looking_up.reservations(talk.memory)
    lines = talk.lines(task)
    if any(line.places or line.days for line in lines):
        return find_meant(task, talk)
    if any(line.has("upcoming", "future", "coming") for line in lines):
        return [each for each in everything if stands(each) and lies_ahead(each, talk)]
    if any(line.has("past", "previous", "old") for line in lines):
        return [each for each in everything if not lies_ahead(each, talk)]
    return everything


def counts(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How many reservations, flights or passengers there are."""
    found, line = _find_asked(task, talk), talk.line(task.text)
    if line.has("passengers", "people"):
        return reservation(task, talk)
    if line.has("flights"):
        number = sum(len(each["flights"]) for each in found)
        return answer(f"That is {count(number, 'flight')} in {count(len(found), 'reservation')}.")
    upcoming = [each for each in found if stands(each) and lies_ahead(each, talk)]
    more = f", {len(upcoming)} of them still ahead" if len(upcoming) != len(found) else ""
    return answer(f"You have {count(len(found), 'reservation')}{more}.")


_ASKED = phrase_table("answers", "asked")


def reservation(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What a reservation holds, or what was asked of it."""
    record, line = find_one(task, talk), talk.line(task.text)
    asked = [name for name, words in _ASKED.items() if line.has(*words)] or _WHOLE
    lines = [_PARTS[each](record, talk) for each in asked]
    text = "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else f"{lines[0]}."
    lead = f"Reservation {trip(record)}:\n\n" if len(lines) > 1 else f"Reservation {trip(record)}: "
    return answer(f"{lead}{text}", record["reservation_id"])


def _flights(record: Json, talk: Talk) -> str:
    return join_parts(f"{booked_flight(each)}, {way([each])}" for each in record["flights"])


def _times(record: Json, talk: Talk) -> str:
    return join_parts(
        f"{booked_flight(each)} leaves at {clock(leaves)} and arrives at {clock(lands)}"
        if (leaves := times[0]) and (lands := times[1])
        else f"the times of {booked_flight(each)} are not known to me"
        for each in record["flights"]
        for times in [_when(each, talk.memory)]
    )


def _when(flight: Json, memory: Memory) -> tuple[str, str]:
    number = flight["flight_number"]
    if number not in memory.times:
        looking_up.search(memory, 0, flight["origin"], flight["destination"], flight["date"])
    return memory.times.get(number, ("", ""))


def _duration(record: Json, talk: Talk) -> str:
    spans = []
    for each in record["flights"]:
        leaves, lands = _when(each, talk.memory)
        length = journeys.minutes(lands) - journeys.minutes(leaves)
        known = bool(leaves)
        hours = f"{length // 60} h {length % 60:02} min" if known else "a time that I don't know"
        spans.append(f"{booked_flight(each)} takes {hours}")
    return join_parts(spans)


def _seats(record: Json, talk: Talk) -> str:
    spans = []
    for each in record["flights"]:
        found = price_now(talk.memory, each)
        left = found["available_seats"][record["cabin"]] if found else None
        free = f"{left} left" if left is not None else "no longer on sale"
        spans.append(f"{booked_flight(each)}: {free}")
    return f"seats in {cabin(record['cabin'])}: {join_parts(spans)}"


def _bags(record: Json, talk: Talk) -> str:
    extra = record["nonfree_baggages"]
    return f"{count(record['total_baggages'], 'checked bag')}, {extra} of them paid for"


def _insurance(record: Json, talk: Talk) -> str:
    return "with travel insurance" if record.get("insurance") == "yes" else "no travel insurance"


def _payments(record: Json, talk: Talk) -> str:
    rows = [
        f"{money(row['amount'])} with {method(talk.memory.methods.get(key), key)}"
        for row in record["payment_history"]
        for key in [row["payment_id"]]
    ]
    return f"paid {join_parts(rows)}"


def _state(record: Json, talk: Talk) -> str:
    return "it stands" if stands(record) else "it is cancelled"


_PARTS: dict[str, Callable[[Json, Talk], str]] = {
    "flights": _flights,
    "dates": _flights,
    "times": _times,
    "duration": _duration,
    "cabin": lambda record, talk: cabin(record["cabin"]),
    "type": lambda record, talk: record["flight_type"].replace("_", " "),
    "passengers": lambda record, talk: "for " + join_parts(map(name, record["passengers"])),
    "bags": _bags,
    "insurance": _insurance,
    "price": lambda record, talk: f"{money(amount_paid(record))} in all",
    "total": lambda record, talk: f"{money(amount_paid(record))} in all",
    "payment": _payments,
    "seats": _seats,
    "status": _state,
}
_WHOLE = ["flights", "cabin", "passengers", "bags", "insurance", "total"]


def spending(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What reservations have cost."""
    found = find_meant(task, talk)
    if len(found) == 1 or not means_several(task, talk):
        record = find_one(task, talk)
        text = f"You paid {money(amount_paid(record))} in all for reservation {trip(record)}."
        return answer(text, record["reservation_id"])
    lines = list_lines(f"{trip(each)}: {money(amount_paid(each))}" for each in found)
    return answer(f"{lines}\n\nThat is {money(sum(map(amount_paid, found)))} in all.")
