"""What the store's changes do, as values that can be compared with what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domains.core.changes import Record
from domains.core.derived import cached_by_identity
from domains.core.draft import Draft
from domains.core.facts import NO_WAYS, Choice, Facts, Money, Source, Ways
from domains.core.records import Preview
from domains.core.tool import Arguments
from domains.retail import store, wording
from domains.retail.selected_items import items_of, products_owned
from domains.retail.spoken import PLACES, REASONS, about_order, other_orders, which_order
from domains.retail.variants import cheaper_variant, option_choices
from domains.text.one_line import LONGEST_VALUE, quotation
from domains.text.payment_ways import MONEY_BACK, payment_ways

_ADDRESS = ("address1", "address2", "city", "zip")


def facts(draft: Draft, preview: Preview) -> Facts | None:
    """The facts of a call that was tried; None for a call with nothing to compare.

    ``draft`` has the records before the call.
    """
    tell = _BY_TOOL.get(preview.call.name)
    return None if tell is None else tell(draft, preview)


def _cancel(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    due = _charge(before, after)
    back = tuple([row["payment_method_id"] for row in _added_rows(before, after)])
    reason = preview.call.arguments["reason"]
    told = quotation(reason, LONGEST_VALUE)
    return Facts(
        verbs=frozenset({"cancel", "call off", "drop", "get rid of"}),
        acts=frozenset({"cancel"}),
        about=about_order(before),
        others=other_orders(draft, user, before),
        record=which_order(user, before),
        choices=(
            *_methods(user, back, _methods_paid_with(before), "refunds to", MONEY_BACK),
            Choice("reason", f"gives {told} as the reason", frozenset({reason}), REASONS),
        ),
        selections=(
            items_of(
                "cancels",
                before,
                [each["item_id"] for each in before["items"]],
                owned=products_owned(draft, user),
                takes_away=True,
            ),
        ),
        money=Money(due, f"refunds {wording.money(-due)}", 1, _amounts(before)),
    )


def _modify(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    return _swap_facts(draft, preview, before, user, _charge(before, after), "modify")


def _exchange(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    due = float(after["exchange_price_difference"])
    return _swap_facts(draft, preview, before, user, due, "exchange")


def _pairs(draft: Draft, order: Record, arguments: Arguments) -> list[tuple[Record, Record]]:
    """Each item with the variant requested for it, as the catalogue has it.

    The comparison is with the request. If a defect of the tool writes something else into the
    order, the card's effects say so.
    """
    listed = zip(arguments["item_ids"], arguments["new_item_ids"], strict=True)
    items = ((store.get_item(order, old_id), new_id) for old_id, new_id in listed)
    return [(old, store.get_variant(draft, old["product_id"], new_id)) for old, new_id in items]


def _swap_facts(
    draft: Draft,
    preview: Preview,
    before: Record,
    user: Record,
    due: float,
    verb: str,
) -> Facts:
    """The facts of a change of items to other variants of their products."""
    pairs = _pairs(draft, before, preview.call.arguments)
    method = preview.call.arguments["payment_method_id"]
    does = "charges" if due > 0 else "refunds to"
    words = f"charges {wording.money(due)}" if due > 0 else f"refunds {wording.money(-due)}"
    parts = {price for pair in pairs for each in pair for price in (each["price"],)}
    parts |= {abs(new["price"] - old["price"]) for old, new in pairs}
    old_sum, new_sum = (sum(pair[side]["price"] for pair in pairs) for side in (0, 1))
    return Facts(
        verbs=frozenset(
            {verb, "exchange", "swap", "change", "modify", "switch", "replace", "trade", "update"}
        ),
        about=about_order(before),
        others=other_orders(draft, user, before),
        record=which_order(user, before),
        choices=(
            *(_methods(user, (method,), _methods_paid_with(before), does) if due else ()),
            *option_choices(draft, pairs),
        ),
        selections=(
            items_of(
                "modifies" if verb == "modify" else "exchanges",
                before,
                [old["item_id"] for old, _ in pairs],
                owned=products_owned(draft, user),
                once=True,
            ),
        ),
        money=Money(
            due, words, 1, frozenset({*parts, old_sum, new_sum, *_amounts(before)}),
            is_difference=True,
        ),
        cheaper=cheaper_variant(draft, pairs),
    )  # fmt: skip


def _return(draft: Draft, preview: Preview) -> Facts:
    before, _, user = _order(draft, preview)
    arguments = preview.call.arguments
    items = [store.get_item(before, each) for each in arguments["item_ids"]]
    due = float(sum(each["price"] for each in items))
    return Facts(
        verbs=frozenset(
            {"return", "send back", "give back", "take back", "bring back", "refund", "go back"}
        ),
        acts=frozenset({"return", "send back", "take back", "go back"}),
        about=about_order(before),
        others=other_orders(draft, user, before),
        record=which_order(user, before),
        choices=_methods(
            user, (arguments["payment_method_id"],), _methods_paid_with(before), "refunds to"
        ),
        selections=(
            items_of("returns", before, arguments["item_ids"], owned=products_owned(draft, user),
                   once=True, takes_away=True),
        ),
        money=Money(
            -due, f"refunds {wording.money(due)}", 1,
            frozenset({*(each["price"] for each in items), *_amounts(before)}),
        ),
    )  # fmt: skip


def _pay(draft: Draft, preview: Preview) -> Facts:
    before, _, user = _order(draft, preview)
    new = preview.call.arguments["payment_method_id"]
    amount = float(before["payment_history"][0]["amount"])
    choice = Choice(
        "payment method",
        f"pays with {wording.by_method(user, new)}",
        frozenset({new}),
        payment_ways(user, _methods_paid_with(before)),
        before=frozenset(_methods_paid_with(before)),
    )
    return Facts(
        verbs=frozenset({"pay", "change", "switch", "use", "charge", "modify", "update", "put"}),
        about=about_order(before),
        others=other_orders(draft, user, before),
        record=which_order(user, before),
        choices=(choice,),
        money=Money(amount, f"charges {wording.money(amount)}", 1, _amounts(before)),
    )


def _ship(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    return Facts(
        verbs=frozenset({"ship", "change", "send", "deliver", "update", "modify", "move"}),
        about=about_order(before),
        others=other_orders(draft, user, before),
        record=which_order(user, before),
        sources=tuple(_address(after["address"], "ships to")),
    )


def _move(draft: Draft, preview: Preview) -> Facts:
    user = store.get_user(preview.after, preview.call.arguments["user_id"])
    return Facts(
        verbs=frozenset({"change", "update", "move", "set", "modify", "replace"}),
        about={"default address": frozenset({"address"}), "address": frozenset({"address"})},
        choices=(Choice("address", "sets the default address", frozenset({"default"}), PLACES),),
        sources=tuple(_address(user["address"], "sets")),
    )


_BY_TOOL: dict[str, Callable[[Draft, Preview], Facts]] = {
    "cancel_pending_order": _cancel,
    "exchange_delivered_order_items": _exchange,
    "modify_pending_order_address": _ship,
    "modify_pending_order_items": _modify,
    "modify_pending_order_payment": _pay,
    "modify_user_address": _move,
    "return_delivered_order_items": _return,
}


def _order(draft: Draft, preview: Preview) -> tuple[Record, Record, Record]:
    """An order before and after the call, and the customer it belongs to."""
    key = preview.call.arguments["order_id"]
    before = store.get_order(draft, key)
    return before, store.get_order(preview.after, key), store.get_user(draft, before["user_id"])


def _added_rows(before: Record, after: Record) -> Sequence[Record]:
    rows: list[Record] = after["payment_history"][len(before["payment_history"]) :]
    return rows


def _charge(before: Record, after: Record) -> float:
    """The dollars that rows added to the payments charge; negative if they refund."""
    signs = {"payment": 1, "refund": -1}
    moved: float = sum(
        signs[row["transaction_type"]] * row["amount"] for row in _added_rows(before, after)
    )
    return round(moved, 2)


@cached_by_identity
def _methods_paid_with(order: Record) -> tuple[str, ...]:
    rows = order["payment_history"]
    return tuple(r["payment_method_id"] for r in rows if r["transaction_type"] == "payment")


@cached_by_identity
def _amounts(order: Record) -> frozenset[float]:
    prices = [item["price"] for item in order["items"]]
    paid = [row["amount"] for row in order["payment_history"]]
    return frozenset((*prices, round(sum(prices), 2), *paid))


@cached_by_identity
def _methods(
    user: Record, used: tuple[str, ...], original: tuple[str, ...], does: str, topic: Ways = NO_WAYS
) -> tuple[Choice, ...]:
    chosen = list(dict.fromkeys(used))
    if not chosen:
        return ()
    named = wording.listing([wording.by_method(user, each) for each in chosen])
    ways = payment_ways(user, original)
    method = Choice(
        "payment method",
        f"{does} {named}",
        frozenset(chosen),
        ways,
        usual=frozenset(original),
        topic=topic,
    )
    return (method,)


def _address(address: Record, does: str) -> Iterator[Source]:
    for line in _ADDRESS:
        if address[line].strip():
            yield Source(
                f"{line} of the address", address[line], f"{does} {wording.address(address)}"
            )
