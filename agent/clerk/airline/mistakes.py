"""Mistakes that can be made with reservations, flights and payments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.clerk.airline.manner import ACTS
from agent.clerk.airline.memory import CABINS, WRITES
from agent.clerk.airline.talk import Talk
from agent.clerk.steps import Answer, Call
from agent.clerk.trade import Mistake, NextStep

Step = Call | Answer


def _with_arguments(step: Call, **arguments: Any) -> Call:
    return replace(step, arguments={**step.arguments, **arguments})


def wrong_flight(step: Step, talk: Talk, _: NextStep) -> Step:
    """Put another flight that can be booked into a booking or a change."""
    if not isinstance(step, Call) or "flights" not in step.arguments:
        return step
    flights = [dict(each) for each in step.arguments["flights"]]
    cabin, people = str(step.arguments["cabin"]), len(step.arguments.get("passengers", [None]))
    for place in range(len(flights) - 1, -1, -1):
        other = _another_flight(flights[place], talk, cabin, people)
        if other is not None:
            flights[place] = other
            return _repaid(_with_arguments(step, flights=flights), talk)
    return step


def _another_flight(flight: dict[str, Any], talk: Talk, cabin: str, people: int) -> Any:
    """Another flight between the same airports on that day; else the same one on another day."""
    found = [
        each[0]
        for (stops, *_), journeys in talk.memory.searches.items()
        for each in journeys
        if stops == 0 and each[0]["available_seats"][cabin] >= people
    ]
    here = (each for each in found if each["flight_number"] == flight["flight_number"])
    ends = next(((each["origin"], each["destination"]) for each in here), None)
    others = (
        {"flight_number": each["flight_number"], "date": each["date"]}
        for each in found
        if (each["origin"], each["destination"]) == ends
    )
    return next((each for each in others if each != flight), None)


def _repaid(step: Call, talk: Talk) -> Call:
    """A spoiled booking pays what its flights cost, so that it can be carried out."""
    if step.name != "book_reservation":
        return step
    prices = {
        (flight["flight_number"], flight["date"]): int(flight["prices"][step.arguments["cabin"]])
        for journeys in talk.memory.searches.values()
        for journey in journeys
        for flight in journey
    }
    listed = step.arguments["flights"]
    fare = sum(prices.get((each["flight_number"], each["date"]), 0) for each in listed)
    insured = 30 if step.arguments["insurance"] == "yes" else 0
    people, bags = len(step.arguments["passengers"]), step.arguments["nonfree_baggages"]
    return _with_payment(step, people * (fare + insured) + 50 * bags)


def _with_payment(step: Call, total: int) -> Call:
    """A booking whose last payment takes up what the others leave of the total."""
    parts = [dict(each) for each in step.arguments["payment_methods"]]
    parts[-1]["amount"] = total - sum(each["amount"] for each in parts[:-1])
    return _with_arguments(step, payment_methods=parts)


def wrong_scope(step: Step, talk: Talk, _: NextStep) -> Step:
    """Leave the last of several passengers out of a booking."""
    people = step.arguments.get("passengers", []) if isinstance(step, Call) else []
    if not isinstance(step, Call) or step.name != "book_reservation" or len(people) < 2:
        return step
    return _repaid(_with_arguments(step, passengers=people[:-1]), talk)


def wrong_reservation(step: Step, talk: Talk, _: NextStep) -> Step:
    """Change or cancel another of the customer's reservations."""
    key = step.arguments.get("reservation_id") if isinstance(step, Call) else None
    others = [
        each
        for each, record in talk.memory.reservations.items()
        if each != key and record.get("status") != "cancelled"
    ]
    if not isinstance(step, Call) or step.name not in WRITES or key is None or not others:
        return step
    return _with_arguments(step, reservation_id=others[-1])


def wrong_payment(step: Step, talk: Talk, _: NextStep) -> Step:
    """Use another of the customer's payment methods."""
    if not isinstance(step, Call):
        return step
    cards = [k for k, e in talk.memory.methods.items() if e.get("source") == "credit_card"]
    if step.name == "book_reservation":
        return _all_on_one(step, cards)
    chosen = step.arguments.get("payment_id")
    others = [
        key
        for key, each in talk.memory.methods.items()
        if key != chosen and each.get("source") != "certificate"
    ]
    return step if chosen is None or not others else _with_arguments(step, payment_id=others[0])


