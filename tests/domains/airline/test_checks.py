from __future__ import annotations

import json
from typing import Any

import pytest

from domains.airline.quirks import CORRECT
from domains.airline.reading import read_base
from domains.airline.tools import toolset
from domains.core.records import Base, Records
from domains.core.tool import Check, Question, ToolCall
from tests.domains.airline.small_airline import ADA, OLE, airline, booking
from tests.domains.applying import apply

NOW = "2024-05-15T15:00:00"
THERE = {"flight_number": "F1", "date": "2024-05-20"}
BACK = {"flight_number": "F3", "date": "2024-05-21"}
BOOK = ("book_reservation", booking())
CANCEL = ("cancel_reservation", {"reservation_id": "R1"})
BAGS = (
    "update_reservation_baggages",
    {
        "reservation_id": "R1",
        "total_baggages": 2,
        "nonfree_baggages": 1,
        "payment_id": "gift",
    },
)
FLIGHTS = (
    "update_reservation_flights",
    {
        "reservation_id": "R1",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-21"}],
        "payment_id": "gift",
    },
)
PASSENGERS = (
    "update_reservation_passengers",
    {"reservation_id": "R1", "passengers": [OLE]},
)
CERTIFICATE = ("send_certificate", {"user_id": "ada", "amount": 100})

Call = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    return airline()


@pytest.fixture
def records(tmp_path: Any, content: dict[str, Any]) -> Records:
    return loaded(tmp_path, content)


def loaded(folder: Any, content: dict[str, Any]) -> Records:
    path = folder / "db.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    base: Base = read_base(path, "an airline for checks")[0]
    return Records(base, toolset(CORRECT, NOW))


def checks_of(records: Records, name: str) -> tuple[Check, ...]:
    tool = records.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    return tool.notes.checks


def questions(records: Records, name: str, arguments: dict[str, Any]) -> list[Question]:
    tool = records.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    return list(tool.notes.questions(records.draft(), arguments))


def failing(records: Records, name: str, arguments: dict[str, Any], source: str) -> set[str]:
    return {
        check.name
        for check in checks_of(records, name)
        if check.source == source and not check.run(records.draft(), arguments).holds
    }


@pytest.mark.parametrize(
    ("call", "changed", "check"),
    [
        (BOOK, {"user_id": "bob"}, "The customer has an account"),
        (
            BOOK,
            {"cabin": "first"},
            "Trip, cabin, passengers, bags and insurance are valid",
        ),
        (
            BOOK,
            {"flights": [{**THERE, "date": "2024-05-16"}]},
            "Each flight can be booked on its date",
        ),
        (BOOK, {"passengers": [ADA] * 4}, "Each flight has enough seats in the cabin"),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "x", "amount": 100}]},
            "The payment methods are on the customer's file",
        ),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "gift", "amount": 151}]},
            "Gift cards and certificates cover what they pay",
        ),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "visa", "amount": 99}]},
            "The payments add up to the price",
        ),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "visa", "amount": 101}]},
            "The payments add up to the price",
        ),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "cert", "amount": 50}] * 2},
            "No certificate is listed twice",
        ),
        (
            BOOK,
            {"payment_methods": [{"payment_id": "visa", "amount": 50}] * 2},
            "No payment method is listed twice",
        ),
        (
            BOOK,
            {
                "payment_methods": [
                    {"payment_id": "visa", "amount": 100},
                    {"payment_id": "gift", "amount": 0},
                ]
            },
            "Each payment is more than $0",
        ),
        (CANCEL, {"reservation_id": "R9"}, "The reservation exists"),
        (BAGS, {"total_baggages": "2"}, "The bag counts are valid"),
        (
            BAGS,
            {"payment_id": "cert"},
            "The payment method is a card on the customer's file, not a certificate",
        ),
        (
            BAGS,
            {"total_baggages": 5, "nonfree_baggages": 4},
            "A gift card, if used, covers the amount",
        ),
        (FLIGHTS, {"flights": [{"flight_number": "F1"}]}, "Each flight has a number and a date"),
        (FLIGHTS, {"cabin": "first"}, "Each new flight can be booked and has enough seats"),
        (FLIGHTS, {"cabin": "business"}, "A gift card, if used, covers the amount"),
        (PASSENGERS, {"passengers": [ADA, OLE]}, "There are as many passengers as before"),
        (PASSENGERS, {"passengers": ["Ole"]}, "Each passenger is an object that can be read"),
        (CERTIFICATE, {"amount": 0}, "The amount is a valid number of dollars"),
    ],
)
def test_one_thing_wrong_fails_its_check_and_the_call(
    records: Records, call: Call, changed: dict[str, Any], check: str
) -> None:
    name, arguments = call
    assert failing(records, name, arguments, "tool") == set()
    assert not records.preview(ToolCall(name, arguments)).result.error
    wrong = {**arguments, **changed}
    assert check in failing(records, name, wrong, "tool")
    assert records.preview(ToolCall(name, wrong)).result.error


