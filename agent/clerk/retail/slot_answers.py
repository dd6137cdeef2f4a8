"""What a message fills in for a task: the slot that was asked for, or the variant wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.clerk.retail.actions import REASONS, reason
from agent.clerk.retail.addresses import ADDRESSES, fills_address
from agent.clerk.retail.intent_data import ACTS, SWAPS, tells
from agent.clerk.retail.item_mentions import OrderItem, named_items, says_everything
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import kinds
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens

ENOUGH = 0.7
"""How likely another change, or a question, must be beside an answer to be one of its own."""


def joined(wishes: Sequence[ParsedRequest]) -> list[ParsedRequest]:
    """The requests, with the questions of one kind joined into one: they get one answer."""
    found: list[ParsedRequest] = []
    for wish in wishes:
        alike = (each for each in found if each.intent == wish.intent and wish.intent not in ACTS)
        first = next((e for e in alike if not e.is_uncertain and not wish.is_uncertain), None)
        if first is None or wish.modality != first.modality:
            found.append(wish)
        else:
            found[found.index(first)] = replace(first, text=f"{first.text} . {wish.text}")
    return found


def fills(task: Task, slot: str, text: str, records: RetailRecords) -> bool:
    """Whether a text fills a slot or, for the slot ``revise``, says how a change should differ."""
    words, things = tokens(text), records.things
    revises = slot == "revise"
    if slot == "whole":
        yes = GENERAL.tell(words, "yes") or tells(words, "whole order")
        task.chosen["whole"] = "no" if GENERAL.tell(words, "not so") else "yes" * yes
        return bool(task.chosen["whole"])
    if slot == "reason":
        told = reason(Task(None, text))
        no = has(words, "no", "neither", "none", "nope") and not told
        task.chosen |= {"reason": "none"} if told == "other" or no else {}
        return bool(told) or no
    if slot == "address" or (revises and task.intent in ADDRESSES and fills_address(task, text)):
        return fills_address(task, text)
    if revises and task.intent == "cancel_order" and reason(Task(None, text)) in REASONS:
        return True
    if slot in {"order", "items"} and (
        order_ids(text) or says_everything(text) or tells(words, "which order")
    ):
        return True
    if slot.startswith("variant:"):
        meant = [each for each in things if slot.endswith(each.id)]
        return bool(kinds(text)) or _tells_variant(meant, text, records)
    named = slot != "payment" and bool(named_items(text, things))
    paid = slot in {"payment", "revise"} and bool(kinds(text))
    return named or paid or (revises and swaps_for(task, text, records))


def swaps_for(task: Task, text: str, records: RetailRecords) -> bool:
    """Whether a text says which variant an item of an exchange should be exchanged for."""
    things = records.things
    named = [each for words in task.words for each in named_items(words, things)]
    return task.intent in SWAPS and _tells_variant(named or things, text, records)


def takes_another(task: Task, message: ParsedMessage, records: RetailRecords) -> bool:
    """Whether a message tells which variant it should be after one was refused, or asks again."""
    text, wishes = message.text, message.requests
    own = all(each.intent in SWAPS or each.probability < ENOUGH for each in wishes)
    meant = all(each.modality == "meant" for each in wishes) and "?" not in text
    return own and (meant or tells(message.words, "same")) and swaps_for(task, text, records)


def _tells_variant(things: Sequence[OrderItem], text: str, records: RetailRecords) -> bool:
    """Whether a text describes the variant wanted for one of these items."""
    known = ((each, records.products.get(str(each.item["product_id"]))) for each in things)
    told = [read_wanted([text], product, each.item) for each, product in known if product]
    return any(each.same or not each.is_empty for each in told)
