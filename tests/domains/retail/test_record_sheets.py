from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.core.domain import Domain
from domains.core.tool import ToolCall
from tests.domains.applying import apply
from tests.domains.retail.retail_calls import writes
from tests.effort import examples


def test_a_customers_sheets_are_profile_payment_methods_and_every_order(tau2: Domain) -> None:
    sheets = tau2.sheets(tau2.records(), "yusuf_rossi_9620")
    user = tau2.base.collections["users"]["yusuf_rossi_9620"]
    headings = [sheet.heading for sheet in sheets]
    assert headings == [
        "Yusuf Rossi",
        "Payment methods",
        *(f"Order {order_id}" for order_id in user["orders"]),
    ]
    shown = {field.path: field.value for sheet in sheets for field in sheet.fields}
    assert shown["orders/#W2378156/status"] == "delivered"
    assert shown["orders/#W2378156/items.2"] == (
        "Mechanical Keyboard (linear, RGB, full size, $272.33)"
    )


def test_an_unknown_customer_has_no_sheets(retail: Domain) -> None:
    assert retail.sheets(retail.records(), "nobody") == []


@settings(
    max_examples=examples(200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_every_change_of_a_write_stands_on_the_customers_sheets(
    retail: Domain, data: st.DataObject
) -> None:
    records = retail.records()
    call = data.draw(writes(retail))
    for change in apply(records, call).changes:
        assert change.after is not None
        sheets = retail.sheets(records, change.after["user_id"])
        paths = [field.path for sheet in sheets for field in sheet.fields]
        for each in change.fields:
            where = f"{change.collection}/{change.key}/{each.label}"
            assert any(where == path or where.startswith(f"{path}.") for path in paths), where


@pytest.mark.parametrize(
    ("name", "arguments", "revealed"),
    [
        ("find_user_id_by_email", {"email": "YUSUF.ROSSI7301@example.com"}, "yusuf_rossi_9620"),
        ("find_user_id_by_email", {"email": "nobody@example.com"}, None),
        ("get_user_details", {"user_id": "yusuf_rossi_9620"}, "yusuf_rossi_9620"),
        ("get_order_details", {"order_id": "#W2378156"}, "yusuf_rossi_9620"),
        ("get_order_details", {"order_id": "#W0"}, None),
        ("list_all_product_types", {}, None),
    ],
)
def test_a_successful_look_up_reveals_the_customer(
    tau2: Domain, name: str, arguments: dict[str, Any], revealed: str | None
) -> None:
    call = ToolCall(name, arguments)
    assert tau2.customer_of(call, tau2.records().look_up(call).text) == revealed


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"user_id": 5}'])
def test_a_strange_result_reveals_nobody(tau2: Domain, text: str) -> None:
    assert tau2.customer_of(ToolCall("get_user_details", {}), text) is None
