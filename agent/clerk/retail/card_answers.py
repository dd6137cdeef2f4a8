"""Answers to questions about a card for a change of an order or of the profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.clerk.card_questions import asked
from agent.clerk.card_questions import money_answers as paying
from agent.clerk.card_questions import shared_answers as shared
from agent.clerk.card_questions.topics import tells as tells_asked
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.deciding.offers import MOST
from agent.clerk.retail.intent_data import TEXTS, tells
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.retail.payment_slots import name_method, original_method, your_method
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.retail.wording import (
    address,
    item,
    money,
    options,
    order_short,
    refund_time,
    status_words,
)
from agent.clerk.state.records import Json
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

CANCEL, OF_PROFILE = "cancel_pending_order", "modify_user_address"
_RETURN = "return_delivered_order_items"
"""Of what is sent back only the money arrives."""
_REPAY = "modify_pending_order_payment"
_PLACED_ORDERS = "orders already placed keep their address"


def _order(card: WaitingCard) -> Json | None:
    found: Json | None = card.records.orders.get(str(card.arguments.get("order_id")))
    return found


def _meant(card: WaitingCard) -> list[Json]:
    """The items that the change is about: those that it lists, or else all of the order."""
    order, given = _order(card), card.arguments.get("item_ids")
    items = order["items"] if order else []
    return [e for e in items if not isinstance(given, list) or e["item_id"] in given]


def _named(card: WaitingCard) -> list[OrderItem]:
    """The items that the question mentions; of like ones those on the card, or the "other" ones."""
    own = _order(card)
    found = named_items(card.question, items_of(card.records.orders.values()))
    here = {e.item["name"] for e in found if e.order is own}
    other = tells(tokens(card.question), "the other one")
    return [e for e in found if e.item["name"] not in here or (e.order is own) != other]


def _fates(card: WaitingCard, *, elsewhere: bool = False) -> str:
    """What becomes of the items that the question mentions, or of those of other orders only."""
    own = _order(card)
    facts = (_fate(card, e) for e in _named(card) if not elsewhere or e.order is not own)
    return " ".join(dict.fromkeys(filter(None, facts)))


def _fate(card: WaitingCard, thing: OrderItem) -> str:
    name, order = thing.item["name"], thing.order
    if order["order_id"] != card.arguments.get("order_id"):
        waits = order["status"].startswith("pending")
        where = f" and goes to {address(order['address'])}" if waits else ""
        which = f"the {name} in order {order['order_id']}, which is {status_words(order)}{where}"
        return asked.reply(card, f"this changes nothing about {which}", asked.is_kept(card))
    if card.tool == CANCEL or "address1" in card.arguments:
        return _destination(card, order)
    given = card.arguments.get("item_ids") or []
    held = [str(each["item_id"]) for each in order["items"]].count(thing.id)
    if not given.count(thing.id):
        return asked.reply(card, f"the {name} stays as it is", asked.is_kept(card))
    return f"The {name} is part of this." if given.count(thing.id) == held else ""


def _destination(card: WaitingCard, order: Json) -> str:
    """Where the order on the card goes once the change is made, and if that is the default."""
    name, default = order_short(order), (card.records.user or {}).get("address")
    if card.tool == CANCEL:
        return f"Order {name} would be cancelled, and none of it would be shipped."
    if not order["status"].startswith("pending"):
        return f"Order {name} is already {status_words(order)}."
    changes = "address1" in card.arguments
    goes = address(card.arguments if changes else order["address"])
    which = "" if default and goes == address(default) else "not "
    words = tokens(card.question)
    if (
        changes
        and default
        and has(words, "default", "profile")
        and tells_asked(words, "kept or changed")
    ):
        fact = f"your default address stays {address(default)}"
        return asked.reply(card, fact, asked.is_kept(card))
    if asked.asks_of_parcels(card):
        return f"Order {name} goes to {goes}; I can't tell in how many packages it is sent."
    then = f" {_before(card)}" if changes and which else ""
    still = "" if changes else "still "
    holds = not which if has(words, "default") else None if changes else asked.is_kept(card)
    fact = f"order {name} {still}goes to {goes}, which is {which}your default address"
    return asked.reply(card, fact, None if has(words, "old") else holds) + then


def _amount(card: WaitingCard) -> str:
    """What it costs or brings back; a refund is compared with what was paid for the items."""
    asks = GENERAL.tell(tokens(card.question), "paying") and not asked.names_sum(card)
    free = card.tool == _REPAY and asks
    paid = sum(float(each["price"]) for each in _meant(card))
    return paying.amount(replace(card, told={}) if free else card, paid)


def _when(card: WaitingCard) -> str:
    words = tokens(card.question)
    if tells(words, "arriving") and not tells(words, "money"):
        return ""
    if "item_ids" not in card.arguments or not card.after("^refund .*once they are back"):
        return paying.when(card)
    to = str(card.arguments.get("payment_method_id"))
    what = "the item is" if len(_meant(card)) == 1 else "the items are"
    when = refund_time(card.records.methods.get(to))
    return f"Once {what} back, the money goes to {your_method(card.records, to)} {when}."


def _why(card: WaitingCard) -> str:
    order = _order(card)
    return shared.why(card, _paid_with(card, order) if order else "")


def _paid_with(card: WaitingCard, order: Json) -> str:
    return f"with your {name_method(card.records, original_method(order))}"


def _contents(card: WaitingCard) -> str:
    """What the order holds, and whether the change is about all of it."""
    order, elsewhere = _order(card), _fates(card, elsewhere=True)
    if has(tokens(card.question), "profile", "default") and "address1" in card.arguments:
        return _arrival(card)
    if order is None or elsewhere:
        return elsewhere
    if (named := _named(card)) and not card.arguments.get("item_ids"):
        things = join_parts(f"the {each.item['name']}" for each in named)
        return asked.reply(card, f"order {order['order_id']} holds {things}", holds=True)
    parts = [f"{each['name']} ({money(each['price'])})" for each in order["items"]]
    only = join_parts(each["name"] for each in _meant(card))
    meant = f"the {only} only" if "item_ids" in card.arguments else "the whole order"
    return f"Order {order['order_id']} holds: {join_parts(parts)}. This is about {meant}."


def _others(card: WaitingCard) -> str:
    """What stays as it is: what the question mentions, or all else, read or not."""
    if card.tool == OF_PROFILE:
        return _placed_orders(card)
    only, own = asked.asks_if_only(card), _order(card)
    if own and own["status"].startswith("pending") and _asks_of_address(card) and not only:
        return _destination(card, own)
    if fates := _fates(card, elsewhere=only):
        return fates
    changed, known = card.arguments.get("order_id"), card.records
    unread = [each for each in known.order_ids if each not in {changed, *known.orders}]
    rest = f", including {join_parts(unread)}, which I have not read" if unread else ""
    kept = f"your other orders and your profile stay as they are{rest}"
    fact = f"only order {changed} is changed; {kept}"
    return asked.reply(card, fact, only or asked.is_kept(card))


def _arrival(card: WaitingCard) -> str:
    """Whether the mentioned items, or else this order, are still delivered, and to where."""
    words, own = tokens(card.question), _order(card)
    if tells(words, "asks when"):
        return ""
    if card.tool == OF_PROFILE:
        if _named(card) or has(words, "order", "orders", "still"):
            return _placed_orders(card)
        return f"The new address would be {address(card.arguments)}. {_before(card)}"
    if own and asked.asks_of_parcels(card):
        return _destination(card, own)
    if fates := _fates(card):
        return fates
    if own and (tells(words, "this order") or _asks_of_address(card)):
        return _destination(card, own)
    return _others(card) if "where" in words or asked.is_kept(card) is not None else ""


def _asks_of_address(card: WaitingCard) -> bool:
    """Whether a question is about an address, such as the one on which the order is sent."""
    words, own = tokens(card.question), _order(card)
    streets = tokens(own["address"]["address1"]) if own else ()
    return has(words, "address", "street", *(each for each in streets if len(each) > 2))


def _placed_orders(card: WaitingCard) -> str:
    """That a new default address moves no order, with where those go that the question names."""
    orders = {str(each.order["order_id"]): each.order for each in _named(card)}
    goes = [f"{order_short(each)} goes to {address(each['address'])}" for each in orders.values()]
    fact = f"{_PLACED_ORDERS}{': ' * bool(goes)}{join_parts(goes)}"
    return asked.reply(card, fact, asked.is_kept(card))


def _before(card: WaitingCard) -> str:
    """The state that the change replaces: an address, a payment method, or items."""
    order = _order(card)
    if "address1" in card.arguments:
        record = card.records.user if card.tool == OF_PROFILE else order
        return f"At the moment it is {address(record['address'])}." if record else ""
    if card.tool == _REPAY and order is not None:
        return f"It is paid {_paid_with(card, order)} now."
    return _new_one(card)


def _new_one(card: WaitingCard) -> str:
    """What the item becomes; if it stays the same item, what it is."""
    if card.tool == OF_PROFILE and _named(card):
        return _placed_orders(card)
    lines = [line for line in card.after("→") if not line.startswith("order #")]
    return as_sentence(lines or [item(each) for each in _meant(card)])


def _options(card: WaitingCard) -> str:
    """Other variants of the item that can be had, as the question wants them, with their prices."""
    taken = card.arguments.get("new_item_ids") or []
    pools = [card.records.products.get(each["product_id"]) for each in _meant(card) if taken]
    free = [
        (e, read_wanted([card.question], product).is_met_by(e))
        for product in pools
        if product
        for e in product["variants"].values()
        if e["available"] and e["item_id"] not in taken
    ]
    meant = [e for e, fits in free if fits] or [e for e, _ in free]
    found = [f"{options(e)} at {money(e['price'])}" for e in meant]
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    return f"There is also: {'; '.join(found[:MOST])}{more}. {shared.SAY}" if found else ""


def _balance(card: WaitingCard) -> str:
    """The current balance of the gift cards, and how the change affects it."""
    cards = (e for e in card.records.methods.values() if e.get("source") == "gift_card")
    held = [f"{money(float(each['balance']))} on your gift card" for each in cards]
    return paying.balance(card, "gift card", held)


CARD_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    **shared.SHARED_TOPICS,
    "amount": _amount,
    "later": lambda card: _fates(card, elsewhere=True) or shared.later(card),
    "options": _options,
    "sending": lambda card: TEXTS["send_back"],
    "when": _when,
    "why": _why,
    "contents": _contents,
    "others": _others,
    "keep": lambda card: _arrival(card) if "address1" in card.arguments else _others(card),
    "arrival": lambda card: _arrival(card) or (_when(card) if card.tool == _RETURN else ""),
    "address": _arrival,
    "before": _before,
    "new_one": _new_one,
    "balance": _balance,
}
