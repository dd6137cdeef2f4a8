from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.changes import Record
from domains.core.domain import Domain
from domains.core.records import Base, Records
from domains.core.tool import ToolCall
from domains.retail.load import load
from domains.retail.quirks import CORRECT, TAU2, Quirks
from domains.retail.reading import read_base
from domains.retail.tools import toolset
from tests.domains.applying import apply

ADDRESS = {
    "address1": "1 Elm Street",
    "address2": "",
    "city": "Boise",
    "country": "USA",
    "state": "ID",
    "zip": "83702",
}
PRICES = {"mug": {"m1": 10.0, "m2": 12.5, "m3": 10.0}, "tee": {"t1": 20.1, "t2": 30.25}}


def store() -> dict[str, Any]:
    """A store in which each defect can be seen: mugs, tees, and one order for each purpose."""
    return {
        "products": {
            name: {
                "name": name.title(),
                "product_id": name,
                "variants": {
                    key: {
                        "item_id": key,
                        "options": {"kind": key},
                        "available": True,
                        "price": price,
                    }
                    for key, price in prices.items()
                },
            }
            for name, prices in PRICES.items()
        },
        "users": {
            "ann": {
                "user_id": "ann",
                "name": {"first_name": "Ann", "last_name": "Berg"},
                "address": ADDRESS,
                "email": "ann@example.com",
                "payment_methods": {
                    "gift": {"source": "gift_card", "id": "gift", "balance": 100.0},
                    "paypal": {"source": "paypal", "id": "paypal"},
                },
                "orders": ["#W1", "#W2"],
            }
        },
        "orders": {
            "#W1": order("#W1", "pending", ["m1", "m1", "m2", "t1"]),
            "#W2": order("#W2", "delivered", ["m1", "t1"]),
        },
    }


def order(order_id: str, status: str, item_ids: list[str]) -> Record:
    products = {key: name for name, prices in PRICES.items() for key in prices}
    items = [
        {
            "name": products[key].title(),
            "product_id": products[key],
            "item_id": key,
            "price": PRICES[products[key]][key],
            "options": {"kind": key},
        }
        for key in item_ids
    ]
    total = sum(PRICES[products[key]][key] for key in item_ids)
    return {
        "order_id": order_id,
        "user_id": "ann",
        "address": ADDRESS,
        "items": items,
        "status": status,
        "fulfillments": [],
        "payment_history": [
            {"transaction_type": "payment", "amount": total, "payment_method_id": "paypal"}
        ],
    }


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    path = tmp_path_factory.mktemp("store") / "db.json"
    path.write_text(json.dumps(store()), encoding="utf-8")
    return read_base(path, "a store for defects")


def modified(records: Records, old: list[str], new: list[str], order_id: str = "#W1") -> Record:
    arguments = {"item_ids": old, "new_item_ids": new, "payment_method_id": "gift"}
    return write(records, "modify_pending_order_items", order_id, **arguments)


def write(records: Records, tool: str, order_id: str, **arguments: Any) -> Record:
    call = ToolCall(tool, {"order_id": order_id, **arguments})
    result = apply(records, call, f"{tool} {records.digest}").result
    assert not result.error, result.text
    after = records.get("orders", order_id)
    assert after is not None
    return after


def with_only(base: Base, quirk: str | None) -> Records:
    return Records(base, toolset(Quirks(**({quirk: True} if quirk else {}))))


def items(order: Record) -> list[tuple[str, float]]:
    return [(item["item_id"], item["price"]) for item in order["items"]]


def test_every_defect_is_on_with_tau2s_records_and_off_with_ours() -> None:
    assert all(getattr(TAU2, each.name) for each in fields(Quirks))
    assert not any(getattr(CORRECT, each.name) for each in fields(Quirks))


@pytest.mark.parametrize(
    ("quirk", "expected"),
    [
        (None, [("m3", 10.0), ("m1", 10.0), ("m2", 12.5), ("t2", 30.25)]),
        ("last_variant", [("m3", 30.25), ("m1", 10.0), ("m2", 12.5), ("t2", 30.25)]),
    ],
)
def test_last_variant(base: Base, quirk: str | None, expected: list[tuple[str, float]]) -> None:
    after = modified(with_only(base, quirk), ["m1", "t1"], ["m3", "t2"])
    assert items(after) == expected
    kinds = [item["options"]["kind"] for item in after["items"]]
    assert kinds == ["t2" if quirk else "m3", "m1", "m2", "t2"]


@pytest.mark.parametrize(
    ("quirk", "expected"), [(None, ["m2", "m1", "m1"]), ("finds_again", ["m1", "m1", "m2"])]
)
def test_finds_again(base: Base, quirk: str | None, expected: list[str]) -> None:
    after = modified(with_only(base, quirk), ["m1", "m2"], ["m2", "m1"])
    assert [key for key, _ in items(after)][:3] == expected


