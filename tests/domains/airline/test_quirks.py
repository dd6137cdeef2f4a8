from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from domains.airline.load import load
from domains.airline.quirks import CORRECT, TAU2, Quirks
from domains.airline.reading import read_base
from domains.airline.tools import toolset
from domains.core.changes import Record
from domains.core.records import Base, Records
from domains.core.tool import ToolCall, ToolResult
from tests.domains.airline.small_airline import ADA, airline, booking
from tests.domains.applying import apply

NOW = "2024-05-15T15:00:00"
TO_BOSTON = [{"flight_number": "F2", "date": "2024-05-20"}]
THERE = {"flight_number": "F1", "date": "2024-05-20"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    path = tmp_path_factory.mktemp("airline") / "db.json"
    path.write_text(json.dumps(airline()), encoding="utf-8")
    return read_base(path, "an airline for defects")[0]


def with_only(base: Base, quirk: str | None) -> Records:
    return Records(base, toolset(Quirks(**({quirk: True} if quirk else {})), NOW))


def write(records: Records, tool: str, **arguments: Any) -> ToolResult:
    return apply(records, ToolCall(tool, arguments), f"{tool} {records.digest}").result


def look_up(records: Records, tool: str, **arguments: Any) -> Any:
    return json.loads(records.look_up(ToolCall(tool, arguments)).text)


def record(records: Records, collection: str, key: str) -> Record:
    found = records.get(collection, key)
    assert found is not None
    return found


def seats(records: Records, flight: str = "F1", cabin: str = "economy") -> int:
    day = record(records, "flights", flight)["dates"]["2024-05-20"]
    return int(day["available_seats"][cabin])


def change(records: Records, **changed: Any) -> ToolResult:
    arguments = {
        "reservation_id": "R1",
        "cabin": "economy",
        "flights": [THERE],
        "payment_id": "visa",
    }
    return write(records, "update_reservation_flights", **{**arguments, **changed})


def test_every_defect_is_on_with_tau2s_records_and_off_with_ours() -> None:
    assert all(getattr(TAU2, each.name) for each in fields(Quirks))
    assert not any(getattr(CORRECT, each.name) for each in fields(Quirks))


@pytest.mark.parametrize(("quirk", "count"), [(None, 3), ("all_airports", 20)])
def test_all_airports(base: Base, quirk: str | None, count: int) -> None:
    listed = look_up(with_only(base, quirk), "list_all_airports")
    assert len(listed) == count
    assert {"iata": "JFK", "city": "New York"} in listed


@pytest.mark.parametrize(("quirk", "found"), [(None, 1), ("next_day", 0)])
def test_next_day(base: Base, quirk: str | None, found: int) -> None:
    trip = {"origin": "SEA", "destination": "JFK"}
    pairs = look_up(with_only(base, quirk), "search_onestop_flight", date="2024-05-31", **trip)
    assert [pair[1]["date"] for pair in pairs] == ["2024-06-01"] * found


@pytest.mark.parametrize(("quirk", "left"), [(None, 4), ("keeps_seats", 3)])
def test_keeps_seats_when_cancelling(base: Base, quirk: str | None, left: int) -> None:
    records = with_only(base, quirk)
    assert not write(records, "cancel_reservation", reservation_id="R1").error
    assert seats(records) == left


@pytest.mark.parametrize(("quirk", "left"), [(None, (4, 0)), ("keeps_seats", (3, 1))])
def test_keeps_seats_when_changing(base: Base, quirk: str | None, left: tuple[int, int]) -> None:
    records = with_only(base, quirk)
    assert not change(records, cabin="business").error
    assert (seats(records), seats(records, cabin="business")) == left


@pytest.mark.parametrize(("quirk", "left"), [(None, 1), ("oversells", -1)])
def test_oversells(base: Base, quirk: str | None, left: int) -> None:
    records = with_only(base, quirk)
    paid = [{"payment_id": "visa", "amount": 600}]
    twice = booking(cabin="business", flights=[THERE, THERE], payment_methods=paid)
    result = write(records, "book_reservation", **twice)
    assert result.error == (quirk is None)
    assert seats(records, cabin="business") == left


@pytest.mark.parametrize(
    ("quirk", "amounts"), [(None, [90, -90]), ("acts_on_cancelled", [90, -90, -90, 90])]
)
def test_acts_on_cancelled(base: Base, quirk: str | None, amounts: list[int]) -> None:
    records = with_only(base, quirk)
    write(records, "cancel_reservation", reservation_id="R1")
    again = write(records, "cancel_reservation", reservation_id="R1")
    assert again.text.startswith("Error: Reservation R1 is cancelled") == (quirk is None)
    history = record(records, "reservations", "R1")["payment_history"]
    assert [row["amount"] for row in history] == amounts


@pytest.mark.parametrize(("quirk", "balance"), [(None, 150.0), ("listed_twice", -50.0)])
def test_listed_twice(base: Base, quirk: str | None, balance: float) -> None:
    records = with_only(base, quirk)
    paid = [{"payment_id": "gift", "amount": 100}, {"payment_id": "gift", "amount": 100}]
    flights = [THERE, {"flight_number": "F3", "date": "2024-05-21"}]
    result = write(records, "book_reservation", **booking(flights=flights, payment_methods=paid))
    assert result.error == (quirk is None)
    assert record(records, "users", "ada")["payment_methods"]["gift"]["amount"] == balance


@pytest.mark.parametrize(("quirk", "balance"), [(None, 150.0), ("negative_money", 250.0)])
def test_negative_money(base: Base, quirk: str | None, balance: float) -> None:
    records = with_only(base, quirk)
    paid = [{"payment_id": "gift", "amount": -100}, {"payment_id": "visa", "amount": 200}]
    write(records, "book_reservation", **booking(payment_methods=paid))
    assert record(records, "users", "ada")["payment_methods"]["gift"]["amount"] == balance
    given = write(records, "send_certificate", user_id="ada", amount=-5)
    assert given.error == (quirk is None)


@pytest.mark.parametrize(("total", "nonfree"), [(-1, 0), (1, -1), (1, 2), ("two", 0), (1.5, 0)])
@pytest.mark.parametrize("quirk", [None, "any_bags"])
def test_any_bags(base: Base, quirk: str | None, total: Any, nonfree: Any) -> None:
    records = with_only(base, quirk)
    bags = {"total_baggages": total, "nonfree_baggages": nonfree, "payment_id": "visa"}
    result = write(records, "update_reservation_baggages", reservation_id="R1", **bags)
    assert result.error == (quirk is None)
    assert record(records, "reservations", "R1")["total_baggages"] == (total if quirk else 1)


@pytest.mark.parametrize(("quirk", "kept"), [(None, [ADA]), ("unread_passengers", ["Ole Dahl"])])
def test_unread_passengers(base: Base, quirk: str | None, kept: list[Any]) -> None:
    records = with_only(base, quirk)
    arguments = {"reservation_id": "R1", "passengers": ["Ole Dahl"]}
    result = write(records, "update_reservation_passengers", **arguments)
    assert result.error == (quirk is None)
    assert record(records, "reservations", "R1")["passengers"] == kept


@pytest.mark.parametrize(("quirk", "cabin"), [(None, "economy"), ("no_flights", "first")])
def test_no_flights(base: Base, quirk: str | None, cabin: str) -> None:
    records = with_only(base, quirk)
    assert change(records, cabin="first", flights=[]).error == (quirk is None)
    assert record(records, "reservations", "R1")["cabin"] == cabin


@pytest.mark.parametrize(
    ("quirk", "ends"), [(None, ("ORD", "JFK")), ("stale_route", ("SEA", "ORD"))]
)
def test_stale_route(base: Base, quirk: str | None, ends: tuple[str, str]) -> None:
    records = with_only(base, quirk)
    assert not change(records, flights=TO_BOSTON).error
    reservation = record(records, "reservations", "R1")
    assert (reservation["origin"], reservation["destination"]) == ends


@pytest.mark.parametrize("quirks", [CORRECT, TAU2])
def test_a_certificate_is_used_up_whole_by_rule_and_not_by_defect(
    base: Base, quirks: Quirks
) -> None:
    records = Records(base, toolset(quirks, NOW))
    paid = [{"payment_id": "cert", "amount": 100}]
    assert not write(records, "book_reservation", **booking(payment_methods=paid)).error
    assert "cert" not in record(records, "users", "ada")["payment_methods"]


@pytest.mark.parametrize("quirks", [CORRECT, TAU2])
def test_a_refused_call_changes_nothing(base: Base, quirks: Quirks) -> None:
    records = Records(base, toolset(quirks, NOW))
    paid = [{"payment_id": "cert", "amount": 50}] * 2
    assert write(records, "book_reservation", **booking(payment_methods=paid)).error
    assert records.diff() == ()


def test_a_booking_is_dated_by_the_records_own_time(base: Base) -> None:
    records = Records(base, toolset(CORRECT, "2025-01-01T08:30:00"))
    write(records, "book_reservation", **booking())
    assert record(records, "reservations", "HATHAT")["created_at"] == "2025-01-01T08:30:00"


def test_a_folder_of_records_is_played_with_the_defects(tmp_path: Path) -> None:
    (tmp_path / "db.json").write_text(json.dumps(airline()), encoding="utf-8")
    (tmp_path / "policy.md").write_text("# Policy", encoding="utf-8")
    records = load(tmp_path).records()
    write(records, "cancel_reservation", reservation_id="R1")
    assert seats(records) == 3
