from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from domains.airline import load, scenarios
from domains.core.canonical import canonical
from domains.core.changes import Record
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall
from tests.domains.scenarios.scenario_ends import customer, failed_checks, tried

SCENARIOS = scenarios.load()
COVERED = {
    "payment order",
    "one certificate",
    "basic economy",
    "upgrade then cancel",
    "cancel and rebook",
    "free bags",
    "same-day return",
    "one stop",
    "blocked beside feasible",
    "two reservations",
    "delay with entitlement",
    "delay without entitlement",
    "cancelled flight",
    "information",
    "transfer",
    "passenger name",
    "baggage",
    "insurance",
    "change cabin",
    "change of mind",
    "conditional fallback",
    "hidden evidence",
    "policy refusal",
    "gift card",
    "several ends",
}
BOOKINGS = [
    pytest.param(call.arguments, id=scenario.id)
    for scenario in SCENARIOS
    for end in scenario.ends
    for call in end
    if call.name == "book_reservation"
]


@cache
def airline() -> Domain:
    return load()


def by_id(scenario_id: str) -> Scenario:
    return next(scenario for scenario in SCENARIOS if scenario.id == scenario_id)


def found(call: ToolCall) -> Any:
    result = tried(airline(), call)
    assert not result.error, result.text
    return json.loads(result.text)


def reservation(scenario_id: str, index: int = 0) -> Record:
    """One of the reservations of the person whom the role names."""
    user = customer(airline(), by_id(scenario_id))
    record: Record = airline().base.collections["reservations"][user["reservations"][index]]
    return record


def status(flight: Record) -> str:
    day = airline().base.collections["flights"][flight["flight_number"]]["dates"][flight["date"]]
    return str(day["status"])


def refused_by_policy_alone(call: ToolCall) -> bool:
    """Whether the tool would do it although a declared check does not hold."""
    failed = failed_checks(airline(), Draft(airline().records()), call)
    return bool(failed) and not tried(airline(), call).error


def moved(record: Record, cabin: str, date: str, payment_id: str) -> ToolCall:
    """A change of the reservation's first flight to another date, or of its cabin."""
    first, *others = [
        {"flight_number": flight["flight_number"], "date": flight["date"]}
        for flight in record["flights"]
    ]
    return ToolCall(
        "update_reservation_flights",
        {
            "reservation_id": record["reservation_id"],
            "cabin": cabin,
            "flights": [{**first, "date": date}, *others],
            "payment_id": payment_id,
        },
    )


def cancelled(record: Record) -> ToolCall:
    return ToolCall("cancel_reservation", {"reservation_id": record["reservation_id"]})


def method(scenario_id: str, kind: str, place: int = 0) -> str:
    held: dict[str, Record] = customer(airline(), by_id(scenario_id))["payment_methods"]
    return [each for each in held if each.startswith(kind)][place]


def test_the_domain_offers_all_of_them() -> None:
    assert airline().scenarios == SCENARIOS


def test_together_they_cover_what_can_happen() -> None:
    assert {tag for scenario in SCENARIOS for tag in scenario.tags} >= COVERED


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_role_knows_enough_to_be_identified(scenario: Scenario) -> None:
    user_id = customer(airline(), scenario)["user_id"]
    assert f"Your user id is {user_id}." in scenario.role.knows


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_no_role_mentions_another_id(scenario: Scenario) -> None:
    user = customer(airline(), scenario)
    words = canonical([scenario.role.who, scenario.role.knows, scenario.role.wants])
    assert "LRK" not in words
    assert "_" not in words.replace(user["user_id"], "")
    assert all(each not in words for each in user["reservations"])


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_what_a_role_knows_about_itself_is_true(scenario: Scenario) -> None:
    user = customer(airline(), scenario)
    known = " ".join(scenario.role.knows)
    for membership in re.findall(r"You are a (\w+) member", known):
        assert membership == user["membership"]
    for dob in re.findall(r"(?:Your date of birth is|you were born on) ([\d-]+)", known):
        assert dob == user["dob"]
    for kind in re.findall(r"gift card|certificate|Visa|Mastercard", known):
        held = user["payment_methods"].values()
        names = {each.get("brand", each["source"].replace("_", " ")) for each in held}
        assert kind.lower() in names


@pytest.mark.parametrize("booking", BOOKINGS)
def test_who_is_booked_is_known_to_the_role_or_to_the_profile(booking: Record) -> None:
    user = airline().base.collections["users"][booking["user_id"]]
    profile = [{**user["name"], "dob": user["dob"]}, *user["saved_passengers"]]
    assert all(person in profile for person in booking["passengers"])


