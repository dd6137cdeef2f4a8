from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any

import pytest

from domains.core.changes import Record
from domains.retail.schema import Order, Product, Store, User
from tests.domains.repeating import repeated
from tests.generators.retail import generate
from tests.shared_data import TAU2_RETAIL

STORE: dict[str, dict[str, Record]] = json.loads(generate.STORE.read_text(encoding="utf-8"))
PRODUCTS, USERS, ORDERS = STORE["products"], STORE["users"], STORE["orders"]
VARIANTS: dict[str, Record] = {
    item_id: {**variant, "product_id": product_id, "name": product["name"]}
    for product_id, product in PRODUCTS.items()
    for item_id, variant in product["variants"].items()
}


def total(order: Record) -> float:
    prices: list[float] = [item["price"] for item in order["items"]]
    return round(sum(prices), 2)


def paid(order: Record) -> float:
    signs = {"payment": 1, "refund": -1}
    moves: list[float] = [
        signs[move["transaction_type"]] * move["amount"] for move in order["payment_history"]
    ]
    return round(sum(moves), 2)


def methods_named(order: Record) -> set[str]:
    named = {move["payment_method_id"] for move in order["payment_history"]}
    for field in ("exchange_payment_method_id", "return_payment_method_id"):
        named |= {order[field]} if field in order else set()
    return named


def with_status(status: str) -> list[Record]:
    return [order for order in ORDERS.values() if order["status"] == status]


def cards(user: Record) -> set[str]:
    held = user["payment_methods"].values()
    return {method["brand"] for method in held if method["source"] == "credit_card"}


def test_the_store_is_as_big_as_promised() -> None:
    assert len(USERS) >= 48
    assert len(ORDERS) >= 130
    assert len(PRODUCTS) >= 20
    assert all(6 <= len(product["variants"]) <= 12 for product in PRODUCTS.values())
    assert 20 <= sum(not variant["available"] for variant in VARIANTS.values()) < 60


@pytest.mark.parametrize(
    ("status", "least"),
    [
        ("pending", 30),
        ("delivered", 30),
        ("processed", 12),
        ("cancelled", 8),
        ("pending (item modified)", 4),
        ("exchange requested", 4),
        ("return requested", 4),
    ],
)
def test_there_are_orders_in_every_status(status: str, least: int) -> None:
    assert len(with_status(status)) >= least


def test_every_kind_of_payment_method_is_held_and_used() -> None:
    held = dict(chain.from_iterable(user["payment_methods"].items() for user in USERS.values()))
    sources = {"credit_card", "paypal", "gift_card"}
    assert {method["source"] for method in held.values()} == sources
    used = set(chain.from_iterable(methods_named(order) for order in ORDERS.values()))
    assert {held[method]["source"] for method in used} == sources
    assert all(method["balance"] > 0 for method in held.values() if "balance" in method)


def test_several_customers_hold_two_cards_of_different_brands() -> None:
    assert sum(len(cards(user)) > 1 for user in USERS.values()) >= 4


def test_ids_are_unique_and_keys_are_ids() -> None:
    assert repeated([key for product in PRODUCTS.values() for key in product["variants"]]) == []
    assert repeated([key for user in USERS.values() for key in user["payment_methods"]]) == []
    assert not PRODUCTS.keys() & VARIANTS.keys()
    assert all(product["product_id"] == key for key, product in PRODUCTS.items())
    assert all(variant["item_id"] == key for key, variant in VARIANTS.items())
    assert all(user["user_id"] == key for key, user in USERS.items())
    assert all(order["order_id"] == key for key, order in ORDERS.items())
    for user in USERS.values():
        assert all(method["id"] == key for key, method in user["payment_methods"].items())


def test_ids_look_like_what_they_name() -> None:
    assert all(re.fullmatch(r"#W\d{7}", key) for key in ORDERS)
    assert all(re.fullmatch(r"\d{10}", key) for key in chain(PRODUCTS, VARIANTS))
    assert all(re.fullmatch(r"[a-z]+_[a-z]+_\d{4}", key) for key in USERS)
    for key in chain.from_iterable(user["payment_methods"] for user in USERS.values()):
        assert re.fullmatch(r"(credit_card|paypal|gift_card)_\d{7}", key)


def test_a_customer_is_found_by_email_and_by_name_and_zip_alone() -> None:
    emails = [user["email"].lower() for user in USERS.values()]
    assert repeated(emails) == []
    assert all(re.fullmatch(r"[a-z0-9._]+@example\.com", email) for email in emails)
    known = [f"{user['name']} {user['address']['zip']}".lower() for user in USERS.values()]
    assert repeated(known) == []


def test_addresses_are_whole() -> None:
    for record in chain(USERS.values(), ORDERS.values()):
        address = record["address"]
        assert re.fullmatch(r"\d{5}", address["zip"])
        assert re.fullmatch(r"[A-Z]{2}", address["state"])
        assert address["country"] == "USA"
        assert address["address1"]
        assert address["city"]


def test_customers_and_orders_name_each_other() -> None:
    listed = [(key, each) for key, user in USERS.items() for each in user["orders"]]
    assert sorted(listed) == sorted((order["user_id"], key) for key, order in ORDERS.items())


def test_every_item_in_an_order_is_a_variant_at_its_price() -> None:
    for item in chain.from_iterable(order["items"] for order in ORDERS.values()):
        variant = VARIANTS[item["item_id"]]
        assert {key: variant[key] for key in item} == item


