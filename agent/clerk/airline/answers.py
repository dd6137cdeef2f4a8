"""Skills that answer questions about reservations, flights, the profile and the policy."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import moment_of
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.known_records import CABINS, amount_paid
from agent.clerk.airline.new_flights import look_up_times, price_now
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.replies import answer
from agent.clerk.airline.reservation_changes import change_at_hand, tell_change
from agent.clerk.airline.reservation_slots import (
    find_candidates,
    find_reservation,
    is_upcoming,
    means_several,
    upcoming,
)
from agent.clerk.airline.vocabulary import RULES, phrase_table
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
    state_words,
    trip,
    way,
    weekday,
)  # fmt: skip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG, MEMBERSHIPS, free_bags


def status(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The status of the flights that a question is about, or their times if it asks for them."""
    said = dialogue.parse(task.text)
    timed = said.has_phrase(*phrase_table("asked")["times"])
    if timed and not said.has_phrase_of("asks status"):
        return reservation(task, dialogue)
    timed |= bool(read_flight_slots(said).around)
    lines = dialogue.sentences_of(task)
    numbers = [each for line in lines for each in line.flight_numbers]
    days = [each.value for line in lines for each in line.days]
    if numbers and days:
        state = _state_of(numbers[0], days[0], dialogue)
        return answer(f"{numbers[0]} on {weekday(days[0])} is {state}.")
    found = find_candidates(task, dialogue)
    today = [e for e in found if any(f["date"] == dialogue.today for f in e["flights"])]
    record = today[0] if len(today) == 1 and not days else find_reservation(task, dialogue)
    told = [
        f"{booked_flight(each)}, {way([each])}, is "
        f"{_state_of(each['flight_number'], each['date'], dialogue)}"
        f"{'; it' + _times(each, record, dialogue) if timed else ''}"
        for each in asked_flights(task, dialogue, record)
    ]
    text = list_lines(told) if len(told) > 1 else f"{told[0]}."
    return answer(text, record)


def _state_of(number: str, date: str, dialogue: AirlineState) -> str:
    """How a flight stands, in a traveller's words: ``available`` is one that has seats to sell."""
    state = dialogue.records.status(number, date) or "of unknown status"
    return say("on schedule") if state == "available" else state


def asked_flights(task: Task, dialogue: AirlineState, record: Json) -> list[Json]:
    """The flights of a reservation that a question is about; all of them if it names none."""
    lines = dialogue.sentences_of(task)
    days = {each.value for line in lines for each in line.days}
    numbers = {each for line in lines for each in line.flight_numbers}
    flights: list[Json] = record["flights"]
    return [e for e in flights if e["date"] in days or e["flight_number"] in numbers] or flights