@pytest.mark.parametrize("booking", BOOKINGS)
def test_what_is_booked_is_paid_to_the_dollar(booking: Record) -> None:
    paid = sum(each["amount"] for each in booking["payment_methods"])
    flights = airline().base.collections["flights"]
    fare = sum(
        flights[each["flight_number"]]["dates"][each["date"]]["prices"][booking["cabin"]]
        for each in booking["flights"]
    )
    each = fare + (30 if booking["insurance"] == "yes" else 0)
    assert paid == each * len(booking["passengers"]) + 50 * booking["nonfree_baggages"]


def direct(origin: str, destination: str, date: str) -> list[str]:
    arguments = {"origin": origin, "destination": destination, "date": date}
    return [each["flight_number"] for each in found(ToolCall("search_direct_flight", arguments))]


CHOICES = {
    ("BOS", "JFK"): ["LRK261", "LRK263"],
    ("LAX", "SFO"): ["LRK122", "LRK124"],
    ("SEA", "MCO"): [],
}
"""The direct flights where the role says when, or takes one stop because there is none."""


@pytest.mark.parametrize("booking", BOOKINGS)
def test_there_is_one_flight_to_book_unless_the_role_says_which(booking: Record) -> None:
    origin, destination, first = booking["origin"], booking["destination"], booking["flights"][0]
    expected = CHOICES.get((origin, destination), [first["flight_number"]])
    assert direct(origin, destination, first["date"]) == expected


def test_the_only_way_to_orlando_is_by_chicago() -> None:
    ((call,),) = by_id("orlando-by-way-of-chicago").ends
    arguments = {"origin": "SEA", "destination": "MCO", "date": "2024-05-21"}
    pairs = found(ToolCall("search_onestop_flight", arguments))
    same_day = [pair for pair in pairs if pair[1]["date"] == "2024-05-21"]
    chosen = [each["flight_number"] for each in call.arguments["flights"]]
    assert [[each["flight_number"] for each in pair] for pair in same_day] == [chosen]


def test_back_from_new_york_in_the_evening_there_is_one_flight() -> None:
    flights = airline().base.collections["flights"]
    back = direct("JFK", "BOS", "2024-05-21")
    late = [each for each in back if flights[each]["scheduled_departure_time_est"] > "18"]
    early = [
        each
        for each in direct("BOS", "JFK", "2024-05-21")
        if flights[each]["scheduled_arrival_time_est"] < "08"
    ]
    assert (early, late) == (["LRK261"], ["LRK264"])


def test_the_first_method_is_used_up_before_the_next() -> None:
    ((call,),) = by_id("certificate-cards-then-visa").ends
    held = customer(airline(), by_id("certificate-cards-then-visa"))["payment_methods"]
    *whole, rest = call.arguments["payment_methods"]
    assert [held[each["payment_id"]]["amount"] for each in whole] == [150, 40, 65]
    assert all(held[each["payment_id"]]["amount"] == each["amount"] for each in whole)
    assert held[rest["payment_id"]]["brand"] == "visa"


def test_two_certificates_for_one_booking_are_against_the_policy_alone() -> None:
    scenario = by_id("one-certificate-only")
    ((call,),) = scenario.ends
    payments = [
        {"payment_id": method(scenario.id, "certificate"), "amount": 200},
        {"payment_id": method(scenario.id, "certificate", 1), "amount": 125},
        {"payment_id": method(scenario.id, "credit_card"), "amount": 155},
    ]
    both = ToolCall(call.name, {**call.arguments, "payment_methods": payments})
    assert refused_by_policy_alone(both)


def test_moving_basic_economy_is_against_the_policy_alone() -> None:
    record = reservation("basic-economy-stays")
    card = method("basic-economy-stays", "credit_card")
    assert refused_by_policy_alone(moved(record, "basic_economy", "2024-05-19", card))


@pytest.mark.parametrize("scenario_id", ["upgrade-then-cancel", "gold-is-no-reason"])
def test_plain_economy_cannot_be_cancelled_by_the_policy_alone(scenario_id: str) -> None:
    assert refused_by_policy_alone(cancelled(reservation(scenario_id)))


def test_once_upgraded_it_can_be_cancelled() -> None:
    ((upgrade, cancel),) = by_id("upgrade-then-cancel").ends
    draft = Draft(airline().records())
    airline().tools.run(upgrade, draft)
    assert failed_checks(airline(), draft, cancel) == []