def test_every_order_has_items_and_no_item_twice() -> None:
    for order in ORDERS.values():
        ids = [item["item_id"] for item in order["items"]]
        assert ids
        assert repeated(ids) == []


def test_variants_of_a_product_differ_in_their_options_and_have_the_same_ones() -> None:
    for product in PRODUCTS.values():
        options = [variant["options"] for variant in product["variants"].values()]
        assert len({tuple(each) for each in options}) == 1
        assert repeated([json.dumps(each) for each in options]) == []


def test_prices_are_dollars_and_cents() -> None:
    assert all(5 < variant["price"] < 2000 for variant in VARIANTS.values())
    assert all(round(variant["price"], 2) == variant["price"] for variant in VARIANTS.values())


def test_an_order_is_paid_exactly_for_what_is_in_it() -> None:
    for order in ORDERS.values():
        assert paid(order) == (0 if order["status"] == "cancelled" else total(order))


def test_an_order_is_paid_with_methods_of_its_own_customer() -> None:
    for order in ORDERS.values():
        assert methods_named(order) <= USERS[order["user_id"]]["payment_methods"].keys()


def test_a_plain_pending_order_has_one_payment_so_that_it_can_be_paid_otherwise() -> None:
    assert all(len(order["payment_history"]) == 1 for order in with_status("pending"))


def test_what_was_sent_is_tracked_and_what_was_not_is_not() -> None:
    for order in ORDERS.values():
        sent = list(chain.from_iterable(parcel["item_ids"] for parcel in order["fulfillments"]))
        unsent = order["status"].startswith("pending") or order["status"] == "cancelled"
        assert sent == ([] if unsent else [item["item_id"] for item in order["items"]])
    numbers = [
        number
        for order in ORDERS.values()
        for parcel in order["fulfillments"]
        for number in parcel["tracking_id"]
    ]
    assert repeated(numbers) == []
    assert all(re.fullmatch(r"\d{12}", number) for number in numbers)


def test_the_optional_fields_are_set_where_the_status_says_so_and_nowhere_else() -> None:
    expected = {
        "cancelled": {"cancel_reason"},
        "return requested": {"return_items", "return_payment_method_id"},
        "exchange requested": {
            "exchange_items",
            "exchange_new_items",
            "exchange_payment_method_id",
            "exchange_price_difference",
        },
    }
    plain = {name for name, field in Order.model_fields.items() if field.is_required()}
    for order in ORDERS.values():
        assert order.keys() - plain == expected.get(order["status"], set())


def test_what_is_on_its_way_back_was_in_the_order() -> None:
    for order in with_status("return requested"):
        ids = [item["item_id"] for item in order["items"]]
        assert set(order["return_items"]) <= set(ids)
        assert order["return_items"] == sorted(order["return_items"])


def test_an_exchange_is_for_another_variant_of_the_same_product() -> None:
    for order in with_status("exchange requested"):
        pairs = zip(order["exchange_items"], order["exchange_new_items"], strict=True)
        difference = 0.0
        for old, new in ((VARIANTS[old], VARIANTS[new]) for old, new in pairs):
            assert old["product_id"] == new["product_id"]
            assert old["item_id"] != new["item_id"]
            assert new["available"]
            difference += new["price"] - old["price"]
        assert order["exchange_price_difference"] == round(difference, 2)


def test_fields_stand_in_the_order_of_the_shared_schema() -> None:
    Store.model_validate(STORE)
    for model, records in ((Product, PRODUCTS), (User, USERS), (Order, ORDERS)):
        for record in records.values():
            assert list(record) == [name for name in model.model_fields if name in record]


def test_the_customer_of_the_issue_can_have_a_clicky_keyboard() -> None:
    (yusuf,) = (
        user
        for user in USERS.values()
        if user["name"] == {"first_name": "Yusuf", "last_name": "Rossi"}
    )
    assert yusuf["address"]["zip"] == "19122"
    last = ORDERS[yusuf["orders"][-1]]
    assert last["status"] == "delivered"
    (keyboard,) = (item for item in last["items"] if "Keyboard" in item["name"])
    variants = PRODUCTS[keyboard["product_id"]]["variants"].values()
    clicky = [each for each in variants if each["options"]["switches"] == "clicky"]
    assert sum(each["available"] for each in clicky) >= 2
    assert keyboard["options"]["switches"] != "clicky"


@pytest.mark.skipif(not TAU2_RETAIL.exists(), reason="τ²-bench's records are not here")
def test_nothing_is_taken_from_the_benchmarks_records() -> None:
    theirs: Any = json.loads((TAU2_RETAIL / "db.json").read_text(encoding="utf-8"))
    assert not USERS.keys() & theirs["users"].keys()
    assert not ORDERS.keys() & theirs["orders"].keys()
    assert not PRODUCTS.keys() & theirs["products"].keys()
    assert not {user["email"] for user in USERS.values()} & {
        user["email"] for user in theirs["users"].values()
    }
    option_sets = {
        json.dumps(variant["options"], sort_keys=True)
        for product in theirs["products"].values()
        for variant in product["variants"].values()
    }
    for variant in VARIANTS.values():
        assert json.dumps(variant["options"], sort_keys=True) not in option_sets