@pytest.mark.parametrize(
    ("quirk", "rows", "balance"),
    [
        (None, [("refund", 52.6, "gift")], 100.0),
        (
            "refunds_refunds",
            [("refund", 52.6, "paypal"), ("refund", 52.6, "gift"), ("refund", 52.6, "paypal")],
            100.0,
        ),
    ],
)
def test_refunds_refunds(
    base: Base, quirk: str | None, rows: list[tuple[str, float, str]], balance: float
) -> None:
    records = with_only(base, quirk)
    write(records, "modify_pending_order_payment", "#W1", payment_method_id="gift")
    after = write(records, "cancel_pending_order", "#W1", reason="no longer needed")
    assert [tuple(row.values()) for row in after["payment_history"][3:]] == rows
    user = records.get("users", "ann")
    assert user is not None
    assert user["payment_methods"]["gift"]["balance"] == balance


@pytest.mark.parametrize(("quirk", "amount"), [(None, 10.15), ("float_noise", 30.25 - 20.1)])
def test_float_noise(base: Base, quirk: str | None, amount: float) -> None:
    assert amount == 10.15 or repr(amount) != "10.15"
    after = modified(with_only(base, quirk), ["t1"], ["t2"])
    assert after["payment_history"][1]["amount"] == amount


@pytest.mark.parametrize(
    ("quirk", "rows"), [(None, []), ("empty_refund", [("refund", 0.0, "gift")])]
)
def test_empty_refund(base: Base, quirk: str | None, rows: list[tuple[str, float, str]]) -> None:
    after = modified(with_only(base, quirk), ["m1"], ["m3"])
    assert [tuple(row.values()) for row in after["payment_history"][1:]] == rows


@pytest.mark.parametrize(
    ("quirk", "old", "new"),
    [(None, ["m1", "t1"], ["t2", "m2"]), ("loses_pairs", ["m1", "t1"], ["m2", "t2"])],
)
def test_loses_pairs(quirk: str | None, old: list[str], new: list[str]) -> None:
    quirks = Quirks(**({quirk: True} if quirk else {}))
    assert quirks.exchange_lists(["t1", "m1"], ["m2", "t2"]) == (old, new)


@given(st.permutations([("m1", "m2"), ("t1", "t2"), ("m1", "m3")]))
def test_what_is_recorded_of_an_exchange_does_not_depend_on_the_order_asked(
    pairs: list[tuple[str, str]],
) -> None:
    old, new = [each for each, _ in pairs], [each for _, each in pairs]
    for quirks in (CORRECT, TAU2):
        assert quirks.exchange_lists(old, new) == quirks.exchange_lists(old[::-1], new[::-1])


@given(st.permutations([("m1", "m3"), ("m2", "m1"), ("t1", "t2")]))
def test_the_right_modification_does_not_depend_on_the_order_asked(
    pairs: list[tuple[str, str]],
) -> None:
    after = order("#W1", "pending", ["m1", "m2", "t1"])
    variants = {
        key: variant
        for product in store()["products"].values()
        for key, variant in product["variants"].items()
    }
    CORRECT.replace_items(after, [old for old, _ in pairs], [variants[new] for _, new in pairs])
    assert [key for key, _ in items(after)] == ["m3", "m1", "t2"]


def test_the_card_shows_the_defect_that_the_call_would_run_into(tau2: Domain) -> None:
    arguments = {
        "order_id": "#W9348897",
        "item_ids": ["6117189161", "7453605304", "3799046073"],
        "new_item_ids": ["6700049080", "5320792178", "3234800602"],
        "payment_method_id": "credit_card_8853416",
    }
    records = tau2.records()
    call = ToolCall("modify_pending_order_items", arguments)
    preview = records.preview(call)
    tool = tau2.tools.get(call.name)
    assert tool is not None
    assert tool.notes is not None
    assert (
        "the Action Camera (4K, waterproof, silver, $481.50) to Action Camera (red, L, cotton"
        in (tool.notes.sentence(records.draft(), arguments))
    )
    told = [each.text for each in tool.notes.effects(preview.after, arguments, preview.changes)]
    assert any(
        "but item 6700049080 is 4K, waterproof, black, $466.75 in the catalogue" in each
        for each in told
    )


def test_a_folder_of_records_is_played_with_the_defects(tmp_path: Path) -> None:
    (tmp_path / "db.json").write_text(json.dumps(store()), encoding="utf-8")
    (tmp_path / "policy.md").write_text("# Policy", encoding="utf-8")
    after = modified(load(tmp_path).records(), ["m1"], ["m3"])
    assert len(after["payment_history"]) == 2