def test_another_destination_for_the_same_reservation_is_against_the_policy_alone() -> None:
    record = reservation("atlanta-instead")
    arguments = {
        "reservation_id": record["reservation_id"],
        "cabin": "economy",
        "flights": [{"flight_number": "LRK201", "date": "2024-05-21"}],
        "payment_id": method("atlanta-instead", "credit_card"),
    }
    assert refused_by_policy_alone(ToolCall("update_reservation_flights", arguments))


def test_too_few_paid_bags_for_the_membership_are_against_the_policy_alone() -> None:
    ((call,),) = by_id("five-bags-to-orlando").ends
    ((payment),) = call.arguments["payment_methods"]
    free = {"nonfree_baggages": 0, "payment_methods": [{**payment, "amount": 362}]}
    assert refused_by_policy_alone(ToolCall(call.name, {**call.arguments, **free}))


def test_bags_cannot_be_paid_with_the_certificate() -> None:
    ((call,),) = by_id("two-more-bags").ends
    certificate = {"payment_id": method("two-more-bags", "certificate")}
    result = tried(airline(), ToolCall(call.name, {**call.arguments, **certificate}))
    assert result.text == "Error: Certificate cannot be used to update reservation"


@pytest.mark.parametrize(
    ("scenario_id", "expected"),
    [
        ("delayed-and-moved", "delayed"),
        ("delayed-and-nothing", "delayed"),
        ("denver-called-off", "cancelled"),
    ],
)
def test_what_is_complained_about_has_happened(scenario_id: str, expected: str) -> None:
    assert [status(flight) for flight in reservation(scenario_id)["flights"]] == [expected]


@pytest.mark.parametrize(
    ("scenario_id", "dollars"), [("delayed-and-moved", 50), ("denver-called-off", 100)]
)
def test_a_certificate_is_for_each_passenger(scenario_id: str, dollars: int) -> None:
    ((_, call),) = by_id(scenario_id).ends
    passengers = reservation(scenario_id)["passengers"]
    assert call.name == "send_certificate"
    assert call.arguments["amount"] == dollars * len(passengers)


def test_nothing_entitles_the_one_who_gets_no_certificate() -> None:
    scenario = by_id("delayed-and-nothing")
    assert customer(airline(), scenario)["membership"] == "regular"
    assert reservation(scenario.id)["cabin"] == "economy"
    assert reservation(scenario.id)["insurance"] == "no"
    arguments = {"user_id": customer(airline(), scenario)["user_id"], "amount": 50}
    assert refused_by_policy_alone(ToolCall("send_certificate", arguments))


def test_half_of_the_trip_that_is_handed_over_is_flown() -> None:
    record = reservation("half-flown")
    assert [status(flight) for flight in record["flights"]] == ["landed", "available"]
    assert refused_by_policy_alone(cancelled(record))


def test_one_more_passenger_is_refused_by_the_tool() -> None:
    record = reservation("room-for-one-more")
    anton = {"first_name": "Anton", "last_name": "Steiner", "dob": "2003-08-30"}
    arguments = {
        "reservation_id": record["reservation_id"],
        "passengers": [*record["passengers"], anton],
    }
    result = tried(airline(), ToolCall("update_reservation_passengers", arguments))
    assert result.text == "Error: Number of passengers does not match"


def test_either_flight_on_monday_is_an_end() -> None:
    ends = by_id("either-flight-on-monday").ends
    flights = [end[0].arguments["flights"][0]["flight_number"] for end in ends]
    assert flights == direct("ATL", "MCO", "2024-05-20")


def test_what_must_be_communicated_stands_in_the_records() -> None:
    total, seat = by_id("what-orlando-costs").communicate
    record = reservation("what-orlando-costs")
    assert [each["amount"] for each in record["payment_history"]] == [int(total)]
    first = record["flights"][0]
    day = airline().base.collections["flights"][first["flight_number"]]["dates"][first["date"]]
    assert day["prices"]["business"] == int(seat)


def test_the_refund_that_must_be_communicated_is_the_one_that_is_made() -> None:
    scenario = by_id("back-to-economy")
    ((call,),) = scenario.ends
    draft = Draft(airline().records())
    airline().tools.run(call, draft)
    after = draft.get("reservations", call.arguments["reservation_id"])
    assert after is not None
    assert -after["payment_history"][-1]["amount"] == int(*scenario.communicate)


def test_of_two_reservations_only_the_right_one_can_be_cancelled() -> None:
    off, kept = (reservation("ill-and-upgraded", index) for index in (0, 1))
    draft = Draft(airline().records())
    assert failed_checks(airline(), draft, cancelled(off)) == []
    assert refused_by_policy_alone(cancelled(kept))
