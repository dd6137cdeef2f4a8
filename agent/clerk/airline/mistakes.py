"""Mistakes that the clerk can make on purpose with reservations, flights and payments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import as_argument
from agent.clerk.airline.known_records import CABINS
from agent.clerk.airline.vocabulary import ACTS, WRITES
from agent.clerk.domain_skills import Mistake, NextStep
from agent.clerk.state.steps import Answer, Call
from domains.airline.fares import EXTRA_BAG, total

Step = Call | Answer
BOOK = "book_reservation"


def _in_call(argument: str, spoil: Callable[[Call, AirlineState], Call]) -> Mistake:
    """A mistake that spoils only calls with a certain argument."""

    def mistake(step: Step, dialogue: AirlineState, _: NextStep) -> Step:
        return (
            spoil(step, dialogue) if isinstance(step, Call) and argument in step.arguments else step
        )

    return mistake


def _change(step: Call, **arguments: Any) -> Call:
    return replace(step, arguments={**step.arguments, **arguments})


def _wrong_flight(step: Call, dialogue: AirlineState) -> Call:
    """Put another flight that can be booked into a booking or a change."""
    flights = [dict(each) for each in step.arguments["flights"]]
    cabin, people = str(step.arguments["cabin"]), len(step.arguments.get("passengers", [None]))
    for place in range(len(flights) - 1, -1, -1):
        other = _another_flight(flights[place], dialogue, cabin, people)
        if other is not None:
            flights[place] = other
            return _repaid(_change(step, flights=flights), dialogue)
    return step


def _another_flight(flight: dict[str, Any], dialogue: AirlineState, cabin: str, people: int) -> Any:
    """Another flight between the same airports, on any day that was searched; None without one."""
    found = [
        each[0]
        for (stops, *_), journeys in dialogue.records.searches.items()
        for each in journeys
        if stops == 0 and each[0]["available_seats"][cabin] >= people
    ]
    here = (each for each in found if each["flight_number"] == flight["flight_number"])
    ends = next(((each["origin"], each["destination"]) for each in here), None)
    others = as_argument([e for e in found if (e["origin"], e["destination"]) == ends])
    return next((each for each in others if each != flight), None)


def _repaid(step: Call, dialogue: AirlineState) -> Call:
    """A spoiled booking that pays the price of its new contents, so that it can be carried out."""
    if step.name != BOOK:
        return step
    told = step.arguments
    prices = {
        (flight["flight_number"], flight["date"]): int(flight["prices"][told["cabin"]])
        for journeys in dialogue.records.searches.values()
        for journey in journeys
        for flight in journey
    }
    seat = sum(prices.get((each["flight_number"], each["date"]), 0) for each in told["flights"])
    people, insured = len(told["passengers"]), told["insurance"] == "yes"
    return _with_payment(step, total(seat, people, told["nonfree_baggages"], insured=insured))


def _with_payment(step: Call, due: int) -> Call:
    """A booking whose last payment covers what the others leave of the amount due."""
    parts = [dict(each) for each in step.arguments["payment_methods"]]
    parts[-1]["amount"] = due - sum(each["amount"] for each in parts[:-1])
    return _change(step, payment_methods=parts)


def _paid(step: Call) -> int:
    """Dollars that a booking pays in total."""
    return sum(each["amount"] for each in step.arguments["payment_methods"])


def _wrong_scope(step: Call, dialogue: AirlineState) -> Call:
    """Leave the last of several passengers out of a booking."""
    people = step.arguments["passengers"]
    alone = step.name != BOOK or len(people) < 2
    return step if alone else _repaid(_change(step, passengers=people[:-1]), dialogue)


def _wrong_reservation(step: Call, dialogue: AirlineState) -> Call:
    """Change or cancel another of the customer's reservations."""
    key, known = step.arguments["reservation_id"], dialogue.records.reservations.items()
    others = [each for each, e in known if each != key and e.get("status") != "cancelled"]
    wrong = step.name in WRITES and others
    return _change(step, reservation_id=others[-1]) if wrong else step