ROUND = {"flight_type": "round_trip", "flights": [THERE, BACK]}


@pytest.mark.parametrize(
    ("call", "changed", "check"),
    [
        (BOOK, {"passengers": [ADA] * 6}, "There are at most five passengers"),
        (BOOK, {"origin": "LAX"}, "The flights make up the trip, from origin to destination"),
        (
            BOOK,
            {"flight_type": "round_trip"},
            "The flights make up the trip, from origin to destination",
        ),
        (
            BOOK,
            {**ROUND, "flights": [THERE, {**BACK, "date": "2024-05-20"}]},
            "The flights make up the trip, from origin to destination",
        ),
        (BOOK, {"total_baggages": 3}, "Bags beyond the free ones are paid for, and only those"),
        (BOOK, {"nonfree_baggages": 1}, "Bags beyond the free ones are paid for, and only those"),
        (BAGS, {"total_baggages": 0}, "Bags are added, not removed"),
        (BAGS, {"nonfree_baggages": 0}, "Bags beyond the free ones are paid for, and only those"),
        (
            FLIGHTS,
            {
                "reservation_id": "R2",
                "cabin": "basic_economy",
                "flights": [{"flight_number": "F2", "date": "2024-05-21"}],
            },
            "A basic economy reservation keeps its flights",
        ),
        (FLIGHTS, {"flights": [BACK]}, "The trip stays the same: origin, destination and type"),
        (FLIGHTS, {"flights": []}, "The trip stays the same: origin, destination and type"),
        (
            FLIGHTS,
            {"reservation_id": "R3", "cabin": "business"},
            "The cabin stays the same once a flight has been flown",
        ),
        (FLIGHTS, {"flights": [THERE]}, "Something changes"),
        (PASSENGERS, {"passengers": [ADA]}, "At least one passenger changes"),
        (CANCEL, {"reservation_id": "R3"}, "None of its flights has been flown"),
    ],
)
def test_what_the_policy_alone_forbids_fails_its_check(
    records: Records, call: Call, changed: dict[str, Any], check: str
) -> None:
    name, arguments = call
    assert check not in failing(records, name, arguments, "policy")
    assert check in failing(records, name, {**arguments, **changed}, "policy")


@pytest.mark.parametrize("changed", [{}, ROUND, {"total_baggages": 2, "nonfree_baggages": 1}])
def test_a_booking_within_the_policy_fails_no_check(
    records: Records, changed: dict[str, Any]
) -> None:
    assert failing(records, "book_reservation", booking(**changed), "policy") == set()


@pytest.mark.parametrize(
    ("kinds", "holds"),
    [
        (["cert", "visa", "gift"], True),
        (["cert", "cert2"], False),
        (["visa", "visa2"], False),
        (["gift", "gift2", "gift3"], True),
        (["gift", "gift2", "gift3", "gift4"], False),
    ],
)
def test_few_payment_methods_of_a_kind_can_be_used_together(
    tmp_path: Any, kinds: list[str], holds: bool
) -> None:
    content = airline()
    methods = content["users"]["ada"]["payment_methods"]
    for name in set(kinds) - methods.keys():
        methods[name] = {**methods[name[:4]], "id": name}
    paid = [{"payment_id": kind, "amount": 1} for kind in kinds]
    found = failing(
        loaded(tmp_path, content), "book_reservation", booking(payment_methods=paid), "policy"
    )
    assert ("At most one certificate, one credit card and three gift cards" not in found) == holds


