"""What a message fills in for a task: the slot that was asked for, or the variant wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.clerk.retail.actions import REASONS, reason
from agent.clerk.retail.addresses import ADDRESSES, fills_address
from agent.clerk.retail.intent_data import ACTS, DATA, SWAPS, tells
from agent.clerk.retail.item_mentions import (
    OrderItem,
    mentions,
    named_items,
    says_everything,
)
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import kinds
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.parsed_message import CLEAR, SURE, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens

ENOUGH = 0.7
"""How likely another change, or a question, must be beside an answer to be one of its own."""

_ONE_TOO_MANY = ("cancel_order", "return_items", "exchange_items")
"""What may be wanted by who has the same thing twice."""


def joined(wishes: Sequence[ParsedRequest]) -> list[ParsedRequest]:
    """The requests, with the questions of one kind joined into one: they get one answer."""
    found: list[ParsedRequest] = []
    families = DATA["families"]  # an order's status has its tracking
    for wish in wishes:
        kind = families.get(wish.intent, wish.intent)
        alike = (each for each in found if families.get(each.intent, each.intent) == kind)
        first = next((each for each in alike if not each.is_uncertain), None)
        alone = wish.intent in ACTS or wish.is_uncertain
        if first is None or alone or wish.modality != first.modality:
            found.append(wish)
        else:
            both = first.intent if first.intent == wish.intent else kind
            joint = replace(first, intent=both, text=f"{first.text} . {wish.text}")
            found[found.index(first)] = joint
    return found


def without_doubted_swap(
    wishes: Sequence[ParsedRequest], message: ParsedMessage
) -> list[ParsedRequest]:
    """The requests without a hardly likely exchange in a message that speaks of "the same" thing.

    Who ordered a thing twice, or was given the same, rather has one too many: that is a detail of
    the change beside it, or else what is wanted is asked.
    """
    found: list[ParsedRequest] = []
    for wish in wishes:
        meant = wish.intent in SWAPS and wish.modality == "meant"
        if not meant or wish.probability >= CLEAR or not tells(message.words, "same"):
            found.append(wish)
            continue
        beside = (e for e in wishes if e is not wish and e.intent in ACTS and not e.is_uncertain)
        if any(beside):
            message.detail_sentences.append(wish.text)
            continue
        guesses = tuple(Guess(each, SURE / 2) for each in _ONE_TOO_MANY)
        text = wish.text if len(wishes) > 1 else message.text
        found.append(replace(wish, text=text, probability=0.0, guesses=guesses))
    return found


def without_idle_denials(wishes: list[ParsedRequest], dialogue: Dialogue) -> list[ParsedRequest]:
    """The requests without denials of what nobody proposed, if a clear one is left.

    A denial that names something stays, to be confirmed by that name, and so does one of an
    address, as it may tell where else something goes.
    """
    of_address = [each for each in wishes if each.intent in ADDRESSES]
    idle = [e for e in wishes if e.modality == "denied" and not dialogue.kept_things(e.text)]
    rest = [e for e in wishes if of_address or not any(e is each for each in idle)]
    return wishes if all(e.is_uncertain or e.modality == "denied" for e in rest) else rest


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
    if revises and task.intent == "cancel_order":
        if GENERAL.tell(words, "denying") and tells(words, "whole order"):
            task.chosen["whole"] = "no"
            return True
        if reason(Task(None, text)) in REASONS:
            return True
    if slot in {"order", "items"} and (
        order_ids(text) or says_everything(text) or tells(words, "which order")
    ):
        return True
    if slot.startswith("variant:"):
        meant = [each for each in things if slot.endswith(each.id)]
        return bool(kinds(text)) or _tells_variant(meant, text, records)
    named = slot != "payment" and any(not one.is_excluded for one in mentions(text, things))
    paid = slot in {"payment", "revise"} and bool(kinds(text))
    return named or paid or (revises and swaps_for(task, text, records))


def swaps_for(task: Task, text: str, records: RetailRecords) -> bool:
    """Whether a text says which variant an item of an exchange should be exchanged for."""
    things = records.things
    named = [each for words in task.words for each in named_items(words, things)]
    return task.intent in SWAPS and _tells_variant(named or things, text, records)


def refused_variant(question: Question | None, text: str, records: RetailRecords) -> str:
    """What rules out the only variant that was offered, if a no names nothing else of it.

    "Hmm no, a table one is no good" is not for the lamp on a table.
    """
    offered = [each.options for each in question.choices if each.options] if question else []
    if question is None or not question.slot.startswith("variant:") or len(offered) != 1:
        return ""
    said = [each for each in offered[0].values() if has(tokens(text), str(each))]
    if not said or _wants_besides(question.slot, text, offered[0], records):
        return ""
    return f"{question.slot.partition(':')[2]} not {' , not '.join(said)}"


def accepted_variant(question: Question | None, text: str, records: RetailRecords) -> str:
    """The only variant that was offered, with a yes that wants nothing else; else empty."""
    offered = [each for each in question.choices if each.options] if question else []
    if question is None or not question.slot.startswith("variant:") or len(offered) != 1:
        return ""
    if _wants_besides(question.slot, text, offered[0].options, records):
        return ""
    return f"{question.slot.partition(':')[2]} {offered[0].value} , {text}"


def _wants_besides(
    slot: str, text: str, offered: Mapping[str, str], records: RetailRecords
) -> bool:
    """Whether a text wants anything of a variant that the offered one has not."""
    for each in records.things:
        product = records.products.get(str(each.item["product_id"]))
        if slot.endswith(each.id) and product:
            told = read_wanted([text], product, each.item).values
            return any(offered.get(key) not in values for key, values in told.items())
    return False


def takes_another(task: Task, message: ParsedMessage, records: RetailRecords) -> bool:
    """Whether a message tells which variant it should be after one was refused, or asks again."""
    text, wishes = message.text, message.requests
    own = all(each.intent in SWAPS or each.probability < ENOUGH for each in wishes)
    asks = any("?" in said for said in ([each.text for each in wishes] or [text]))
    meant = all(each.modality == "meant" for each in wishes) and not asks
    return own and (meant or tells(message.words, "same")) and swaps_for(task, text, records)


def _tells_variant(things: Sequence[OrderItem], text: str, records: RetailRecords) -> bool:
    """Whether a text describes the variant wanted for one of these items."""
    known = ((each, records.products.get(str(each.item["product_id"]))) for each in things)
    told = [read_wanted([text], product, each.item) for each, product in known if product]
    return any(each.same or not each.is_empty for each in told)
