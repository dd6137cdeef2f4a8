"""Exchanging items of a delivered order: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.core.changes import Change, Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Effect, Tool, ToolError, WriteDeclaration, writes
from domains.retail import checks, effects, evidence, item_words, store, swaps, wording
from domains.retail.look_ups import OrderId
from domains.retail.quirks import Quirks


def tool(quirks: Quirks) -> Tool:
    """The tool ``exchange_delivered_order_items``."""

    @writes(_notes(quirks))
    def exchange_delivered_order_items(
        draft: Draft,
        order_id: OrderId,
        item_ids: Annotated[
            list[str], "Item ids to give back; an id may stand twice if held twice."
        ],
        new_item_ids: Annotated[
            list[str], "Item ids to have instead, in the same order and of the same products."
        ],
        payment_method_id: Annotated[
            str, "The customer's method for the price difference, such as 'gift_card_1234567'."
        ],
    ) -> Record:
        """Ask for items of a delivered order to be exchanged for variants of the same products.

        Works once for each order, so every exchange must be in the one call. The customer must
        have confirmed the items and the price difference beforehand.
        """
        order = store.get_order(draft, order_id)
        if order["status"] != "delivered":
            raise ToolError("Non-delivered order cannot be exchanged")
        missing = store.missing_item(order, item_ids)
        if missing is not None:
            raise ToolError(f"Number of {missing} not found.")
        if len(item_ids) != len(new_item_ids):
            raise ToolError("The number of items to be exchanged should match.")
        variants = swaps.new_variants(draft, order, item_ids, new_item_ids, must_differ=False)
        due = round(swaps.price_difference(quirks, order, item_ids, variants), 2)
        method = store.get_payment_method(draft, order["user_id"], payment_method_id)
        if method["source"] == "gift_card" and method["balance"] < due:
            raise ToolError("Insufficient gift card balance to pay for the price difference")
        order = draft.edit("orders", order_id)
        order["status"] = "exchange requested"
        old, new = quirks.exchange_lists(item_ids, new_item_ids)
        order["exchange_items"], order["exchange_new_items"] = old, new
        order["exchange_payment_method_id"] = payment_method_id
        order["exchange_price_difference"] = due
        return order

    return exchange_delivered_order_items


def _notes(quirks: Quirks) -> WriteDeclaration:
    def due(draft: Draft, arguments: Arguments) -> float:
        order = checks.order_of(draft, arguments)
        variants = [new for _, new in checks.pairs(draft, arguments)]
        return round(swaps.price_difference(quirks, order, arguments["item_ids"], variants), 2)

    def sentence(draft: Draft, arguments: Arguments) -> str:
        order, user = checks.order_of(draft, arguments), checks.owner_of(draft, arguments)
        swapped = [
            f"the {wording.item(old)} for {wording.variant(new)}"
            for old, new in checks.pairs(draft, arguments)
        ]
        method = wording.by_method(user, arguments["payment_method_id"], balance=True)
        settled = wording.settlement(due(draft, arguments), method)
        return f"Exchange {wording.listing(swapped)} in {wording.order(order)}; {settled}."

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.status_is("delivered"),
            checks.ITEMS_IN_ORDER,
            checks.ONE_NEW_EACH,
            checks.NEW_IN_STOCK,
            checks.METHOD_ON_FILE,
            checks.gift_card_covers(due),
            checks.SOME_ITEMS,
            checks.DIFFERENT_OPTIONS,
        ),
        questions=checks.ask_if_all_named("exchange"),
        stays=checks.stays,
        closes=lambda *_: ("nothing in this order can be exchanged or returned after this",),
        guards=(*evidence.OF_SWAP, *evidence.PAID),
    )


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [*effects.status(changes), *_request_effects(draft, arguments, changes)]


def _request_effects(
    draft: Draft, arguments: Arguments, changes: effects.Changes
) -> Iterator[Effect]:
    for change, _, after in effects.changed_records(changes, "orders"):
        user = store.get_user(draft, after["user_id"])
        method_id = after["exchange_payment_method_id"]
        difference = after["exchange_price_difference"]
        settled = wording.settlement(difference, wording.by_method(user, method_id))
        moves = round(difference, 2) != 0
        paid = (
            effects.original_method_clause(user, method_id, effects.payers(after)) if moves else ""
        )
        due = f"on the exchange: {settled}{paid} (no money moves until then)"
        yield from _swap_effects(draft, arguments, change, after)
        yield effects.about(change, due, "exchange_payment_method_id", "exchange_price_difference")
        if moves:
            yield from effects.not_used(user, (method_id,))


def _swap_effects(
    draft: Draft, arguments: Arguments, change: Change, after: Record
) -> Iterator[Effect]:
    """Yield the swaps of the call, or what the order recorded if that differs from the call.

    The order stores the two lists, but not always which item was exchanged for which.
    """
    lists = ("exchange_items", "exchange_new_items")
    asked = (sorted(arguments["item_ids"]), sorted(arguments["new_item_ids"]))
    if asked[0] and asked == tuple(sorted(after[name]) for name in lists):
        for old, new in checks.pairs(draft, arguments):
            yield effects.about(change, item_words.swap(old["name"], old, new), *lists)
    else:
        back = [wording.item(store.get_item(after, each)) for each in after[lists[0]]]
        new_items = [_name_of_item(draft, after, each) for each in after[lists[1]]]
        yield effects.about(change, f"to send back: {wording.listing(back)}", lists[0])
        yield effects.about(change, f"to receive: {wording.listing(new_items)}", lists[1])


def _name_of_item(draft: Draft, order: Record, item_id: str) -> str:
    """A new item in words, found among the variants of the order's products."""
    for product_id in dict.fromkeys(item["product_id"] for item in order["items"]):
        product = store.get_product(draft, product_id)
        if item_id in product["variants"]:
            return wording.item({**product["variants"][item_id], "name": product["name"]})
    return f"item {wording.value(item_id)}"
