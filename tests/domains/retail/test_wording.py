from __future__ import annotations

from typing import Any

import pytest

from domains.core.domain import Domain
from domains.core.tool import ToolCall
from domains.retail import wording

TWO_ITEMS = {"item_ids": ["1151293680", "4983901480"]}


def card(domain: Domain, name: str, **arguments: Any) -> tuple[str, list[str], dict[str, str]]:
    """What a write's card says: the sentence, the effects, and each check with its verdict."""
    records, tool = domain.records(), domain.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    preview = records.preview(ToolCall(name, arguments))
    assert not preview.result.error, preview.result.text
    effects = tool.notes.effects(preview.after, arguments, preview.changes)
    found = {each.name: each.run(records.draft(), arguments) for each in tool.notes.checks}
    verdicts = {name: f"{'✓' if each.holds else '✗'} {each.value}" for name, each in found.items()}
    sentence = tool.notes.sentence(records.draft(), arguments)
    return sentence, [each.text for each in effects], verdicts


def test_an_exchange_names_items_prices_and_where_the_difference_goes(tau2: Domain) -> None:
    sentence, effects, _ = card(
        tau2,
        "exchange_delivered_order_items",
        order_id="#W2378156",
        new_item_ids=["7706410293", "7747408585"],
        payment_method_id="credit_card_9513926",
        **TWO_ITEMS,
    )
    assert sentence == (
        "Exchange the Mechanical Keyboard (linear, RGB, full size, $272.33) for clicky, "
        "no backlight, full size, $269.16 and the Smart Thermostat (Apple HomeKit, black, $262.47) "
        "for Google Assistant, black, $249.01 in order #W2378156; "
        "$16.63 back to Mastercard ending 2478."
    )
    assert effects[0] == "order #W2378156: delivered → exchange requested"
    assert effects[1:] == [
        "Mechanical Keyboard: switch type linear → clicky, backlight RGB → none; "
        "same: size full size; $272.33 → $269.16 ($3.17 less)",
        "Smart Thermostat: compatibility Apple HomeKit → Google Assistant; same: color black; "
        "$262.47 → $249.01 ($13.46 less)",
        "on the exchange: $16.63 back to Mastercard ending 2478, which paid for this "
        "(no money moves until then)",
    ]


def test_a_same_item_exchange_goes_through_and_the_policy_check_fails(tau2: Domain) -> None:
    _, effects, verdicts = card(
        tau2,
        "exchange_delivered_order_items",
        order_id="#W2378156",
        item_ids=["1151293680"],
        new_item_ids=["1151293680"],
        payment_method_id="credit_card_9513926",
    )
    assert verdicts["Each new item has different options"] == (
        "✗ Mechanical Keyboard is exchanged for itself"
    )
    assert "on the exchange: no price difference (no money moves until then)" in effects


def test_a_cancellation_to_a_gift_card_tells_the_balance(tau2: Domain) -> None:
    sentence, effects, verdicts = card(
        tau2, "cancel_pending_order", order_id="#W9373487", reason="no longer needed"
    )
    assert sentence.endswith("reason: no longer needed; $109.27 back to the gift card.")
    assert effects == [
        "order #W9373487: pending → cancelled",
        "reason on file: no longer needed",
        "refund $109.27 to the gift card, at once",
        "gift card balance: $44.00 → $153.27",
    ]
    assert verdicts["The order is pending"] == "✓ status is pending"


def test_a_return_of_nothing_succeeds_and_the_policy_check_fails(tau2: Domain) -> None:
    _, _, verdicts = card(
        tau2,
        "return_delivered_order_items",
        order_id="#W2378156",
        item_ids=[],
        payment_method_id="credit_card_9513926",
    )
    assert verdicts["At least one item is named"] == "✗ no item is named"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"color": "blue", "size": "M"}, "blue, M"),
        ({"size": "9", "waterproof": "yes"}, "size 9, waterproof"),
        ({"backlight": "none", "waterproof": "no"}, "no backlight, no waterproof"),
        ({"pieces": "500", "lens color": "brown"}, "500 pieces, brown lens color"),
        ({"brightness": "high"}, "high brightness"),
        ({}, ""),
    ],
)
def test_options_read_without_their_names_where_that_is_clear(
    options: dict[str, str], words: str
) -> None:
    assert wording.options(options) == words


@pytest.mark.parametrize(
    ("amount", "words"), [(1234.5, "$1,234.50"), (0.0, "$0.00"), (-3, "-$3.00"), (0.005, "$0.01")]
)
def test_money_is_told_in_dollars_and_cents(amount: float, words: str) -> None:
    assert wording.money(amount) == words


def test_two_methods_of_one_name_are_told_apart() -> None:
    gift = {"source": "gift_card", "balance": 5.0}
    user = {"payment_methods": {"g1": gift, "g2": gift, "p": {"source": "paypal"}}}
    assert wording.by_method(user, "g1") == "the gift card g1"
    assert wording.by_method(user, "p") == "PayPal"
    assert wording.by_method(user, "gone") == "payment method gone"


def test_an_order_is_told_with_what_it_holds_and_of_much_of_it_two() -> None:
    items = [{"name": each} for each in ("Desk", "Chair", "Lamp", "Mug")]
    three = {"order_id": "#W1234567", "items": items[:3]}
    four = {"order_id": "#W1234567", "items": items}
    assert wording.order_and_items(three) == "order #W1234567 (Desk, Chair and Lamp)"
    assert wording.order_and_items(four) == "order #W1234567 (Desk, Chair and 2 more)"