GROUNDS = "There are grounds to cancel it"
INSURED = "its travel insurance, for health or weather reasons only"


@pytest.mark.parametrize(
    ("changed", "holds", "value"),
    [
        (
            {},
            False,
            "booked 2024-05-02 at 03:10, more than 24 hours ago; economy, not business; "
            "no travel insurance; no flight cancelled",
        ),
        (
            {"created_at": "2024-05-14T15:00:00"},
            True,
            "booked within 24 hours: 2024-05-14 at 15:00",
        ),
        (
            {"created_at": "2024-05-14T14:59:59"},
            False,
            "booked 2024-05-14 at 14:59, more than 24 hours ago; economy, not business; "
            "no travel insurance; no flight cancelled",
        ),
        ({"cabin": "business"}, True, "business"),
        ({"cabin": "business", "insurance": "yes"}, True, "business"),
        ({"insurance": "yes"}, True, INSURED),
        ({"date": "2024-05-16"}, True, "F1 on 16 May is cancelled by the airline"),
    ],
)
def test_a_reservation_can_be_cancelled_on_four_grounds(
    tmp_path: Any, changed: dict[str, Any], holds: bool, value: str
) -> None:
    content = airline()
    reservation = content["reservations"]["R1"]
    reservation["flights"][0]["date"] = changed.pop("date", "2024-05-20")
    reservation.update(changed)
    records = loaded(tmp_path, content)
    (check,) = [each for each in checks_of(records, "cancel_reservation") if each.name == GROUNDS]
    finding = check.run(records.draft(), CANCEL[1])
    assert (finding.holds, finding.value) == (holds, value)
    asked = questions(records, *CANCEL)
    assert [each.decisive for each in asked] == [True] * (value == INSURED)
    assert all("health or weather" in each.text for each in asked)


@pytest.mark.parametrize(
    ("date", "value"),
    [
        ("2024-05-13", "F1 on 13 May has taken off"),
        ("2024-05-14", "F1 on 14 May has landed"),
        ("2024-05-15", "none has departed"),
        ("2024-05-16", "none has departed"),
        ("2024-05-20", "none has departed"),
    ],
)
def test_a_flight_has_been_flown_once_it_took_off(tmp_path: Any, date: str, value: str) -> None:
    content = airline()
    content["reservations"]["R1"]["flights"][0]["date"] = date
    records = loaded(tmp_path, content)
    checks = checks_of(records, "cancel_reservation")
    (check,) = [each for each in checks if each.name == "None of its flights has been flown"]
    finding = check.run(records.draft(), CANCEL[1])
    assert (finding.holds, finding.value) == (value == "none has departed", value)


ENTITLED = "Silver or gold member, insured, or in business"
AMOUNT = "$100 a passenger for a cancelled flight, or $50 for a delayed one"
ACTED_ON = "For a delay, the reservation was changed or cancelled"
ONCE = "It has not already been given in this conversation"


@pytest.mark.parametrize(
    ("membership", "reservation", "amount", "failed"),
    [
        ("regular", {}, 50, {ENTITLED, AMOUNT}),
        ("silver", {}, 50, {ACTED_ON}),
        ("regular", {"insurance": "yes"}, 50, {ACTED_ON}),
        ("regular", {"cabin": "business"}, 50, {ACTED_ON}),
        ("gold", {}, 99999, {AMOUNT}),
        ("gold", {}, 100, {AMOUNT}),
        ("gold", {"passengers": [ADA, OLE]}, 100, {ACTED_ON}),
        ("gold", {"date": "2024-05-16"}, 100, set()),
        ("gold", {"date": "2024-05-16"}, 50, {AMOUNT}),
        ("gold", {"date": "2024-05-20"}, 50, {AMOUNT}),
    ],
)
def test_compensation_goes_to_those_entitled_in_the_amount_that_fits(
    tmp_path: Any, membership: str, reservation: dict[str, Any], amount: int, failed: set[str]
) -> None:
    records = compensated(tmp_path, membership, reservation)
    call = {"user_id": "ada", "amount": amount}
    assert failing(records, "send_certificate", call, "policy") == failed
    asked = questions(records, "send_certificate", call)
    assert bool(asked) == (AMOUNT not in failed)
    assert all(each.decisive and "F2 on 1" in each.text for each in asked)


