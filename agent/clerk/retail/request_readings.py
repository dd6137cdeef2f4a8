"""Corrects what a message asks for, by its other requests and by what was spoken of before."""

from __future__ import annotations

from agent.clerk.retail.addresses import which_address
from agent.clerk.retail.intent_data import ACTS, OF_ITEMS, SWAPS, tells
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import only_pays
from agent.clerk.retail.slot_answers import (
    joined,
    swaps_for,
    without_doubted_swap,
    without_idle_denials,
)
from agent.clerk.retail.subjects import PRODUCTS
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.understanding.parsed_message import CLEAR, ParsedMessage, ParsedRequest
from agent.clerk.understanding.tokens import has, tokens

_DETAILS = frozenset({"change_payment", "refund_amount", "gift_balance", "return_items"})
"""Intents that a sentence about where the money goes may be mistaken for."""

_SAYS_LITTLE = 5
"""A wish of this many words or fewer may name nothing that it wants."""

_ASKS_WHERE = frozenset({"state_check", *PRODUCTS})
"""What a question where something goes is misread as: it is of an order."""


def refined(
    dialogue: Dialogue, wishes: list[ParsedRequest], message: ParsedMessage
) -> list[ParsedRequest]:
    """The requests of a message, with each address change assigned to an order or the profile.

    Requests that only say how money moves beside a return or exchange are left out, as is what
    nobody proposed and a message denies beside a question. What a variant costs more than another
    is asked of the product, and of nothing given back no refund is asked.
    """
    last = dialogue.tasks[-1].intent if dialogue.tasks else None
    of_product = bool({last, *(each.intent for each in wishes)} & PRODUCTS)
    changed = any(each.intent in ACTS for each in dialogue.tasks)
    changes = changed or any(each.intent in ACTS for each in wishes)
    if not changed:
        wishes = without_idle_denials(wishes, dialogue)
    wishes = without_doubted_swap(wishes, message)
    wishes = _without_swap_of_nothing(dialogue, wishes, message)
    for wish in wishes:
        if _goes_on_about_price(dialogue, wish):
            wish.become("exchange_items", "what_if")
            message.guesses = tuple(e for e in message.guesses if e.name not in PRODUCTS)
            continue
        intent = _better_intent(dialogue, wish, message, of_product=of_product, changes=changes)
        if intent:
            wish.intent, wish.guesses = intent, ()
    kept = []
    for wish in joined(wishes):
        beside = [each.intent for each in wishes if each is not wish]
        beside += [str(each.intent) for each in dialogue.open_tasks]
        others = not OF_ITEMS.isdisjoint({*beside, wish.intent} if beside else ())
        if others and wish.intent in _DETAILS and only_pays(wish.text):
            message.detail_sentences.append(wish.text)
            message.otherwise += wish.otherwise
            continue
        kept.append(which_address(wish))
    return kept


def _without_swap_of_nothing(
    dialogue: Dialogue, wishes: list[ParsedRequest], message: ParsedMessage
) -> list[ParsedRequest]:
    """The requests without a swap, beside another change, that says neither what nor for what.

    "Neither, I do want one" tells why an order should be cancelled, and exchanges nothing.
    """
    open_changes = {e.intent for e in dialogue.open_tasks if e.intent in ACTS and not e.what_if}
    supposed = any(each.modality == "what_if" and each.intent in SWAPS for each in wishes)
    found: list[ParsedRequest] = []
    for wish in wishes:
        beside = wish.intent in SWAPS and open_changes and not open_changes & SWAPS
        verbs = dialogue.reader.catalog.verbs | {"swap", "different", "instead", "switch"}
        tells_what = verbs & {*tokens(wish.text)} or _records_of(dialogue).find_named(wish.text)
        idle = bool(beside) and len(tokens(wish.text)) <= _SAYS_LITTLE and not tells_what
        idle |= supposed and wish.intent in SWAPS and wish.probability < CLEAR
        if wish.modality == "meant" and idle:  # "I'm thinking of a bigger one, 1 liter"
            message.detail_sentences.append(wish.text)
        else:
            found.append(wish)
    return found


def _better_intent(
    dialogue: Dialogue,
    wish: ParsedRequest,
    message: ParsedMessage,
    *,
    of_product: bool,
    changes: bool,
) -> str:
    """The intent that a request rather has than the one it was read as; empty if it fits."""
    words, pays = tokens(wish.text), [e for e in wish.otherwise if only_pays(e)]
    if wish.intent == "refund_amount" and not tells(words, "own refund"):
        other = "product_info" if of_product else "order_total"
        return other if of_product or not changes else ""
    if wish.intent == "state_check" and _asks_of_records(dialogue, wish, message):
        return "order_status"
    if wish.intent in _ASKS_WHERE and tells(words, "asks where to"):
        return "order_status"
    return "change_payment" if wish.intent in SWAPS and pays and tells(words, "charges") else ""


def _asks_of_records(dialogue: Dialogue, wish: ParsedRequest, message: ParsedMessage) -> bool:
    """Whether what is asked is how things are with an order that nobody has changed here."""
    records = _records_of(dialogue)
    told = [wish.text, " . ".join(message.detail_sentences)]
    named = next(filter(None, map(records.find_named, told)), [])
    changed = {dialogue.record_id_of(each) for each in dialogue.changes}
    ids = {str(each.order["order_id"]) for each in named} | {*order_ids(wish.text)}
    return bool(ids) and ids.isdisjoint(changed)


def _goes_on_about_price(dialogue: Dialogue, wish: ParsedRequest) -> bool:
    """Whether a question is about the exchange of which only the price was told last."""
    last = next((each for each in reversed(dialogue.tasks) if each.intent is not None), None)
    if last is None or not (last.what_if and last.intent in SWAPS):
        return False
    words = tokens(wish.text)
    points = tells(words, "own thing") or has(words, "price", "cost")
    points |= swaps_for(last, wish.text, _records_of(dialogue))
    return wish.intent in PRODUCTS and points and not tells(words, "of the shop")


def _records_of(dialogue: Dialogue) -> RetailRecords:
    assert isinstance(dialogue.records, RetailRecords)
    return dialogue.records