def reservations(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The customer's reservations, or only those that the question describes."""
    found, lines = dialogue.records.read_reservations(), dialogue.sentences_of(task)
    some = any(line.has_phrase_of("past trips", "coming trips") for line in lines)
    if some or any(line.places or line.days for line in lines):
        found = find_candidates(task, dialogue)
    if not found:
        return answer("I can't find a reservation like that on your profile.")
    ahead = upcoming(found, dialogue)
    more = f", {len(ahead)} of them still ahead" if len(ahead) != len(found) else ""
    shown = list_lines(describe_reservation(each) for each in found)
    return answer(f"You have {count(len(found), 'reservation')}{more}:\n\n{shown}")


def reservation(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The contents of a reservation, or the details that were asked about."""
    line, found = dialogue.parse(task.text), find_candidates(task, dialogue)
    few = found if len(found) == 2 else [find_reservation(task, dialogue)]
    asked = [each for each, words in phrase_table("asked").items() if line.has_phrase(*words)]
    asked = asked or _WHOLE
    change = change_at_hand(dialogue)
    if change is not None and not line.ids and {*asked} <= _OF_A_CHANGE:
        told = tell_change(change, dialogue)
        if told:
            return answer(told, few[0])
    texts: list[str] = []
    for record in few:
        lines = [_PARTS[each](record, dialogue) for each in asked]
        told = f" {lines[0]}." if len(lines) == 1 else f"\n\n{list_lines(lines)}"
        texts.append(f"Reservation {trip(record)}:{told}")
    return answer("\n\n".join(texts), few[0] if len(few) == 1 else None)


def spending(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The amounts paid for the reservations that a question is about."""
    found = find_candidates(task, dialogue)
    if len(found) == 1 or not means_several(task, dialogue):
        record = find_reservation(task, dialogue)
        if record.get("status") == "cancelled":
            return answer(_refund_made(record, dialogue), record)
        text = f"You paid {money(amount_paid(record))} in all for reservation {trip(record)}."
        return answer(text, record)
    lines = list_lines(f"{trip(each)}: {money(amount_paid(each))}" for each in found)
    return answer(f"{lines}\n\nThat is {money(sum(map(amount_paid, found)))} in all.")


def _refund_made(record: Json, dialogue: AirlineState) -> str:
    """What was refunded for a reservation that is cancelled."""
    known = dialogue.records.methods
    back = [(-e["amount"], e["payment_id"]) for e in record["payment_history"] if e["amount"] < 0]
    told = join_parts(f"{money(n)} to your {method(known.get(key), key)}" for n, key in back)
    lead = f"Reservation {trip(record)} is cancelled"
    return f"{lead}: you were refunded {told}." if back else f"{lead}; no refund is recorded."


def _of_each(tell: Callable[[Json, Json, AirlineState], str]) -> Callable[..., str]:
    """Apply a description to each flight of a reservation and join the results."""
    return lambda record, dialogue: join_parts(
        f"{booked_flight(each)}{tell(each, record, dialogue)}" for each in record["flights"]
    )


def _times(flight: Json, record: Json, dialogue: AirlineState) -> str:
    look_up_times(dialogue.records, flight)
    times = dialogue.records.times.get(flight["flight_number"])
    if times is None:
        state = dialogue.records.status(flight["flight_number"], flight["date"])
        unknown = "" if state in {"landed", "flying", "cancelled"} else ", with no times that I see"
        return f" {state_words(state)}{unknown}"
    leaves, lands = times
    span = moment_of(flight["date"], lands) - moment_of(flight["date"], leaves)
    hours, minutes = divmod(span.total_seconds() // 60, 60)
    took = f"{hours:.0f} h {minutes:02.0f} min"
    stop = _stop_before(flight, record, dialogue)
    return f" leaves at {clock(leaves)} and arrives at {clock(lands)} ({took}){stop}"


def _stop_before(flight: Json, record: Json, dialogue: AirlineState) -> str:
    """How long a traveller waits for a flight after the one before it, if planes are changed."""
    place = record["flights"].index(flight)
    before = record["flights"][place - 1] if place else None
    if before is None or before["destination"] != flight["origin"] or _turns(before, record):
        return ""
    look_up_times(dialogue.records, before)
    known = dialogue.records.times
    if not {before["flight_number"], flight["flight_number"]} <= known.keys():
        return ""
    landed = moment_of(before["date"], known[before["flight_number"]][1])
    wait = moment_of(flight["date"], known[flight["flight_number"]][0]) - landed
    hours, minutes = divmod(wait.total_seconds() // 60, 60)
    return f", {hours:.0f} h {minutes:02.0f} min after that lands"


def _turns(flight: Json, record: Json) -> bool:
    """Whether a flight ends the way out."""
    return bool(flight["destination"] == record["destination"])


def _seats(flight: Json, record: Json, dialogue: AirlineState) -> str:
    found = price_now(dialogue.records, flight)
    name_ = record["cabin"]
    return f": {found['available_seats'][name_] if found else 'no'} seats left in {cabin(name_)}"


def _payments(record: Json, dialogue: AirlineState) -> str:
    known = dialogue.records.methods
    paid = ((each["amount"], each["payment_id"]) for each in record["payment_history"])
    return f"paid {join_parts(f'{money(n)} with {method(known.get(key), key)}' for n, key in paid)}"


def _bags(record: Json, dialogue: AirlineState) -> str:
    free = free_bags(dialogue.records.membership, record["cabin"], len(record["passengers"]))
    now = count(record["total_baggages"], "checked bag")
    return f"{now} ({count(free, 'bag')} would be free, each further one costs {money(EXTRA_BAG)})"


_PARTS: dict[str, Callable[[Json, AirlineState], str]] = {
    "flights": _of_each(lambda flight, record, dialogue: f", {way([flight])}"),
    "times": _of_each(_times),
    "cabin": lambda record, dialogue: cabin(record["cabin"]),
    "passengers": lambda record, dialogue: "for " + join_parts(map(name, record["passengers"])),
    "bags": _bags,
    "insurance": lambda record, dialogue: (
        f"{'with' if record['insurance'] == 'yes' else 'no'} travel insurance"
    ),
    "price": lambda record, dialogue: f"{money(amount_paid(record))} in all",
    "payment": _payments,
    "seats": _of_each(_seats),
}
_OF_A_CHANGE = {"flights", "times", "price", "payment"}
"""Details that a question asks of the flights that are proposed, while there are any."""

_WHOLE = ["flights", "cabin", "passengers", "bags", "insurance", "price"]


def allowance(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The number of free checked bags, for a reservation or for each cabin."""
    named = any(line.names_trip for line in dialogue.sentences_of(task))
    booking = any(each.intent == "book_flight" for each in dialogue.open_tasks)
    try:
        record = None if booking and not named else find_reservation(task, dialogue)
    except Settled as settled:
        if not isinstance(settled.step, Statement | Question) or named:
            raise
        record = None
    line = dialogue.parse(task.text)
    supposed = (each for each in MEMBERSHIPS if line.has_phrase(each))
    member = next(supposed, dialogue.records.membership)  # "if i were silver"
    if record is None or (not named and not is_upcoming(record, dialogue)):
        each = join_parts(f"{free_bags(member, name_, 1)} in {cabin(name_)}" for name_ in CABINS)
        return answer(say("bags by cabin", member=member, each=each, price=money(EXTRA_BAG)))
    people = len(record["passengers"])
    seat = next((str(each.value) for each in line.cabins), record["cabin"])  # "in economy"
    free = free_bags(member, seat, people)
    parts = {
        "trip": trip(record),
        "bags": count(free, "checked bag"),
        "are": "is" if free == 1 else "are",
        "people": count(people, "passenger"),
        "cabin": cabin(seat),
        "now": count(record["total_baggages"], "bag"),
    }
    return answer(say("bags of trip", **parts, member=member, price=money(EXTRA_BAG)), record)


def profile(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The contents of the customer's profile."""
    user = dialogue.records.read_profile()
    saved = join_parts(f"{name(each)}, born {each['dob']}" for each in dialogue.records.saved)
    lines = [
        f"name: {name(user['name'])}",
        f"email: {user['email']}",
        f"date of birth: {user['dob']}",
        f"membership: {dialogue.records.membership}",
        f"saved passengers: {saved or 'none'}",
    ]
    return answer(f"Your profile:\n\n{list_lines(lines)}")


def methods(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The customer's payment methods."""
    dialogue.records.read_profile()
    found = [method(each, key) for key, each in dialogue.records.methods.items()]
    text = f"Your payment methods:\n\n{list_lines(found)}"
    return answer(text if found else "There are no payment methods on your profile.")


def balance(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The balances of gift cards and certificates, each and in total."""
    dialogue.records.read_profile()
    named = {each.kind for each in payments(dialogue.parse(task.text)) if each.kind}
    kinds = {"gift_card", "certificate"} & (named or {"gift_card", "certificate"})
    held = {k: e for k, e in dialogue.records.methods.items() if e["source"] in kinds}
    if not held:
        words = join_parts((each.replace("_", " ") for each in sorted(kinds or named)), "or")
        return answer(f"There is no {words} on your profile.")
    lines = join_parts(method(each, key) for key, each in held.items())
    sums = {
        kind: sum(float(each["amount"]) for each in held.values() if each["source"] == kind)
        for kind in ("gift_card", "certificate")
    }
    told = (f"{money(each)} in all on {k.replace('_', ' ')}s" for k, each in sums.items() if each)
    more = f"; that is {join_parts(told)}" if len(held) > 1 and any(sums.values()) else ""
    return answer(f"You have: {lines}{more}.")


def membership(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The customer's membership level."""
    return answer(f"You are a {dialogue.records.membership} member.")


def policy_question(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The policy lines that match the question best."""
    return answer(RULES.answer(task.text, policy, dialogue.said_before, dialogue.change_at_hand))
