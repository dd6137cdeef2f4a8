"""Facts about the money that a change at the store moves, each a sentence that can be an answer."""

from __future__ import annotations

from collections.abc import Iterator

from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.payment_slots import LEAST, ids_in, money_moved, original_method
from agent.clerk.retail.wording import method, money, order_short, refund_time
from agent.clerk.state.records import Json, RecordedCall
from agent.clerk.state.steps import Call
from agent.clerk.wording import join_parts

CANCEL, RETURN = "cancel_pending_order", "return_delivered_order_items"
EXCHANGE, MODIFY = "exchange_delivered_order_items", "modify_pending_order_items"
REPAY, MOVE = "modify_pending_order_payment", "modify_pending_order_address"

_BOTH = 2
"""How many payments an order has whose payment method was changed."""

_NO_DAY = "I can't see on which day the money is taken."


def tell_money(
    change: Call | RecordedCall, order: Json, records: RetailRecords, *, made: bool
) -> Iterator[str]:
    """Yield what a change that is proposed, or was ``made``, costs or brings, and by which way."""
    back, method_id = money_moved(change, records)
    how = _name(records, method_id)
    if change.name == MOVE:
        yield "This costs nothing: no money is moved by it."
        return
    if change.name == REPAY:
        if made:  # what it costs may have changed since
            yield from _tell_moved_back(change, records)
        else:
            yield from _tell_repayment(change, order, records)
        return
    if abs(back) <= LEAST:
        yield "The price stays the same, so you pay nothing and get nothing back."
        return
    if back < 0:
        yield f"You pay {money(-back)} more in all, all of it with your {how}."
        yield f"Only the difference of {money(-back)} is paid: nothing is refunded in between."
        yield _NO_DAY
        if change.name == EXCHANGE and not made:
            yield f"The {money(-back)} is not charged right now, but when the exchange is made."
    else:
        of = f" for order {order_short(order)}" if change.name == CANCEL else ""
        yield f"You get {money(back)} back in all{of}, and all of it goes to your {how}."
        yield from _tell_refund(change, order, method_id, records)
    if change.name == MODIFY:
        total = sum(float(each["price"]) for each in order["items"])
        yield f"After this, the whole order comes to {money(total - back)}."
    yield from _tell_unused(method_id, records)
    if not made:
        yield from _tell_instead(change, order, method_id, records)
    yield from _tell_balance(change, records.methods.get(method_id, {}), back, records)


def _tell_balance(
    change: Call | RecordedCall, gift: Json, back: float, records: RetailRecords
) -> Iterator[str]:
    """Yield what is on a gift card before and after money goes to it or comes from it."""
    if gift.get("source") != "gift_card":
        return
    held = float(gift["balance"])
    if not records.changed_gift_card:
        yield f"Your gift card has {money(held)} now and {money(held + back)} after this."
    elif change.name == RETURN:  # the money is still to come
        yield f"With the {money(held)} on it now, your gift card then has {money(held + back)}."


def _tell_refund(
    change: Call | RecordedCall, order: Json, method_id: str, records: RetailRecords
) -> Iterator[str]:
    how, paid = _name(records, method_id), original_method(order)
    when = refund_time(records.methods.get(method_id))
    first = (
        "once what you send back has arrived, and then "
        if change.name in {RETURN, EXCHANGE}
        else ""
    )
    yield f"The money arrives on your {how} {first}{when}."
    if change.name == CANCEL:
        yield "The refund can't go anywhere else: it goes back to how the order was paid."
    if method_id == paid:
        yield f"It goes to your {how} because that is how the order was paid."
    ids = ids_in(change, "item_ids")
    meant = [each for each in order["items"] if not ids or each["item_id"] in ids]
    if len(meant) > 1 and change.name in {CANCEL, RETURN}:
        parts = join_parts(f"{money(e['price'])} for the {e['name']}" for e in meant)
        yield f"Of the refund, {parts}."
    if change.name in {CANCEL, RETURN}:
        yield "That is the full price that you paid for it: no fee is taken off."


def _tell_moved_back(change: Call | RecordedCall, records: RetailRecords) -> Iterator[str]:
    """Yield what becomes of the payment before, if an order is still paid as this change says."""
    now = records.orders[str(change.arguments.get("order_id"))]
    paid = [e for e in now["payment_history"] if e["transaction_type"] == "payment"]
    new = str(change.arguments.get("payment_method_id"))
    if len(paid) < _BOTH or paid[-1]["payment_method_id"] != new or now["status"] == "cancelled":
        return
    total, old = paid[-2]["amount"], str(paid[-2]["payment_method_id"])
    when = refund_time(records.methods.get(old))
    yield f"The {money(total)} goes back to your {_name(records, old)} {when}."
    if new != old:
        names = _name(records, new), _name(records, old)
        yield "The order is paid with your {} now, not with {}.".format(*names)


def _tell_repayment(
    change: Call | RecordedCall, order: Json, records: RetailRecords
) -> Iterator[str]:
    total = money(sum(float(each["price"]) for each in order["items"]))
    new = str(change.arguments.get("payment_method_id"))
    old = original_method(order)
    yield f"All of the {total} is paid with your {_name(records, new)}."
    yield _NO_DAY
    yield "A payment can't be split: the whole order is paid with one method."
    when = refund_time(records.methods.get(old))
    yield f"The {total} goes back to your {_name(records, old)} {when}."
    yield f"Before this, the order was paid with your {_name(records, old)}."
    yield f"The price stays the same: {total}. The change itself costs nothing."
    yield from _tell_unused(new, records, old)
    yield from _tell_instead(change, order, new, records)
    for each in (records.methods.get(key, {}) for key in (new, old)):
        if each.get("source") == "gift_card" and not records.changed_gift_card:
            moved = sum(float(e["price"]) for e in order["items"])
            left = float(each["balance"]) + (-moved if each is records.methods.get(new) else moved)
            yield f"Your gift card has {money(each['balance'])} now and {money(left)} after this."


def _tell_unused(used: str, records: RetailRecords, *others: str) -> Iterator[str]:
    for key, each in records.methods.items():
        if key not in {used, *others}:
            kept = f" and keeps its {money(each['balance'])}" if "balance" in each else ""
            yield f"Your {method(each, key, balance=False)} is not used for this{kept}."


def _tell_instead(
    change: Call | RecordedCall, order: Json, used: str, records: RetailRecords
) -> Iterator[str]:
    """Yield which other methods could be used, as far as the rules allow any."""
    paid, total = original_method(order), sum(float(each["price"]) for each in order["items"])
    others = {
        key: each
        for key, each in records.methods.items()
        if key != used
        and (change.name != RETURN or key == paid or each.get("source") == "gift_card")
        and (change.name != REPAY or (key != paid and float(each.get("balance", total)) >= total))
    }
    names = join_parts((method(e, k, balance=False) for k, e in others.items()), "or")
    if change.name == CANCEL:
        return
    if others:
        yield f"Your {names} could be used for this instead: say so, and I change it."
    elif records.methods.keys() == {used}:
        yield f"Your {_name(records, used)} is the only payment method in your profile."
    else:
        yield "None of your other payment methods could be used for this."
    for key, each in others.items() if change.name in {RETURN, EXCHANGE, MODIFY} else ():
        how = method(each, key, balance=False)
        first = "" if change.name == MODIFY else "once what you send back has arrived, "
        when = f"{first}{refund_time(each)}"
        yield f"If a refund goes to your {how} instead, it arrives there {when}."


def _name(records: RetailRecords, method_id: str) -> str:
    return method(records.methods.get(method_id), method_id, balance=False)