def _all_on_one(step: Call, cards: list[str]) -> Call:
    parts = step.arguments["payment_methods"]
    total = sum(each["amount"] for each in parts)
    used = {each["payment_id"] for each in parts} if len(parts) == 1 else set()
    others = [each for each in cards if each not in used]
    if not others:
        return step
    return _with_arguments(step, payment_methods=[{"payment_id": others[-1], "amount": total}])


def wrong_order(step: Step, talk: Talk, again_from: NextStep) -> Step:
    """Take the last of several changes first, and the payments from the last to the first."""
    if isinstance(step, Call) and step.name == "book_reservation":
        parts = step.arguments["payment_methods"]
        return _with_arguments(step, payment_methods=parts[::-1])
    acts = [each for each in talk.open if each.intent in ACTS and not each.what_if]
    if not isinstance(step, Call) or step.name not in WRITES or len(acts) < 2:
        return step
    turned = replace(talk, requests=[acts[-1]])
    again = again_from(turned, "")
    return again if isinstance(again, Call) else again.forbidden or step


def lost_fallback(step: Step, talk: Talk, again_from: NextStep) -> Step:
    """Do something else than what the customer said to do where their wish is not possible."""
    requests = [replace(each, otherwise=[], alternatives=[]) for each in talk.open]
    forgotten = again_from(replace(talk, requests=requests), "")
    if not isinstance(step, Call) or step.name not in WRITES:
        return step
    if isinstance(forgotten, Call) and forgotten.key == step.key:
        return step
    instead = wrong_payment(step, talk, again_from)
    return instead if instead != step else forgotten


def ungranted_compensation(step: Step, talk: Talk, _: NextStep) -> Step:
    """Send a certificate to whoever complains."""
    complaint = any(each.intent in _COMPLAINTS for each in talk.requests)
    sent = any(each.name == "send_certificate" for each in talk.changes)
    if not complaint or sent or isinstance(step, Call) or talk.memory.user_id is None:
        return step
    declined = any(key.startswith("send_certificate") for key in talk.unwanted)
    call = Call("send_certificate", {"user_id": talk.memory.user_id, "amount": 100})
    return step if declined else call


_COMPLAINTS = {"compensation", "complaint"}


def before_identity(step: Step, talk: Talk, _: NextStep) -> Step:
    """Cancel a reservation that was named before anybody knows who is asking."""
    named = [
        talk.line(each.all_words).ids[0]
        for each in talk.open
        if each.intent == "cancel_reservation" and talk.line(each.all_words).ids
    ]
    if talk.memory.user is not None or isinstance(step, Call) or not named or talk.changes:
        return step
    return Call("cancel_reservation", {"reservation_id": named[0]})


def extra_bag(step: Step, talk: Talk, _: NextStep) -> Step:
    """Add a bag that nobody asked for, and charge for it."""
    if not isinstance(step, Call) or "total_baggages" not in step.arguments:
        return step
    more = {key: step.arguments[key] + 1 for key in ("total_baggages", "nonfree_baggages")}
    again = _with_arguments(step, **more)
    if step.name != "book_reservation":
        return again
    return _with_payment(
        again, sum(each["amount"] for each in step.arguments["payment_methods"]) + 50
    )


def wrong_cabin(step: Step, talk: Talk, _: NextStep) -> Step:
    """Take the next better cabin, or the next humbler one from business."""
    if not isinstance(step, Call) or "cabin" not in step.arguments:
        return step
    place = CABINS.index(step.arguments["cabin"])
    other = CABINS[place + 1] if place + 1 < len(CABINS) else CABINS[place - 1]
    return _repaid(_with_arguments(step, cabin=other), talk)


AIRLINE_MISTAKES: dict[str, Mistake] = {
    "wrong-flight": wrong_flight,
    "wrong-reservation": wrong_reservation,
    "wrong-payment": wrong_payment,
    "wrong-scope": wrong_scope,
    "wrong-order": wrong_order,
    "wrong-cabin": wrong_cabin,
    "extra-bag": extra_bag,
    "lost-fallback": lost_fallback,
    "ungranted-compensation": ungranted_compensation,
    "before-identity": before_identity,
}