def wrong_payment(step: Step, dialogue: AirlineState, _: NextStep) -> Step:
    """Use another of the customer's payment methods."""
    if not isinstance(step, Call):
        return step
    methods = dialogue.records.methods.items()
    if step.name == BOOK:
        parts = step.arguments["payment_methods"]
        used = {each["payment_id"] for each in parts} if len(parts) == 1 else set()
        cards = [k for k, e in methods if e.get("source") == "credit_card" and k not in used]
        instead = [{"payment_id": each, "amount": _paid(step)} for each in cards[-1:]]
        return _change(step, payment_methods=instead) if instead else step
    chosen = step.arguments.get("payment_id")
    others = [k for k, e in methods if k != chosen and e.get("source") != "certificate"]
    return step if chosen is None or not others else _change(step, payment_id=others[0])


def wrong_order(step: Step, dialogue: AirlineState, again_from: NextStep) -> Step:
    """Make the last of several requested changes first, or reverse the payments of a booking."""
    if isinstance(step, Call) and step.name == BOOK:
        return _change(step, payment_methods=step.arguments["payment_methods"][::-1])
    acts = [each for each in dialogue.open_tasks if each.intent in ACTS and not each.what_if]
    if not isinstance(step, Call) or step.name not in WRITES or len(acts) < 2:
        return step
    again = again_from(replace(dialogue, tasks=[acts[-1]]), "")
    return again if isinstance(again, Call) else again.forbidden or step


def lost_fallback(step: Step, dialogue: AirlineState, again_from: NextStep) -> Step:
    """Do something other than the fallback that the customer gave for an impossible request."""
    requests = [replace(each, fallback_tasks=[], alternatives=[]) for each in dialogue.open_tasks]
    forgotten = again_from(replace(dialogue, tasks=requests), "")
    if not isinstance(step, Call) or step.name not in WRITES:
        return step
    if isinstance(forgotten, Call) and forgotten.key == step.key:
        return step
    instead = wrong_payment(step, dialogue, again_from)
    return instead if instead != step else forgotten


def ungranted_compensation(step: Step, dialogue: AirlineState, _: NextStep) -> Step:
    """Send a certificate to a customer who complains, without any check."""
    complains = any(each.intent in {"compensation", "complaint"} for each in dialogue.tasks)
    sent = any(each.name == "send_certificate" for each in dialogue.changes)
    declined = any(key.startswith("send_certificate") for key in dialogue.declined_calls)
    known = dialogue.records.user_id is not None
    if not complains or sent or declined or not known or isinstance(step, Call):
        return step
    return Call("send_certificate", {"user_id": dialogue.records.user_id, "amount": 100})


def before_identity(step: Step, dialogue: AirlineState, _: NextStep) -> Step:
    """Cancel a reservation that the customer mentions before they are identified."""
    cancelled = (each for each in dialogue.open_tasks if each.intent == "cancel_reservation")
    named = [key for each in cancelled for key in dialogue.parse(each.all_words).ids[:1]]
    if dialogue.records.user is not None or isinstance(step, Call) or not named or dialogue.changes:
        return step
    return Call("cancel_reservation", {"reservation_id": named[0]})


def _extra_bag(step: Call, dialogue: AirlineState) -> Call:
    """Add a bag that the customer did not request, and charge for it."""
    more = {key: step.arguments[key] + 1 for key in ("total_baggages", "nonfree_baggages")}
    again = _change(step, **more)
    return _with_payment(again, _paid(step) + EXTRA_BAG) if step.name == BOOK else again


def _wrong_cabin(step: Call, dialogue: AirlineState) -> Call:
    """Take the next higher cabin; from business, the next lower one."""
    place = CABINS.index(step.arguments["cabin"])
    other = CABINS[place + 1] if place + 1 < len(CABINS) else CABINS[place - 1]
    return _repaid(_change(step, cabin=other), dialogue)


AIRLINE_MISTAKES: dict[str, Mistake] = {
    "wrong-flight": _in_call("flights", _wrong_flight),
    "wrong-reservation": _in_call("reservation_id", _wrong_reservation),
    "wrong-payment": wrong_payment,
    "wrong-scope": _in_call("passengers", _wrong_scope),
    "wrong-order": wrong_order,
    "wrong-cabin": _in_call("cabin", _wrong_cabin),
    "extra-bag": _in_call("total_baggages", _extra_bag),
    "lost-fallback": lost_fallback,
    "ungranted-compensation": ungranted_compensation,
    "before-identity": before_identity,
}
