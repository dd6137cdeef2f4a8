"""Answers to questions: about reservations and their flights, the profile, and the policy."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.asking import answer
from agent.clerk.airline.journeys import at, duration
from agent.clerk.airline.memory import CABINS, amount_paid
from agent.clerk.airline.rerouting import know_times, price_now
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.trips import coming, find_meant, find_one, lies_ahead, means_several
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    clock,
    count,
    describe_reservation,
    method,
    money,
    name,
    say,
    trip,
    way,
    weekday,
)  # fmt: skip
from agent.clerk.airline.words import phrase_table
from agent.clerk.policy import policy_lines
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Ask, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG, free_bags


def status(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How flights stand today."""
    lines = talk.lines(task)
    numbers = [each for line in lines for each in line.flight_numbers]
    days = [each.value for line in lines for each in line.days]
    if numbers and days:
        state = talk.memory.status(numbers[0], days[0]) or "not known to me"
        return answer(f"{numbers[0]} on {weekday(days[0])} is {state}.")
    found = find_meant(task, talk)
    today = [e for e in found if any(f["date"] == talk.today for f in e["flights"])]
    record = today[0] if len(today) == 1 and not days else find_one(task, talk)
    told = [
        f"{booked_flight(each)}, {way([each])}, is "
        f"{talk.memory.status(each['flight_number'], each['date']) or 'unknown to me'}"
        for each in asked_flights(task, talk, record)
    ]
    text = list_lines(told) if len(told) > 1 else f"{told[0]}."
    return answer(text, record)


def asked_flights(task: Task, talk: Talk, record: Json) -> list[Json]:
    """The flights of a reservation that a question is about."""
    lines = talk.lines(task)
    days = {each.value for line in lines for each in line.days}
    numbers = {each for line in lines for each in line.flight_numbers}
    flights: list[Json] = record["flights"]
    return [e for e in flights if e["date"] in days or e["flight_number"] in numbers] or flights


def reservations(task: Task, talk: Talk, policy: str = "") -> Tell:
    """The customer's reservations; those that lie ahead where only these were asked for."""
    found, lines = talk.memory.read_reservations(), talk.lines(task)
    if any(line.places or line.days for line in lines):
        found = find_meant(task, talk)
    elif any(line.has("upcoming", "future", "coming") for line in lines):
        found = coming(found, talk)
    elif any(line.has("past", "previous", "old") for line in lines):
        found = [each for each in found if not lies_ahead(each, talk)]
    if not found:
        return answer("I find no such reservation on your profile.")
    ahead = coming(found, talk)
    more = f", {len(ahead)} of them still ahead" if len(ahead) != len(found) else ""
    shown = list_lines(describe_reservation(each) for each in found)
    return answer(f"You have {count(len(found), 'reservation')}{more}:\n\n{shown}")


