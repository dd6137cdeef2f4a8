"""Preconditions that several writes share, each a short named check of the records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Finding, Question
from domains.retail import item_words, store, wording

Source = Literal["tool", "policy"]


def order_of(draft: Draft, arguments: Arguments) -> Record:
    """The order that a call names."""
    return store.get_order(draft, arguments["order_id"])


def owner_of(draft: Draft, arguments: Arguments) -> Record:
    """The customer who placed the order that a call names."""
    return store.get_user(draft, order_of(draft, arguments)["user_id"])


def stays(draft: Draft, arguments: Arguments) -> Iterator[str]:
    """Yield the order's items that a change of items leaves as they are, for good."""
    for item in item_words.items_left(order_of(draft, arguments), arguments["item_ids"]):
        yield wording.item(item)


def ask_if_all_named(change: str) -> Callable[[Draft, Arguments], Iterable[Question]]:
    """A function that asks whether the customer has named every item that they want to change.

    ``change`` is the verb for the change, as in *exchange*.
    """
    return lambda draft, arguments: item_words.are_these_all(
        order_of(draft, arguments), arguments["item_ids"], change
    )


def status_is(wanted: str, source: Source = "tool", name: str | None = None) -> Check:
    """A check that the order's status is exactly ``wanted``."""

    def look(draft: Draft, arguments: Arguments) -> Finding:
        status = order_of(draft, arguments)["status"]
        return Finding(status == wanted, f"status is {wording.status(status)}")

    return Check(name or f"The order is {wanted}", source, look)


def _is_pending(draft: Draft, arguments: Arguments) -> Finding:
    status = order_of(draft, arguments)["status"]
    return Finding("pending" in status, f"status is {wording.status(status)}")


PENDING = Check("The order is pending", "tool", _is_pending)
"""The order is pending, whether or not its items were modified before."""

NOT_MODIFIED = status_is("pending", "policy", "Its items have not been modified before")


def _items_in_order(draft: Draft, arguments: Arguments) -> Finding:
    order, item_ids = order_of(draft, arguments), arguments["item_ids"]
    missing = store.missing_item(order, item_ids)
    if missing is not None:
        return Finding(
            False, f"{wording.value(missing)} is not in the order, or not that many times"
        )
    named = [wording.value(store.get_item(order, each)["name"]) for each in item_ids]
    return Finding(True, wording.listing(named))


ITEMS_IN_ORDER = Check("The items are in this order", "tool", _items_in_order)


def _some_items(draft: Draft, arguments: Arguments) -> Finding:
    count = len(arguments["item_ids"])
    return Finding(count > 0, "no item is named" if not count else f"{count} named")


SOME_ITEMS = Check("At least one item is named", "policy", _some_items)


def _one_new_each(draft: Draft, arguments: Arguments) -> Finding:
    old, new = len(arguments["item_ids"]), len(arguments["new_item_ids"])
    return Finding(old == new, f"{old} old, {new} new")


ONE_NEW_EACH = Check("There is one new item for each old one", "tool", _one_new_each)


def pairs(draft: Draft, arguments: Arguments) -> list[tuple[Record, Record]]:
    """Each item of the order with the variant requested for it.

    Raises ToolError if a variant is not of the item's product, and LookupError if the lists differ
    in length, so that no check passes on half of them.
    """
    order = order_of(draft, arguments)
    item_ids, new_item_ids = arguments["item_ids"], arguments["new_item_ids"]
    if len(item_ids) != len(new_item_ids):
        raise LookupError("the lists differ in length")
    items = [store.get_item(order, each) for each in item_ids]
    return [
        (item, store.get_variant(draft, item["product_id"], new_id))
        for item, new_id in zip(items, new_item_ids, strict=True)
    ]


def _in_stock(draft: Draft, arguments: Arguments) -> Finding:
    gone = [
        f"{wording.value(old['name'])} ({wording.options(new['options'])}) is sold out"
        for old, new in pairs(draft, arguments)
        if not new["available"]
    ]
    return Finding(not gone, "; ".join(gone) or "in stock")


NEW_IN_STOCK = Check("Each new item is of the same product and in stock", "tool", _in_stock)


def _different_options(draft: Draft, arguments: Arguments) -> Finding:
    same = [
        f"{wording.value(old['name'])} is exchanged for itself"
        for old, new in pairs(draft, arguments)
        if old["options"] == new["options"]
    ]
    return Finding(not same, "; ".join(same) or "they differ")


DIFFERENT_OPTIONS = Check("Each new item has different options", "policy", _different_options)


def method_on_file(draft: Draft, arguments: Arguments) -> Finding:
    """Check that the payment method of a call belongs to the order's customer."""
    user, method_id = owner_of(draft, arguments), arguments["payment_method_id"]
    store.get_payment_method(draft, user["user_id"], method_id)
    return Finding(True, wording.payment_method(user, method_id, balance=True))


METHOD_ON_FILE = Check("The payment method is on the customer's file", "tool", method_on_file)


def gift_card_covers(due: Callable[[Draft, Arguments], float]) -> Check:
    """A check that a gift card used to pay covers the amount due, in dollars."""

    def look(draft: Draft, arguments: Arguments) -> Finding:
        user_id = order_of(draft, arguments)["user_id"]
        method = store.get_payment_method(draft, user_id, arguments["payment_method_id"])
        if method["source"] != "gift_card":
            return Finding(True, "not a gift card")
        amount, balance = due(draft, arguments), method["balance"]
        needed = f"{wording.money(amount)} to pay" if amount > 0 else "nothing to pay"
        return Finding(balance >= amount, f"{needed}, {wording.money(balance)} on the card")

    return Check("A gift card, if used, covers the amount", "tool", look)
