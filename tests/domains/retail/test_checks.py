from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall
from domains.retail import money
from domains.retail.load import load
from tests.domains.retail.test_quirks import ADDRESS, store

SWAP = {"item_ids": ["m1"], "new_item_ids": ["m2"], "payment_method_id": "paypal"}
MODIFY = ("modify_pending_order_items", {"order_id": "#W1", **SWAP})
EXCHANGE = ("exchange_delivered_order_items", {"order_id": "#W2", **SWAP})
GO_BACK = {"item_ids": ["m1"], "payment_method_id": "paypal"}
RETURN = ("return_delivered_order_items", {"order_id": "#W2", **GO_BACK})
CANCEL = ("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"})
PAY = ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": "gift"})
MOVE = ("modify_pending_order_address", {"order_id": "#W1", **ADDRESS, "zip": "83703"})


@pytest.fixture(scope="module")
def domain(tmp_path_factory: pytest.TempPathFactory) -> Domain:
    """The store for defects, with mug m3 sold out, dear tees, and a nearly empty gift card."""
    folder, content = tmp_path_factory.mktemp("store"), store()
    content["products"]["mug"]["variants"]["m3"]["available"] = False
    content["products"]["tee"]["variants"]["t2"]["price"] = 22.6
    methods = content["users"]["ann"]["payment_methods"]
    methods["spent"] = {"source": "gift_card", "id": "spent", "balance": 2.5}
    methods["short"] = {"source": "gift_card", "id": "short", "balance": 2.49}
    (paid,) = content["orders"]["#W1"]["payment_history"]
    methods["just"] = {"source": "gift_card", "id": "just", "balance": paid["amount"]}
    (folder / "db.json").write_text(json.dumps(content), encoding="utf-8")
    Path(folder / "policy.md").write_text("# Policy", encoding="utf-8")
    return load(folder)


def failing(domain: Domain, name: str, arguments: dict[str, Any]) -> set[str]:
    tool = domain.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    draft = domain.records().draft()
    return {
        check.name
        for check in tool.notes.checks
        if check.source == "tool" and not check.run(draft, arguments).holds
    }


@pytest.mark.parametrize(
    ("call", "changed", "check"),
    [
        (MODIFY, {"order_id": "#W2"}, "The order is pending, its items not yet modified"),
        (MODIFY, {"item_ids": ["t2"]}, "The items are in this order"),
        (MODIFY, {"new_item_ids": ["m2", "m2"]}, "There is one new item for each old one"),
        (MODIFY, {"new_item_ids": ["m1"]}, "No item is replaced by itself"),
        (MODIFY, {"new_item_ids": ["m3"]}, "Each new item is of the same product and in stock"),
        (MODIFY, {"new_item_ids": ["t2"]}, "Each new item is of the same product and in stock"),
        (MODIFY, {"payment_method_id": "x"}, "The payment method is on the customer's file"),
        (MODIFY, {"payment_method_id": "short"}, "A gift card, if used, covers the amount"),
        (EXCHANGE, {"order_id": "#W1"}, "The order is delivered"),
        (EXCHANGE, {"item_ids": ["m1", "m1"]}, "The items are in this order"),
        (EXCHANGE, {"new_item_ids": []}, "There is one new item for each old one"),
        (EXCHANGE, {"new_item_ids": ["m3"]}, "Each new item is of the same product and in stock"),
        (EXCHANGE, {"payment_method_id": "short"}, "A gift card, if used, covers the amount"),
        (RETURN, {"order_id": "#W1"}, "The order is delivered"),
        (RETURN, {"item_ids": ["m2"]}, "The items are in this order"),
        (CANCEL, {"order_id": "#W2"}, "The order is pending"),
        (CANCEL, {"reason": "too dear"}, "The reason is one of the two that the policy allows"),
        (PAY, {"order_id": "#W2"}, "The order is pending"),
        (PAY, {"payment_method_id": "paypal"}, "It is not the method already used"),
        (PAY, {"payment_method_id": "spent"}, "A gift card, if used, covers the amount"),
        (MOVE, {"order_id": "#W2"}, "The order is pending"),
        (MOVE, {"zip": 83703}, "Every line of the address is text"),
    ],
)
def test_one_thing_wrong_fails_its_check_and_the_call(
    domain: Domain, call: tuple[str, dict[str, Any]], changed: dict[str, Any], check: str
) -> None:
    name, arguments = call
    assert failing(domain, name, arguments) == set()
    assert not domain.records().preview(ToolCall(name, arguments)).result.error
    wrong = {**arguments, **changed}
    assert check in failing(domain, name, wrong)
    assert domain.records().preview(ToolCall(name, wrong)).result.error


@pytest.mark.parametrize(("call", "card"), [(MODIFY, "spent"), (EXCHANGE, "spent"), (PAY, "just")])
def test_a_gift_card_may_be_emptied_to_the_cent(
    domain: Domain, call: tuple[str, dict[str, Any]], card: str
) -> None:
    name, arguments = call
    paying = {**arguments, "payment_method_id": card}
    assert failing(domain, name, paying) == set()
    assert not domain.records().preview(ToolCall(name, paying)).result.error


def test_a_gift_card_holds_whole_cents(domain: Domain) -> None:
    records: Records = domain.records()
    draft = records.draft()
    order = draft.edit("orders", "#W1")
    money.move(draft, order, "payment", "spent", 0.2)
    money.move(draft, order, "payment", "spent", 1.1)
    money.move(draft, order, "refund", "spent", 0.1)
    user = draft.get("users", "ann")
    assert user is not None
    assert user["payment_methods"]["spent"]["balance"] == 1.3
    assert 2.5 - 0.2 - 1.1 + 0.1 != 1.3
