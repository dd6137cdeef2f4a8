"""Facts about a change at the airline, proposed or made, each a sentence that can be an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from agent.clerk.airline.known_records import AirlineRecords, amount_paid
from agent.clerk.airline.record_facts import (
    booked,
    tell_arrivals,
    tell_bags,
    tell_flight,
    tell_parts,
)
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    count,
    method,
    method_bare,
    money,
    name,
    trip,
)
from agent.clerk.questions.state_facts import UNTOUCHED
from agent.clerk.state.records import Json, RecordedCall
from agent.clerk.state.steps import Call
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG, INSURANCE

BOOK, CANCEL = "book_reservation", "cancel_reservation"
FLIGHTS, BAGS = "update_reservation_flights", "update_reservation_baggages"
PEOPLE, CERTIFICATE = "update_reservation_passengers", "send_certificate"

Trip = Mapping[str, Any]


def tell_change(change: Call | RecordedCall, records: AirlineRecords, made: bool) -> Iterator[str]:
    """Yield what a change that is proposed, or was ``made``, does and what it leaves as it is."""
    key = str(change.arguments.get("reservation_id") or "")
    before: Json = records.reservations.get(key, {})
    if change.name == CERTIFICATE:
        yield from _tell_certificate(change)
    elif made:  # what it has become, other changes since included, stands in the records
        return
    elif change.name == CANCEL and before:
        yield from _tell_cancelling(before, records)
    elif change.name == BOOK or before:
        yield from _tell_trip(change.name, before, {**before, **change.arguments}, records)
    if not made:
        yield (
            "Other flights, days or cabins, and what they cost, I have to look up first: ask me "
            "that once you have decided on this."
        )
        yield from _tell_others(key, records)


def _tell_certificate(change: Call | RecordedCall) -> Iterator[str]:
    worth = money(float(change.arguments.get("amount", 0)))
    yield f"The travel certificate is worth {worth} and goes to your profile."
    yield "The certificate comes on top of any refund: it is a compensation of its own."
    yield "The certificate is yours: it can pay for a booking of yours, whoever flies on it."
    yield "It is one certificate in your name, for all passengers of the reservation together."
    yield "The compensation is a travel certificate only: it can't be paid out as money."
    yield "A travel certificate can't pay for bags, upgrades or changes: only for a new booking."
    yield "The certificate changes nothing about your reservations."


def _tell_cancelling(record: Json, records: AirlineRecords) -> Iterator[str]:
    key, back = record["reservation_id"], money(amount_paid(record))
    yield f"Cancelling covers the whole of {trip(record)}: all flights, for everyone on it."
    paid = [each for each in record["payment_history"] if each["amount"] > 0]
    ways = join_parts(f"{money(each['amount'])} to your {_method(each, records)}" for each in paid)
    yield f"You get back all of the {back} that you paid: {ways}."
    yield f"The money arrives {REFUND_TIME}."
    yield "The refund goes back to what the reservation was paid with, and nowhere else."
    many = len(record["passengers"])
    if many > 1:
        yield f"The {back} is for all {many} passengers together."
    yield from tell_parts(record, f"reservation {key}")
    yield f"Cancelling costs nothing: no fee is taken off the {back}."
    if record["total_baggages"]:
        yield f"The bags of {key} are cancelled with it."


def _tell_trip(tool: str, before: Json, after: Trip, records: AirlineRecords) -> Iterator[str]:
    which = f"reservation {before['reservation_id']}" if before else "your new booking"
    flights = [e for e in after.get("flights", []) if isinstance(e, dict) and "date" in e]
    known = {_key(each): each for each in before.get("flights", [])}
    people = [each for each in after.get("passengers", []) if isinstance(each, dict)]
    for each in flights:
        same = _key(each) in known
        full = known.get(_key(each), each)
        yield tell_flight(full, records, which)
        if before and tool == FLIGHTS and before["cabin"] == after["cabin"]:
            state = "stays as it was" if same else "is new with this change"
            yield f"Flight {booked_flight(each)} {state}."
    routed = [{**_route_of(each, records), **each, **known.get(_key(each), {})} for each in flights]
    if all("origin" in each for each in routed) and "flight_type" in after:
        yield from tell_arrivals({**after, "flights": routed}, records, which)
    gone = [each for k, each in known.items() if k not in {_key(e) for e in flights}]
    if gone and tool == FLIGHTS:
        yield f"You no longer fly on {booked(gone)}: that is what you had before."
    yield from _tell_same_flights(tool, before)
    yield from _tell_cabin(before, after, flights)
    listed = join_parts(map(name, people))
    yield f"It is for {count(len(people), 'passenger')}: {listed}."
    if tool == PEOPLE:
        yield from _tell_names(before, people, flights)
    if before and tool != PEOPLE:
        yield "The passengers stay as they are; the change is for everyone on the reservation."
    if isinstance(after.get("total_baggages"), int):
        yield tell_bags(after, records, f"With this, {which}")
        if before and tool != BAGS:
            yield f"The bags stay as they are: {count(after['total_baggages'], 'checked bag')}."
    yield from _tell_insurance(tool, after, people)
    if tool in {BOOK, FLIGHTS} and after.get("cabin"):
        fixed = after["cabin"] == "basic_economy"
        can = "can't be changed later" if fixed else "can still be changed later"
        yield f"As {which} is in {cabin(after['cabin'])} then, its flights {can}."
    yield from _tell_cost(tool, before, after, people, records)


def _key(flight: Mapping[str, Any]) -> tuple[str, str]:
    return str(flight["flight_number"]), str(flight["date"])


def _route_of(flight: Json, records: AirlineRecords) -> Json:
    """From where to where a flight goes that was found; empty if none was found like that."""
    found = (e for some in records.searches.values() for journey in some for e in journey)
    same = next((e for e in found if e["flight_number"] == flight["flight_number"]), {})
    return {end: same[end] for end in ("origin", "destination") if end in same}


def _tell_cabin(before: Json, after: Trip, flights: list[Json]) -> Iterator[str]:
    seat = cabin(str(after.get("cabin", "")))
    if not seat:
        return
    yield f"All flights and all passengers are in {seat} then: {booked(flights)}."
    if before and before["cabin"] != after["cabin"]:
        yield f"The cabin was {cabin(before['cabin'])} before, and is {seat} with this change."
    elif before:
        yield f"The cabin stays as it is: {seat}."


def _tell_names(before: Json, people: list[Json], flights: list[Json]) -> Iterator[str]:
    for old, new in zip(before.get("passengers", []), people, strict=False):
        if old != new:
            yield f"{name(old)}, born {old['dob']}, becomes {name(new)}, born {new['dob']}."
        else:
            yield f"{name(old)} stays on it, with nothing changed."
    yield f"That is changed on the whole reservation, so on every flight: {booked(flights)}."
    yield "Changing a name or a date of birth costs nothing: there is no fee."


def _tell_insurance(tool: str, after: Trip, people: list[Json]) -> Iterator[str]:
    if after.get("insurance") == "yes":
        share = money(INSURANCE * len(people))
        each = money(INSURANCE)
        yield f"Travel insurance is included, {each} for each passenger, {share} in all."
    elif tool == BOOK:
        yield (
            f"Travel insurance is not included; it would be {money(INSURANCE)} for each passenger, "
            "and it can't be added later."
        )
    else:
        yield "The reservation has no travel insurance, and none can be added to it any more."


def _tell_same_flights(tool: str, before: Json) -> Iterator[str]:
    same = booked(before.get("flights", []))
    if same and tool in {PEOPLE, BAGS}:
        yield f"The flights stay the same, on the same days and at the same times: {same}."
    if same and tool == PEOPLE:
        yield "Only passengers change: flights, days, times, cabin, bags and insurance stay as is."


def _tell_cost(
    tool: str, before: Json, after: Trip, people: list[Json], records: AirlineRecords
) -> Iterator[str]:
    if tool == PEOPLE:
        yield "No payment method is charged for this."
        return
    if tool == BOOK:
        yield from _tell_price(after, people, records)
        used = {each.get("payment_id") for each in _payments(after)}
    else:
        yield from _tell_difference(tool, after, people, records)
        used = {after.get("payment_id")}
    if tool == BAGS:
        yield from _tell_fewer_bags(before, after)
    for key, each in records.methods.items():
        if key in used and tool == BOOK and each.get("source") == "certificate":
            yield f"Your {method(each, key)} is used up by this: nothing stays on it."
        if key not in used:
            yield f"Your {method(each, key)} is not used for this and stays as it is."


def _payments(trip: Trip) -> list[Json]:
    return [each for each in trip.get("payment_methods", []) if isinstance(each, dict)]


def _tell_price(after: Trip, people: list[Json], records: AirlineRecords) -> Iterator[str]:
    """Yield what a booking costs in all, and with what it is paid."""
    paid = _payments(after)
    total = sum(float(each.get("amount", 0)) for each in paid)
    parts = (f"{money(each['amount'])} with your {_method(each, records)}" for each in paid)
    yield f"You pay {money(total)} in all: {join_parts(parts)}."
    if len(people) > 1:
        yield f"The {money(total)} is for all {len(people)} passengers together."
    if int(after.get("nonfree_baggages") or 0):
        yield f"With one bag less it would be {money(total - EXTRA_BAG)} in all."


def _tell_difference(
    tool: str, after: Trip, people: list[Json], records: AirlineRecords
) -> Iterator[str]:
    """Yield how the sum of a change comes about, and how it can be paid."""
    if tool == BAGS:
        yield "You pay only for bags beyond the free ones: I know of no other fee for it."
    else:
        yield (
            "What you pay or get back is the price of the new flights less what you paid: I know "
            "of no other fee."
        )
        yield f"As a {records.membership} member you pay the same for it as anybody else."
        yield (
            "I can't say when money that you get back for this arrives: my rules name a time only "
            "for cancellations."
        )
    yield (
        "It has to be one payment method: the sum can't be split over several, such as two gift "
        "cards, or a gift card and a credit card."
    )
    everybody = f"all {len(people)} passengers together" if len(people) > 1 else "one passenger"
    ways = {"round_trip": ", both ways, out and back", "one_way": ", one way"}
    kind = ways.get(str(after.get("flight_type")), "")
    yield f"The sum is for {everybody} and for the whole trip{kind}."


def _method(payment: Json, records: AirlineRecords) -> str:
    """The name of the method of a payment."""
    key = str(payment["payment_id"])
    return method_bare(records.methods.get(key), key)


def _tell_fewer_bags(before: Json, after: Trip) -> Iterator[str]:
    yield "A bag is paid once for the whole trip, and not for each flight or each way."
    total, paid = int(after["total_baggages"]), int(after["nonfree_baggages"])
    for more in range(1, total - before["total_baggages"]):
        fewer = total - before["total_baggages"] - more
        due = EXTRA_BAG * max(paid - fewer - before["nonfree_baggages"], 0)
        yield f"With only {count(more, 'more bag')} it would be {money(due)}."


def tell_untouched(changed: Collection[str], records: AirlineRecords) -> Iterator[str]:
    """Yield which reservations stand as they did before this conversation."""
    for key, each in records.reservations.items():
        if key not in {*changed, *records.booked}:
            yield f"{UNTOUCHED} reservation {trip(each)}: it stays as it was."


def _tell_others(key: str, records: AirlineRecords) -> Iterator[str]:
    for other, record in records.reservations.items():
        if other != key:
            state = ", which is cancelled already" if record.get("status") == "cancelled" else ""
            yield f"This changes nothing about reservation {trip(record)}{state}."
    yield "Nothing else changes: your other reservations and your profile stay as they are."