def compensated(tmp_path: Any, membership: str, reservation: dict[str, Any]) -> Records:
    """Ada, with nothing but R4, whose flight is delayed."""
    content = airline()
    content["users"]["ada"].update(membership=membership, reservations=["R4"])
    record = content["reservations"]["R4"]
    record["flights"][0]["date"] = reservation.pop("date", "2024-05-15")
    record.update(reservation)
    return loaded(tmp_path, content)


MOVED = {
    "reservation_id": "R4",
    "cabin": "economy",
    "flights": [{"flight_number": "F2", "date": "2024-05-21"}],
    "payment_id": "visa",
}


@pytest.mark.parametrize(
    ("date", "amount"), [("2024-05-15", 50), ("2024-05-16", 100)], ids=["delayed", "cancelled"]
)
@pytest.mark.parametrize(
    "acted",
    [
        ("cancel_reservation", {"reservation_id": "R4"}),
        ("update_reservation_flights", MOVED),
    ],
    ids=["then cancelled", "then changed"],
)
def test_what_a_flight_was_is_made_up_for_once_the_reservation_was_changed_or_cancelled(
    tmp_path: Any, date: str, amount: int, acted: Call
) -> None:
    records = compensated(tmp_path, "gold", {"date": date})
    apply(records, ToolCall(*acted), "first")
    call = {"user_id": "ada", "amount": amount}
    assert failing(records, "send_certificate", call, "policy") == set()
    other = {**call, "amount": 150 - amount}
    assert failing(records, "send_certificate", other, "policy") == {AMOUNT}
    apply(records, ToolCall("send_certificate", call), "second")
    assert failing(records, "send_certificate", call, "policy") == {ONCE}


def test_a_booking_asks_of_insurance_bags_and_a_flight_that_is_held_already(
    records: Records,
) -> None:
    held = records.get("reservations", "R1")
    assert held is not None
    flights = [{name: held["flights"][0][name] for name in ("flight_number", "date")}]
    later = [{**THERE, "date": "2024-05-21"}]
    plain = questions(records, "book_reservation", booking(flights=later, total_baggages=0))
    assert [each.text for each in plain] == ["Do you want to go without travel insurance?"]
    rich = booking(flights=flights, insurance="yes", passengers=[ADA, OLE], total_baggages=1)
    first, insured, bags = questions(records, "book_reservation", rich)
    assert first.decisive
    assert "a second time? Reservation R1 has it." in first.text
    assert insured.text == "Do you want travel insurance, for 2 × $30.00 = $60.00?"
    assert bags.text == "Do you need 1 checked bag?"


def closes(records: Records, name: str, arguments: dict[str, Any]) -> list[str]:
    tool = records.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    return list(tool.notes.closes(records.draft(), arguments))


def test_a_card_says_what_is_closed_only_where_this_change_closes_it(records: Records) -> None:
    name, change = FLIGHTS
    assert closes(records, name, change) == []
    assert closes(records, name, {**change, "cabin": "basic_economy"}) != []
    assert closes(records, *BOOK) == ["travel insurance cannot be added later"]
    assert closes(records, "book_reservation", booking(insurance="yes")) == []
    basic = booking(insurance="yes", cabin="basic_economy")
    assert closes(records, "book_reservation", basic) == closes(
        records, name, {**change, "cabin": "basic_economy"}
    )
