"""Whether an answer tells what was asked, or what should be different, by what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.retail.actions import REASONS, reason
from agent.clerk.retail.address_parts import completed, parse_address, parts_given, says_same
from agent.clerk.retail.addresses import ADDRESSES
from agent.clerk.retail.manner import SWAPS, tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.paying import kinds
from agent.clerk.retail.things import Owned, items_of, named_items, says_everything
from agent.clerk.retail.wanted import read_wanted
from agent.clerk.state.task import Task
from agent.clerk.understanding.correcting import put_right
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens


def read_answer(about: Task, slot: str, text: str, memory: Memory) -> str:
    """The sentence that an answer stands for, which may complete an address; or nothing."""
    if about.intent in ADDRESSES and (put_right(text, parts_given(about)) or says_same(text)):
        return text
    address = completed(about, text) if slot == "address" else ""
    return address or (text if _fills(about, slot, text, memory) else "")


def _fills(about: Task, slot: str, text: str, memory: Memory) -> bool:
    words, things = tokens(text), items_of(memory.orders.values())
    if slot == "payment":
        return bool(kinds(text))
    if slot == "whole":
        no = GENERAL.tell(words, "not so")
        yes = GENERAL.tell(words, "yes") or tells(words, "whole order")
        about.chosen["whole"] = "no" if no else "yes" * yes
        return bool(about.chosen["whole"])
    if slot == "reason":
        told = reason(Task(None, text))
        no = has(words, "no", "neither", "none", "nope") and not told
        if told == "other" or no:
            about.chosen["reason"] = "none"
        return bool(told) or no
    if slot == "address":
        on_file = about.intent != "change_default_address"  # that one is what is to change
        return bool(parse_address(text)) or (on_file and has(words, "profile", "default", "home"))
    if slot in {"order", "items"}:
        told_order = order_ids(text) or says_everything(text) or tells(words, "which order")
        return bool(told_order or named_items(text, things))
    if slot.startswith("variant:"):
        meant = [each for each in things if each.id == slot.partition(":")[2]]
        return _tells_variant(meant, text, memory) or bool(kinds(text))
    return slot == "revise" and _revises(about, text, things, memory)


def _revises(about: Task, text: str, things: Sequence[Owned], memory: Memory) -> bool:
    """Whether a text tells what should be different about a change that was sent back."""
    if about.intent in ADDRESSES and {"address1", "address2"} & parse_address(text).keys():
        return True
    why = reason(Task(None, text)) if about.intent == "cancel_order" else ""
    if why in REASONS and not has(tokens(text), "wrong"):
        return True
    return bool(kinds(text) or named_items(text, things)) or swaps_for(about, text, memory)


def swaps_for(about: Task, text: str, memory: Memory) -> bool:
    """Whether a text tells what one of the things of an exchange is to be exchanged for."""
    things = items_of(memory.orders.values())
    named = [each for words in about.words for each in named_items(words, things)]
    return about.intent in SWAPS and _tells_variant(named or things, text, memory)


def _tells_variant(things: Sequence[Owned], text: str, memory: Memory) -> bool:
    """Whether a text tells which variant of one of these things is wanted."""
    known = ((each, memory.products.get(str(each.item["product_id"]))) for each in things)
    told = [read_wanted([text], product, each.item) for each, product in known if product]
    return any(each.same or not each.empty for each in told)
