from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import domains
from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall, ToolKind
from domains.tau2.data import tau2_hash
from tests.domains.applying import apply
from tests.effort import examples
from tests.shared_data import TAU2_AIRLINE

UNTOUCHED = "124e39a664b56402bcd09cb8a6a9cece6acb8462337c969799d5658e3250f263"


def run(records: Records, name: str, **arguments: Any) -> str:
    return records.preview(ToolCall(name, arguments)).result.text


def test_untouched_records_have_the_hash_that_tau2_gives_them(airline_tau2: Domain) -> None:
    assert tau2_hash(airline_tau2.base) == UNTOUCHED
    assert tau2_hash(airline_tau2.records()) == UNTOUCHED


def test_the_tasks_gold_calls_run_and_none_fails(airline_tau2: Domain) -> None:
    tasks = json.loads((TAU2_AIRLINE / "tasks.json").read_text(encoding="utf-8"))
    failures, ran = [], 0
    for task in tasks:
        records = airline_tau2.records()
        for number, action in enumerate(task["evaluation_criteria"]["actions"]):
            call = ToolCall(action["name"], action["arguments"])
            result = (
                apply(records, call, f"card {number}").result
                if airline_tau2.tools.mutates(call.name)
                else records.look_up(call)
            )
            ran += 1
            failures += [(task["id"], call.name, result.text)] if result.error else []
    assert ran == 142
    assert failures == []


def test_the_airline_loads_by_name() -> None:
    assert domains.load("airline").name == "airline"


def test_there_are_fourteen_tools_and_six_of_them_write(airline: Domain) -> None:
    kinds = [tool.kind for tool in airline.tools]
    assert (kinds.count(ToolKind.READ), kinds.count(ToolKind.WRITE), len(kinds)) == (6, 6, 14)


def test_every_argument_is_described_to_the_model(airline: Domain) -> None:
    for tool in airline.tools:
        parameters = tool.schema["function"]["parameters"]
        names = list(inspect.signature(tool.function).parameters)[1:]
        assert tool.description
        assert parameters["required" if names else "properties"] == (names or {})
        assert all(each["description"] for each in parameters["properties"].values())


def test_the_objects_of_a_booking_are_described_field_by_field(airline: Domain) -> None:
    tool = airline.tools.get("book_reservation")
    assert tool is not None
    described = tool.schema["function"]["parameters"]["$defs"]
    assert {name: list(each["properties"]) for name, each in described.items()} == {
        "FlightChoice": ["flight_number", "date"],
        "PassengerDetails": ["first_name", "last_name", "dob"],
        "PaymentPart": ["payment_id", "amount"],
    }


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        (
            "cancel_reservation",
            {},
            "Error: AirlineTools.cancel_reservation() missing 1 required positional argument: "
            "'reservation_id'",
        ),
        ("nope", {}, "Error: Tool 'nope' not found."),
        ("get_user_details", {"user_id": "x"}, "Error: User x not found"),
        ("get_reservation_details", {"reservation_id": "x"}, "Error: Reservation x not found"),
        ("get_reservation_details", {"reservation_id": ["x"]}, "Error: unhashable type: 'list'"),
        (
            "get_flight_status",
            {"flight_number": "x", "date": "2024-05-20"},
            "Error: Flight x not found",
        ),
        ("search_direct_flight", {"origin": "x", "destination": "y", "date": "z"}, "[]"),
        ("calculate", {"expression": "(2 + 3) * 1.25"}, "6.25"),
        ("transfer_to_human_agents", {"summary": "x"}, "Transfer successful"),
    ],
)
def test_results_and_refusals_read_as_in_tau2(
    airline: Domain, name: str, arguments: dict[str, Any], text: str
) -> None:
    assert run(airline.records(), name, **arguments) == text


def test_a_flight_that_does_not_fly_that_day_is_told_with_the_day(airline_tau2: Domain) -> None:
    text = run(
        airline_tau2.records(), "get_flight_status", flight_number="HAT001", date="2024-06-01"
    )
    assert text == "Error: Flight HAT001 not found on date 2024-06-01"


def test_searches_find_only_what_can_be_booked(airline: Domain) -> None:
    records = airline.records()
    flights = list(airline.base.collections["flights"].values())[:20]
    days = [(flight, *each) for flight in flights for each in flight["dates"].items()]
    for flight, date, day in days[:: len(days) // examples(len(days))]:
        asked = {"origin": flight["origin"], "destination": flight["destination"], "date": date}
        found = json.loads(records.look_up(ToolCall("search_direct_flight", asked)).text)
        numbers = [each["flight_number"] for each in found]
        assert (flight["flight_number"] in numbers) == (day["status"] == "available")


def test_certificates_run_out_after_three(airline: Domain) -> None:
    records, user_id = airline.records(), next(iter(airline.base.collections["users"]))
    texts = [
        apply(
            records, ToolCall("send_certificate", {"user_id": user_id, "amount": 50}), str(n)
        ).result.text
        for n in range(4)
    ]
    assert texts[0] == f"Certificate certificate_3221322 added to user {user_id} with amount 50."
    assert texts[3] == "Error: Too many certificates"
