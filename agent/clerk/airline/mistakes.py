"""Mistakes that the clerk can make on purpose with reservations, flights and payments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import as_argument, flight_keys
from agent.clerk.airline.known_records import CABINS
from agent.clerk.airline.parsed_sentence import parse_sentence
from agent.clerk.airline.vocabulary import WRITES
from agent.clerk.domain_skills import Mistake, Step
from agent.clerk.mistakes import change, spoiled, too_early
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call
from domains.airline.fares import total

PAYMENTS = "payment_methods"


def _offered(dialogue: AirlineState, cabin: str = "", people: int = 0) -> list[Json]:
    """The flights in the searches so far, or those without a stop that have seats in a cabin."""
    return [
        flight
        for (stops, *_), journeys in dialogue.records.searches.items()
        for journey in journeys
        for flight in journey
        if not cabin or (not stops and flight["available_seats"][cabin] >= people)
    ]


def _repaid(spoil: Callable[[Call, AirlineState], Json]) -> Callable[[Call, AirlineState], Json]:
    """A mistake after which a booking pays for what it then contains, so that it can be made."""

    def spoil_and_pay(step: Call, dialogue: AirlineState) -> Json:
        wrong = spoil(step, dialogue)
        told = {**step.arguments, **wrong}
        if not wrong or PAYMENTS not in told:
            return wrong
        found = _offered(dialogue)
        prices = {key: e["prices"] for key, e in zip(flight_keys(found), found, strict=True)}
        booked = (prices.get(each) for each in flight_keys(told["flights"]))
        seat = sum(int(each[told["cabin"]]) for each in booked if each)
        people, insured = len(told["passengers"]), told["insurance"] == "yes"
        due = total(seat, people, told["nonfree_baggages"], insured=insured)
        *first, last = told[PAYMENTS]
        rest = due - sum(each["amount"] for each in first)
        return {**wrong, PAYMENTS: [*first, {**last, "amount": rest}]}

    return spoil_and_pay


def _wrong_flight(step: Call, dialogue: AirlineState) -> Json:
    """Another flight that can be booked, instead of the last one for which there is one."""
    flights, people = step.arguments["flights"], len(step.arguments.get("passengers", [None]))
    found = _offered(dialogue, str(step.arguments["cabin"]), people)
    routes = {each["flight_number"]: (each["origin"], each["destination"]) for each in found}
    for place, flight in reversed([*enumerate(flights)]):
        route = routes.get(flight["flight_number"])
        others = as_argument([e for e in found if (e["origin"], e["destination"]) == route])
        if other := next((each for each in others if each != flight), None):
            return {"flights": [*flights[:place], other, *flights[place + 1 :]]}
    return {}


def _wrong_scope(step: Call, dialogue: AirlineState) -> Json:
    """A booking without the last of several passengers."""
    people = step.arguments["passengers"]
    return {"passengers": people[:-1]} if PAYMENTS in step.arguments and len(people) > 1 else {}


def _wrong_reservation(step: Call, dialogue: AirlineState) -> Json:
    """Another of the customer's reservations, where it is to be changed or cancelled."""
    key, known = step.arguments["reservation_id"], dialogue.records.reservations.items()
    others = [each for each, e in known if each != key and e.get("status") != "cancelled"]
    return {"reservation_id": others[-1]} if step.name in WRITES and others else {}


def _wrong_payment(step: Step, dialogue: AirlineState) -> Step:
    """Another of the customer's payment methods; for a booking a credit card, for all of it."""
    if not isinstance(step, Call):
        return step
    methods = dialogue.records.methods.items()
    if PAYMENTS in step.arguments:
        parts = step.arguments[PAYMENTS]
        used = {each["payment_id"] for each in parts} if len(parts) == 1 else set()
        cards = [k for k, e in methods if e.get("source") == "credit_card" and k not in used]
        whole = {"amount": sum(each["amount"] for each in parts)}
        return change(step, **{PAYMENTS: [{"payment_id": cards[-1], **whole}]}) if cards else step
    chosen = step.arguments.get("payment_id")
    others = [k for k, e in methods if k != chosen and e.get("source") != "certificate"]
    return step if chosen is None or not others else change(step, payment_id=others[0])


def _ungranted_compensation(step: Step, dialogue: AirlineState) -> Step:
    """A certificate for a customer who complains, without any check."""
    complains = any(each.intent in {"compensation", "complaint"} for each in dialogue.tasks)
    asked = {*(each.key for each in dialogue.changes), *dialogue.declined_calls}
    again = any(key.startswith("send_certificate") for key in asked)
    if not complains or again or dialogue.records.user_id is None or isinstance(step, Call):
        return step
    return Call("send_certificate", {"user_id": dialogue.records.user_id, "amount": 100})


def _extra_bag(step: Call, dialogue: AirlineState) -> Json:
    """A bag that the customer did not request, and that is charged for."""
    return {key: step.arguments[key] + 1 for key in ("total_baggages", "nonfree_baggages")}


def _wrong_cabin(step: Call, dialogue: AirlineState) -> Json:
    """The next higher cabin; from business, the next lower one."""
    place = CABINS.index(step.arguments["cabin"])
    return {"cabin": CABINS[place + 1] if place + 1 < len(CABINS) else CABINS[place - 1]}


def _named(words: str) -> list[Json]:
    return [{"reservation_id": each} for each in parse_sentence(words, date(2000, 1, 1)).ids]


AIRLINE_MISTAKES: dict[str, Mistake] = {
    "wrong-flight": spoiled("flights", _repaid(_wrong_flight)),
    "wrong-reservation": spoiled("reservation_id", _wrong_reservation),
    "wrong-payment": _wrong_payment,
    "wrong-scope": spoiled("passengers", _repaid(_wrong_scope)),
    "wrong-order": spoiled(PAYMENTS, lambda step, _: {PAYMENTS: step.arguments[PAYMENTS][::-1]}),
    "wrong-cabin": spoiled("cabin", _repaid(_wrong_cabin)),
    "extra-bag": spoiled("total_baggages", _repaid(_extra_bag)),
    "before-identity": too_early("cancel_reservation", "cancel_reservation", _named),
    "ungranted-compensation": _ungranted_compensation,
}
"""The mistakes of this domain only, by name."""
