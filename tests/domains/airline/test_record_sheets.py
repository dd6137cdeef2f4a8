from __future__ import annotations

from typing import Any

import pytest

from domains.core.domain import Domain
from domains.core.tool import ToolCall


def test_a_customers_sheets_are_profile_methods_passengers_and_reservations(
    airline_tau2: Domain,
) -> None:
    sheets = airline_tau2.sheets(airline_tau2.records(), "mia_li_3668")
    user = airline_tau2.base.collections["users"]["mia_li_3668"]
    assert [sheet.heading for sheet in sheets] == [
        "Mia Li",
        "Payment methods",
        "Saved passengers",
        "Reservations",
        *(f"Reservation {key}" for key in user["reservations"]),
    ]
    shown = {field.path: field.value for sheet in sheets for field in sheet.fields}
    assert shown["users/mia_li_3668/membership"] == "gold"
    assert shown["users/mia_li_3668/payment_methods.credit_card_4421486"] == "Visa ending 7447"
    assert shown["reservations/NO6JO3/status"] == "booked"


def test_an_unknown_customer_has_no_sheets(airline: Domain) -> None:
    assert airline.sheets(airline.records(), "nobody") == []


@pytest.mark.parametrize(
    ("name", "arguments", "revealed"),
    [
        ("get_user_details", {"user_id": "mia_li_3668"}, "mia_li_3668"),
        ("get_user_details", {"user_id": "nobody"}, None),
        ("get_reservation_details", {"reservation_id": "NO6JO3"}, "mia_li_3668"),
        ("list_all_airports", {}, None),
    ],
)
def test_a_successful_look_up_reveals_the_customer(
    airline_tau2: Domain, name: str, arguments: dict[str, Any], revealed: str | None
) -> None:
    call = ToolCall(name, arguments)
    result = airline_tau2.records().look_up(call)
    assert airline_tau2.customer_of(call, result.text) == revealed


@pytest.mark.parametrize(
    ("arguments", "owner"),
    [
        ({"reservation_id": "NO6JO3"}, "mia_li_3668"),
        ({"reservation_id": "none"}, None),
        ({"reservation_id": ["NO6JO3"]}, None),
        ({"user_id": "mia_li_3668"}, "mia_li_3668"),
        ({}, None),
    ],
)
def test_a_write_touches_the_records_of_whoever_it_names(
    airline_tau2: Domain, arguments: dict[str, Any], owner: str | None
) -> None:
    assert airline_tau2.owner_of(airline_tau2.records(), arguments) == owner
