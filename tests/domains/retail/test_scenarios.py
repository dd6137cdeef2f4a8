from __future__ import annotations

from functools import cache

import pytest

import domains
from domains.core.canonical import canonical
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall
from domains.retail import scenarios
from tests.domains.scenarios.scenario_ends import customer, failed_checks, tried

SCENARIOS = scenarios.load()
COVERED = {
    "plain write",
    "conditional fallback",
    "change of mind",
    "ordered writes",
    "two orders",
    "hidden evidence",
    "policy refusal",
    "same item",
    "information",
    "transfer",
    "gift card",
    "payment",
    "profile",
    "cancel",
    "return",
    "exchange",
    "modify items",
    "several ends",
}


@cache
def retail() -> Domain:
    return domains.load("retail")


def by_id(scenario_id: str) -> Scenario:
    return next(scenario for scenario in SCENARIOS if scenario.id == scenario_id)


def test_the_domain_offers_all_of_them() -> None:
    assert retail().scenarios == SCENARIOS


def test_together_they_cover_what_can_happen() -> None:
    assert {tag for scenario in SCENARIOS for tag in scenario.tags} >= COVERED


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_role_knows_enough_to_be_identified(scenario: Scenario) -> None:
    user = customer(retail(), scenario)
    known = " ".join(scenario.role.knows)
    assert user["email"] in known or user["address"]["zip"] in known


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_no_role_mentions_an_id(scenario: Scenario) -> None:
    words = canonical([scenario.role.who, scenario.role.knows, scenario.role.wants])
    assert "#W" not in words
    assert "_" not in words.replace(customer(retail(), scenario)["email"], "")


def test_a_new_address_is_told_to_the_role_word_for_word() -> None:
    for scenario in SCENARIOS:
        if "hidden evidence" in scenario.tags:
            continue
        for call in (call for end in scenario.ends for call in end if "address1" in call.arguments):
            known = " ".join(scenario.role.knows)
            fields = ("address1", "address2", "city", "state", "zip")
            assert all(call.arguments[field] in known for field in fields)


def test_the_hidden_address_is_the_default_one_and_not_told_to_the_role() -> None:
    scenario = by_id("send-it-home")
    ((call,),) = scenario.ends
    address = customer(retail(), scenario)["address"]
    assert {field: call.arguments[field] for field in address} == address
    assert address["address1"] not in canonical([scenario.role.knows, scenario.role.wants])
    order = retail().base.collections["orders"][call.arguments["order_id"]]
    assert order["address"] != address


def test_of_an_address_and_an_item_only_one_order_is_allowed() -> None:
    scenario = by_id("move-then-desk")
    ((first, second),) = scenario.ends
    draft = Draft(retail().records())
    retail().tools.run(second, draft)
    assert failed_checks(retail(), draft, first)


def test_the_same_skillet_again_is_against_the_policy_alone() -> None:
    user = customer(retail(), by_id("same-skillet"))
    order = retail().base.collections["orders"][user["orders"][-1]]
    same = [item["item_id"] for item in order["items"] if "Skillet" in item["name"]]
    call = ToolCall(
        "exchange_delivered_order_items",
        {
            "order_id": order["order_id"],
            "item_ids": same,
            "new_item_ids": same,
            "payment_method_id": next(iter(user["payment_methods"])),
        },
    )
    draft = Draft(retail().records())
    assert failed_checks(retail(), draft, call) == ["Each new item has different options"]
    assert not retail().tools.run(call, draft).error


def test_an_order_on_its_way_cannot_be_cancelled() -> None:
    user = customer(retail(), by_id("speaker-on-its-way"))
    call = ToolCall(
        "cancel_pending_order", {"order_id": user["orders"][-1], "reason": "no longer needed"}
    )
    result = tried(retail(), call)
    assert result.text == "Error: Non-pending order cannot be cancelled"


def test_of_two_ordered_writes_only_one_order_is_possible() -> None:
    scenario = by_id("paypal-then-pack")
    ((first, second),) = scenario.ends
    draft = Draft(retail().records())
    assert not retail().tools.run(second, draft).error
    assert retail().tools.run(first, draft).error


def test_the_first_choice_of_a_fallback_cannot_be_had() -> None:
    ((call,), *_) = by_id("clicky-keyboard").ends
    wanted = {"switches": "clicky", "layout": "full size", "backlight": "RGB"}
    product = next(
        product
        for product in retail().base.collections["products"].values()
        if call.arguments["new_item_ids"][0] in product["variants"]
    )
    (first,) = (each for each in product["variants"].values() if each["options"] == wanted)
    assert not first["available"]


def test_the_gift_card_of_a_fallback_is_too_small() -> None:
    scenario = by_id("gift-card-too-small")
    ((call,),) = scenario.ends
    user = customer(retail(), scenario)
    (card,) = (each for each in user["payment_methods"] if each.startswith("gift_card"))
    first = ToolCall(call.name, {**call.arguments, "payment_method_id": card})
    result = tried(retail(), first)
    assert result.text == "Error: Insufficient gift card balance to pay for the order"


def test_the_dear_suitcase_costs_more_than_the_role_will_pay() -> None:
    user = customer(retail(), by_id("suitcase-within-limits"))
    order = retail().base.collections["orders"][user["orders"][-1]]
    (item,) = order["items"]
    product = retail().base.collections["products"][item["product_id"]]
    wanted = {"shell": "hard", "color": "graphite", "wheels": "four"}
    (dear,) = (each for each in product["variants"].values() if each["options"] == wanted)
    assert dear["available"]
    assert dear["price"] - item["price"] > 30


def test_what_must_be_communicated_stands_in_the_records() -> None:
    collections = retail().base.collections
    user = customer(retail(), by_id("where-is-my-camera"))
    order = collections["orders"][user["orders"][-1]]
    tracking, total = by_id("where-is-my-camera").communicate
    assert order["fulfillments"][0]["tracking_id"] == [tracking]
    assert round(sum(item["price"] for item in order["items"]), 2) == float(total)
    (bottle,) = (each for each in collections["products"].values() if "Bottle" in each["name"])
    prices = {
        each["options"]["lid"]: each["price"]
        for each in bottle["variants"].values()
        if each["options"]["volume"] == "1 liter" and each["options"]["color"] == "midnight"
    }
    flip, screw = by_id("one-liter-bottles").communicate
    assert prices == {"flip": float(flip), "screw": float(screw)}
