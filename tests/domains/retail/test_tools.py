from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall, ToolKind
from domains.tau2.data import tau2_hash
from tests.domains.applying import apply
from tests.shared_data import TAU2_RETAIL

UNTOUCHED = "b25c9cb211f5efcaee5dd646054a73c4a9f43f4f5acc32c10713cd9f9ac20e9c"

GOLD_FAILURES = [
    ("2", "get_product_details", "Product not found"),
    ("3", "get_product_details", "Product not found"),
    ("4", "get_product_details", "Product not found"),
    ("35", "find_user_id_by_email", "User not found"),
    ("37", "find_user_id_by_email", "User not found"),
    ("38", "find_user_id_by_email", "User not found"),
    ("39", "find_user_id_by_name_zip", "User not found"),
    ("46", "get_order_details", "Order not found"),
    ("46", "get_order_details", "Order not found"),
    ("47", "get_order_details", "Order not found"),
    ("47", "get_order_details", "Order not found"),
    ("54", "find_user_id_by_email", "User not found"),
    ("55", "find_user_id_by_email", "User not found"),
    ("64", "exchange_delivered_order_items", "Non-delivered order cannot be exchanged"),
    ("67", "find_user_id_by_name_zip", "User not found"),
    ("67", "find_user_id_by_name_zip", "User not found"),
    ("68", "find_user_id_by_name_zip", "User not found"),
    (
        "105",
        "exchange_delivered_order_items",
        "Insufficient gift card balance to pay for the price difference",
    ),
]


def run(records: Records, name: str, **arguments: Any) -> str:
    return records.preview(ToolCall(name, arguments)).result.text


def test_untouched_records_have_the_hash_that_tau2_gives_them(tau2: Domain) -> None:
    assert tau2_hash(tau2.base) == UNTOUCHED
    assert tau2_hash(tau2.records()) == UNTOUCHED


def test_the_tasks_gold_calls_run_and_only_the_known_ones_fail(tau2: Domain) -> None:
    tasks = json.loads((TAU2_RETAIL / "tasks.json").read_text(encoding="utf-8"))
    failures, ran = [], 0
    for task in tasks:
        records = tau2.records()
        for number, action in enumerate(task["evaluation_criteria"]["actions"]):
            call = ToolCall(action["name"], action["arguments"])
            result = (
                apply(records, call, f"card {number}").result
                if tau2.tools.mutates(call.name)
                else records.look_up(call)
            )
            ran += 1
            if result.error:
                failures.append((task["id"], call.name, result.text.removeprefix("Error: ")))
    assert ran == 550
    assert failures == GOLD_FAILURES


def test_there_are_sixteen_tools_and_seven_of_them_write(retail: Domain) -> None:
    kinds = [tool.kind for tool in retail.tools]
    assert (kinds.count(ToolKind.READ), kinds.count(ToolKind.WRITE), len(kinds)) == (7, 7, 16)


def test_every_argument_is_described_to_the_model(retail: Domain) -> None:
    for tool in retail.tools:
        parameters = tool.schema["function"]["parameters"]
        names = list(inspect.signature(tool.function).parameters)[1:]
        assert tool.description
        assert parameters["required" if names else "properties"] == (names or {})
        assert all(each["description"] for each in parameters["properties"].values())


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        (
            "cancel_pending_order",
            {"order_id": "#W1"},
            "Error: RetailTools.cancel_pending_order() missing 1 required positional argument: "
            "'reason'",
        ),
        (
            "get_user_details",
            {"user_id": "x", "z": 1},
            "Error: RetailTools.get_user_details() got an unexpected keyword argument 'z'",
        ),
        ("nope", {}, "Error: Tool 'nope' not found."),
        ("get_order_details", {"order_id": "#W1"}, "Error: Order not found"),
        ("get_order_details", {"order_id": ["#W1"]}, "Error: unhashable type: 'list'"),
        ("get_item_details", {"item_id": "1"}, "Error: Item not found"),
        ("calculate", {"expression": "(2 + 3) * 1.25"}, "6.25"),
        ("transfer_to_human_agents", {"summary": "x"}, "Transfer successful"),
    ],
)
def test_results_and_refusals_read_as_in_tau2(
    retail: Domain, name: str, arguments: dict[str, Any], text: str
) -> None:
    assert run(retail.records(), name, **arguments) == text


def test_a_customer_is_found_whatever_the_letter_case(tau2: Domain) -> None:
    records = tau2.records()
    by_name = {"first_name": "yusuf", "last_name": "ROSSI", "zip": "19122"}
    found = run(records, "find_user_id_by_name_zip", **by_name)
    email = json.loads(run(records, "get_user_details", user_id=found))["email"]
    assert run(records, "find_user_id_by_email", email=email.upper()) == found
    assert run(records, "find_user_id_by_name_zip", **{**by_name, "zip": "19123"}) == (
        "Error: User not found"
    )


def test_records_are_told_whole_with_what_is_not_set_as_null(tau2: Domain) -> None:
    order = json.loads(run(tau2.records(), "get_order_details", order_id="#W2378156"))
    assert list(order) == [
        *("order_id", "user_id", "address", "items", "status", "fulfillments"),
        *("payment_history", "cancel_reason", "exchange_items", "exchange_new_items"),
        *("exchange_payment_method_id", "exchange_price_difference"),
        *("return_items", "return_payment_method_id"),
    ]
    assert order["cancel_reason"] is None


def test_products_are_listed_by_name(tau2: Domain) -> None:
    products = json.loads(run(tau2.records(), "list_all_product_types"))
    assert list(products) == sorted(products)
    assert len(products) == 50
    first = json.loads(run(tau2.records(), "get_product_details", product_id=products["T-Shirt"]))
    item_id, variant = next(iter(first["variants"].items()))
    assert json.loads(run(tau2.records(), "get_item_details", item_id=item_id)) == variant


def test_an_address_that_is_not_text_is_refused_as_tau2_refuses_it(tau2: Domain) -> None:
    lines = dict.fromkeys(("address1", "address2", "city", "state", "country"), "x")
    text = run(tau2.records(), "modify_user_address", user_id="yusuf_rossi_9620", zip=1, **lines)
    assert text.startswith("Error: 1 validation error for UserAddress\nzip\n")