def reservation(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What a reservation holds, or what was asked of it."""
    record, line = find_one(task, talk), talk.line(task.text)
    asked = [name for name, words in phrase_table("asked").items() if line.has(*words)] or _WHOLE
    lines = [_PARTS[each](record, talk) for each in asked]
    if len(lines) == 1:
        return answer(f"Reservation {trip(record)}: {lines[0]}.", record)
    return answer(f"Reservation {trip(record)}:\n\n{list_lines(lines)}", record)


def spending(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What reservations have cost."""
    found = find_meant(task, talk)
    if len(found) == 1 or not means_several(task, talk):
        record = find_one(task, talk)
        text = f"You paid {money(amount_paid(record))} in all for reservation {trip(record)}."
        return answer(text, record)
    lines = list_lines(f"{trip(each)}: {money(amount_paid(each))}" for each in found)
    return answer(f"{lines}\n\nThat is {money(sum(map(amount_paid, found)))} in all.")


def _of_each(tell: Callable[[Json, Json, Talk], str]) -> Callable[[Json, Talk], str]:
    """What is told of each flight of a reservation."""

    def told(record: Json, talk: Talk) -> str:
        flights = record["flights"]
        return join_parts(f"{booked_flight(each)}{tell(each, record, talk)}" for each in flights)

    return told


def _times(flight: Json, record: Json, talk: Talk) -> str:
    know_times(talk.memory, flight)
    times = talk.memory.times.get(flight["flight_number"])
    if times is None:
        return " has times that I don't know"
    leaves, lands = times
    span = duration(at(flight["date"], lands) - at(flight["date"], leaves))
    return f" leaves at {clock(leaves)} and arrives at {clock(lands)} ({span})"


def _seats(flight: Json, record: Json, talk: Talk) -> str:
    found = price_now(talk.memory, flight)
    name_ = record["cabin"]
    return f": {found['available_seats'][name_] if found else 'no'} seats left in {cabin(name_)}"


def _payments(record: Json, talk: Talk) -> str:
    rows = [
        f"{money(row['amount'])} with {method(talk.memory.methods.get(key), key)}"
        for row in record["payment_history"]
        for key in [row["payment_id"]]
    ]
    return f"paid {join_parts(rows)}"


def _bags(record: Json, talk: Talk) -> str:
    extra = record["nonfree_baggages"]
    return f"{count(record['total_baggages'], 'checked bag')}, {extra} of them paid for"


_PARTS: dict[str, Callable[[Json, Talk], str]] = {
    "flights": _of_each(lambda flight, record, talk: f", {way([flight])}"),
    "times": _of_each(_times),
    "cabin": lambda record, talk: cabin(record["cabin"]),
    "passengers": lambda record, talk: "for " + join_parts(map(name, record["passengers"])),
    "bags": _bags,
    "insurance": lambda record, talk: (
        f"{'with' if record['insurance'] == 'yes' else 'no'} travel insurance"
    ),
    "price": lambda record, talk: f"{money(amount_paid(record))} in all",
    "payment": _payments,
    "seats": _of_each(_seats),
}
_WHOLE = ["flights", "cabin", "passengers", "bags", "insurance", "price"]


def allowance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How many checked bags are free."""
    named = any(line.places or line.days or line.ids for line in talk.lines(task))
    booking = any(each.intent == "book_flight" for each in talk.open)
    try:
        record = None if booking and not named else find_one(task, talk)
    except Settled as settled:
        if not isinstance(settled.step, Tell | Ask) or named:
            raise
        record = None
    member = talk.memory.membership
    if record is None or (not named and not lies_ahead(record, talk)):
        each = join_parts(f"{free_bags(member, name_, 1)} in {cabin(name_)}" for name_ in CABINS)
        return answer(say("bags by cabin", member=member, each=each, price=money(EXTRA_BAG)))
    people = len(record["passengers"])
    free = free_bags(member, record["cabin"], people)
    parts = {
        "trip": trip(record),
        "bags": count(free, "checked bag"),
        "are": "is" if free == 1 else "are",
        "people": count(people, "passenger"),
        "cabin": cabin(record["cabin"]),
        "now": count(record["total_baggages"], "bag"),
    }
    return answer(say("bags of trip", **parts, member=member, price=money(EXTRA_BAG)), record)


def profile(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What the profile holds."""
    user = talk.memory.read_profile()
    saved = join_parts(f"{name(each)}, born {each['dob']}" for each in talk.memory.saved)
    lines = [
        f"name: {name(user['name'])}",
        f"email: {user['email']}",
        f"date of birth: {user['dob']}",
        f"membership: {talk.memory.membership}",
        f"saved passengers: {saved or 'nobody'}",
    ]
    return answer(f"Your profile:\n\n{list_lines(lines)}")


def methods(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which payment methods there are."""
    talk.memory.read_profile()
    found = [method(each, key) for key, each in talk.memory.methods.items()]
    text = f"Your payment methods:\n\n{list_lines(found)}"
    return answer(text if found else "There are none on your profile.")


def balance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What is on gift cards and certificates, in all too."""
    talk.memory.read_profile()
    named = {each.kind for each in payments(talk.line(task.text)) if each.kind}
    kinds = {"gift_card", "certificate"} & (named or {"gift_card", "certificate"})
    held = {k: e for k, e in talk.memory.methods.items() if e["source"] in kinds}
    if not held:
        words = join_parts((each.replace("_", " ") for each in sorted(kinds or named)), "or")
        return answer(f"There is no {words} on your profile.")
    lines = join_parts(method(each, key) for key, each in held.items())
    sums = {
        kind: sum(float(each["amount"]) for each in held.values() if each["source"] == kind)
        for kind in ("gift_card", "certificate")
    }
    told = (f"{money(each)} in all on {k.replace('_', ' ')}s" for k, each in sums.items() if each)
    more = f"; that is {join_parts(told)}" if len(held) > 1 else ""
    return answer(f"You have: {lines}{more}.")


def membership(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which membership the customer has."""
    return answer(f"You are a {talk.memory.membership} member.")


def policy_question(task: Task, talk: Talk, policy: str = "") -> Tell:
    """The policy's own lines on what was asked."""
    return answer(policy_lines(task.text, policy))
