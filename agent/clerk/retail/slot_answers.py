"""Slot filling: whether an answer fills the slot that was asked for, or revises a change."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.retail.actions import REASONS, reason
from agent.clerk.retail.addresses import ADDRESSES, fills_address
from agent.clerk.retail.intent_data import SWAPS, tells
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items, says_everything
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import kinds
from agent.clerk.retail.variant_slots import Wanted, read_wanted
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens

_NUMBERED = 4
"""In an answer of at most so many words a number is the place of a choice."""


def read_answer(task: Task, slot: str, text: str, records: RetailRecords) -> str:
    """The sentence that an answer stands for, maybe a full address; empty if it fills nothing."""
    return text if _fills(task, slot, text, records) else ""


def _fills(task: Task, slot: str, text: str, records: RetailRecords) -> bool:
    words, things = tokens(text), items_of(records.orders.values())
    if slot == "payment":
        return bool(kinds(text))
    if slot == "whole":
        no = GENERAL.tell(words, "not so")
        yes = GENERAL.tell(words, "yes") or tells(words, "whole order")
        task.chosen["whole"] = "no" if no else "yes" * yes
        return bool(task.chosen["whole"])
    if slot == "reason":
        told = reason(Task(None, text))
        no = has(words, "no", "neither", "none", "nope") and not told
        if told == "other" or no:
            task.chosen["reason"] = "none"
        return bool(told) or no
    if slot == "address":
        return fills_address(task, text)
    if slot in {"order", "items"}:
        told_order = order_ids(text) or says_everything(text) or tells(words, "which order")
        return bool(told_order or named_items(text, things))
    if slot.startswith("variant:"):
        meant = [each for each in things if each.id == slot.partition(":")[2]]
        return _tells_variant(meant, text, records) or bool(kinds(text))
    return slot == "revise" and _revises(task, text, things, records)


def _revises(task: Task, text: str, things: Sequence[OrderItem], records: RetailRecords) -> bool:
    """Whether a text says how a change that was sent back should differ."""
    if task.intent in ADDRESSES and fills_address(task, text):
        return True
    why = reason(Task(None, text)) if task.intent == "cancel_order" else ""
    if why in REASONS and not has(tokens(text), "wrong"):
        return True
    return bool(kinds(text) or named_items(text, things)) or swaps_for(task, text, records)


def variant_told(
    slot: str, text: str, records: RetailRecords, before: Sequence[str] = ()
) -> tuple[Json, Wanted] | None:
    """The product of the item that a question is about, and the variant that a text describes."""
    for each in items_of(records.orders.values()):
        product = records.products.get(str(each.item["product_id"]))
        if product is not None and slot == f"variant:{each.id}":
            return product, read_wanted([*before, text], product, each.item)
    return None


def narrows(task: Task, slot: str, text: str, records: RetailRecords) -> bool:
    """Whether a question about the variants on offer leaves none or several, not just one."""
    now = variant_told(slot, text, records)
    if now is None or not now[1].values:
        return False
    product, told = variant_told(slot, text, records, task.words) or now
    return len(told.find(product)) != 1


def only_choice(question: Question, text: str, records: RetailRecords) -> str:
    """The sentence that picks the one variant on offer that an answer describes, or empty."""
    product, told = variant_told(question.slot, text, records) or ({"variants": {}}, Wanted())
    offered = [e.value for e in question.choices if e.value in product["variants"]]
    fits = [e for e in offered if told.values and told.is_met_by(product["variants"][e])]
    return f"{question.slot.partition(':')[2]} {fits[0]} , {text}" if len(fits) == 1 else ""


def contradicts(slot: str, variant_id: str, text: str, records: RetailRecords) -> bool:
    """Whether a text describes another variant than the one that a number in it seems to pick."""
    product, told = variant_told(slot, text, records) or ({"variants": {}}, Wanted())
    picked = product["variants"].get(variant_id)
    return picked is not None and len(tokens(text)) > _NUMBERED and not told.is_met_by(picked)


def swaps_for(task: Task, text: str, records: RetailRecords) -> bool:
    """Whether a text says which variant an item of an exchange should be exchanged for."""
    things = items_of(records.orders.values())
    named = [each for words in task.words for each in named_items(words, things)]
    return task.intent in SWAPS and _tells_variant(named or things, text, records)


def _tells_variant(things: Sequence[OrderItem], text: str, records: RetailRecords) -> bool:
    """Whether a text describes the variant wanted for one of these items."""
    known = ((each, records.products.get(str(each.item["product_id"]))) for each in things)
    told = [read_wanted([text], product, each.item) for each, product in known if product]
    return any(each.same or not each.is_empty for each in told)
