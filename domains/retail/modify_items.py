"""Changing the items of a pending order: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import (
    Arguments,
    Check,
    Effect,
    Finding,
    Tool,
    ToolError,
    WriteDeclaration,
    writes,
)
from domains.retail import checks, effects, evidence, item_words, money, store, swaps, wording
from domains.retail.look_ups import OrderId
from domains.retail.quirks import Quirks


def tool(quirks: Quirks) -> Tool:
    """The tool ``modify_pending_order_items``."""

    @writes(_notes(quirks))
    def modify_pending_order_items(
        draft: Draft,
        order_id: OrderId,
        item_ids: Annotated[list[str], "Item ids to change; an id may stand twice if held twice."],
        new_item_ids: Annotated[
            list[str], "Item ids to have instead, in the same order and of the same products."
        ],
        payment_method_id: Annotated[
            str, "The customer's method for the price difference, such as 'gift_card_1234567'."
        ],
    ) -> Record:
        """Change items of a pending order to other variants of the same products.

        Works once for each order, so every change must be in the one call. The customer must have
        confirmed the items and the price difference beforehand.
        """
        return _modify(quirks, draft, order_id, item_ids, new_item_ids, payment_method_id)

    return modify_pending_order_items


def _modify(
    quirks: Quirks,
    draft: Draft,
    order_id: str,
    item_ids: list[str],
    new_item_ids: list[str],
    payment_method_id: str,
) -> Record:
    order = store.get_order(draft, order_id)
    if order["status"] != "pending":
        raise ToolError("Non-pending order cannot be modified")
    missing = store.missing_item(order, item_ids)
    if missing is not None:
        raise ToolError(f"{missing} not found")
    if len(item_ids) != len(new_item_ids):
        raise ToolError("The number of items to be exchanged should match")
    variants = swaps.new_variants(draft, order, item_ids, new_item_ids, must_differ=True)
    due = quirks.difference(swaps.price_difference(quirks, order, item_ids, variants))
    method = store.get_payment_method(draft, order["user_id"], payment_method_id)
    if method["source"] == "gift_card" and method["balance"] < due:
        raise ToolError("Insufficient gift card balance to pay for the new item")
    order = draft.edit("orders", order_id)
    if quirks.records_payment_of(due):
        money.move(draft, order, "payment" if due > 0 else "refund", payment_method_id, abs(due))
    quirks.replace_items(order, item_ids, variants)
    order["status"] = "pending (item modified)"
    return order


def _notes(quirks: Quirks) -> WriteDeclaration:
    def due(draft: Draft, arguments: Arguments) -> float:
        order = checks.order_of(draft, arguments)
        variants = [new for _, new in checks.pairs(draft, arguments)]
        difference = swaps.price_difference(quirks, order, arguments["item_ids"], variants)
        return quirks.difference(difference)

    def sentence(draft: Draft, arguments: Arguments) -> str:
        """The sentence for what a trial does to the items, which may differ from the request."""
        before = checks.order_of(draft, arguments)
        after = _modify(quirks, Draft(draft), **arguments)
        swapped = [
            f"the {wording.item(old)} to {wording.item(new)}"
            for old, new in zip(before["items"], after["items"], strict=True)
            if old != new
        ]
        user, method_id = checks.owner_of(draft, arguments), arguments["payment_method_id"]
        method = wording.by_method(user, method_id, balance=True)
        settled = wording.settlement(due(draft, arguments), method)
        return f"Change {wording.listing(swapped)} in {wording.order(before)}; {settled}."

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.status_is("pending", name="The order is pending, its items not yet modified"),
            checks.ITEMS_IN_ORDER,
            checks.ONE_NEW_EACH,
            Check("No item is replaced by itself", "tool", _ids_differ),
            checks.NEW_IN_STOCK,
            checks.METHOD_ON_FILE,
            checks.gift_card_covers(due),
            checks.SOME_ITEMS,
            checks.DIFFERENT_OPTIONS,
        ),
        questions=checks.ask_if_all_named("change"),
        stays=checks.stays,
        closes=lambda *_: ("this order can no longer be changed or cancelled",),
        guards=(*evidence.OF_SWAP, *evidence.PAID),
    )


def _ids_differ(draft: Draft, arguments: Arguments) -> Finding:
    pairs = zip(arguments["item_ids"], arguments["new_item_ids"], strict=False)
    same = [old for old, new in pairs if old == new]
    return Finding(
        not same, wording.listing([wording.value(each) for each in same]) if same else "they differ"
    )


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.status(changes),
        *_items(draft, changes),
        *effects.settlement_effects(draft, changes),
        *effects.gift_cards(changes),
    ]


def _items(draft: Draft, changes: effects.Changes) -> Iterator[Effect]:
    for change, before, after in effects.changed_records(changes, "orders"):
        for index, new in enumerate(after["items"]):
            covers = effects.under(change, f"items.{index}")
            if covers:
                swapped = item_words.swap(new["name"], before["items"][index], new)
                yield Effect(f"{swapped}{_deviation(draft, new)}", covers)


def _deviation(draft: Draft, item: Record) -> str:
    """How the catalogue describes an item, if the order describes it otherwise; else empty."""
    variant = store.get_variant(draft, item["product_id"], item["item_id"])
    if all(variant[field] == item[field] for field in ("price", "options")):
        return ""
    called = f"item {wording.value(item['item_id'])}"
    return f" – but {called} is {wording.variant(variant)} in the catalogue"
