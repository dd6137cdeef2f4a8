"""Slot filling for items: which items of which order a return or an exchange is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.catalogue import read_product
from agent.clerk.retail.intent_data import VERBS, tells
from agent.clerk.retail.item_mentions import (
    Mention,
    OrderItem,
    found_by,
    items_meant,
    items_of,
    mentions,
    says_everything,
    says_only,
)
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import (
    order_ids,
    orders_meant,
    refusal,
    says_all,
    unknown_thing,
    usable_orders,
)
from agent.clerk.retail.told_apart import most_told, told_apart
from agent.clerk.retail.wording import item
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice, Question, Settled
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has, tokens

_BRIEF = 4
"""The most words that only put something off."""

_COUNTS = {"two of": 2, "2 of": 2, "three of": 3, "3 of": 3, "one of": 1, "1 of": 1}


def select_items(task: Task, records: RetailRecords, statuses: Collection[str]) -> list[OrderItem]:
    """The items to act on next, all from one order; empty if all is done.

    Raises Settled with a question or a refusal.
    """
    orders = orders_meant(task, records, for_items=True)
    usable = usable_orders(task, orders, statuses)
    things = items_of(usable)
    elsewhere = _orders_spoken_of(task, orders)
    if elsewhere and not task.written and not any(each in usable for each in elsewhere):
        raise Settled(refusal(task, elsewhere, statuses))
    found = _items(task, things, records)
    if found is None and not task.written:
        thing = unknown_thing(task, orders)
        if thing or len(things) > 1:
            lead = f"There is no {thing} in your orders. " if thing else ""
            raise Settled(ask_items(task, things, lead))
        found = things
    return [each for each in found if each.order is found[0].order] if found else []


def _orders_spoken_of(task: Task, orders: Sequence[Json]) -> list[Json]:
    """The orders with what a task names or, if it names nothing, with what was spoken of last."""
    if task.items or "items" in task.chosen:
        return [e for e in orders if any(each.id in task.items for each in items_of([e]))]
    own = found_by(
        one
        for text in task.words
        for one in mentions(text, items_of(orders))
        if not (one.of_order or one.is_excluded)
    )
    before = (items_meant(text, items_of(orders)) for text in reversed(task.context))
    held = [each.order for each in own or next(filter(None, before), [])]
    return [each for each in orders if any(each is one for one in held)]


def _items(
    task: Task, things: Sequence[OrderItem], records: RetailRecords
) -> list[OrderItem] | None:
    """The mentioned items, less those the customer took out again; None if none was mentioned.

    Raises Settled with a question while it is open which ones are meant.
    """
    chosen = task.chosen.get("items")
    if chosen and task.written and chosen not in {each.id for each in things}:
        return []
    named = any(items_meant(text, things) for text in [task.text, *task.same_message])
    picked = [each for each in things if each.id == chosen]
    pointed_at = [each for each in things if each.id in task.items] or picked
    kept = pointed_at if pointed_at and not named else None  # as they were proposed
    before = kept
    for text in task.words:
        if len(tokens(text)) <= _BRIEF and tells(tokens(text), "put off"):
            kept = kept if mentions(text, things) else before  # "the suitcase: maybe later"
            continue
        now = _apply_sentence(task, _with_own_id(text, things, records), kept, things)
        before, kept = (before if now == kept else kept), now
    if kept is None and not task.written:
        kept = _spoken_of_before(task, things, pointed_at)
    if kept is None:
        return None
    if not kept and not task.written:
        kept = _named_but_later_out(task, things)
    left = {each.id for each in _without_excepted(task, things)}
    return _as_many_as_said(task, [each for each in kept if each.id in left])


def _spoken_of_before(
    task: Task, things: Sequence[OrderItem], otherwise: list[OrderItem]
) -> list[OrderItem] | None:
    """The items that were spoken of last before the task, or otherwise these; None if none were.

    What the task's own words take out is not among them.
    """
    before = (_apply_sentence(task, text, None, things) for text in reversed(task.context))
    found = next(filter(None, before), otherwise)
    out = {each for text in task.words for each in _taken_out(mentions(text, things))}
    return [each for each in found if each.id not in out] if found else None


def _named_but_later_out(task: Task, things: Sequence[OrderItem]) -> list[OrderItem]:
    """All items that are named, if they all seem to be kept out; not what a later message does."""
    named = found_by(one for text in task.words for one in mentions(text, things))
    later = {each for text in task.notes for each in _taken_out(mentions(text, things))}
    return [each for each in named if each.id not in later]


def _as_many_as_said(task: Task, kept: list[OrderItem]) -> list[OrderItem]:
    """The items, or those named since if only so many are meant: "one of them".

    Raises Settled with a question while it is open which ones.
    """
    said = tokens(task.all_words)
    many = next((n for words, n in _COUNTS.items() if has(said, f"{words} them")), len(kept))
    many = 1 if any(_names_one_of(text, kept) for text in [task.text, *task.same_message]) else many
    if len(kept) <= many:
        return kept
    since = {each.id for text in task.notes for each in items_meant(text, kept)}
    if not 0 < len(since) <= many:
        raise Settled(ask_items(task, kept))
    return [each for each in kept if each.id in since]


def _names_one_of(text: str, things: Sequence[OrderItem]) -> bool:
    """Whether a text wants one of these and leaves open which: "the belt or the desk"."""
    words, named = tokens(text), mentions(text, things)
    between = (words[a.end : b.start] for a, b in pairwise(named) if a.found != b.found)
    told = GENERAL.tell(words, "one of several") or any(e[:1] == ("or",) for e in between)
    return told and not (named and GENERAL.tell(words[: named[0].start], "denying"))


def _with_own_id(text: str, things: Sequence[OrderItem], records: RetailRecords) -> str:
    """A sentence, with the id of the item of which it only names the wanted variant."""
    ids = {each for each in tokens(text) if len(each) == 10 and each.isdigit()}
    for each in things if ids and not ids & {each.id for each in things} else ():
        known = read_product(records, str(each.item["product_id"]))["variants"].keys()
        text = f"{text} {each.id}" if ids & known else text
    return text


def _taken_out(named: Sequence[Mention]) -> set[str]:
    return {each.id for each in found_by(one for one in named if one.is_excluded)}


def _without_excepted(task: Task, things: Sequence[OrderItem]) -> list[OrderItem]:
    """The items without those taken out, except what was asked for again in a later message."""
    out: set[str] = set()
    for text in task.excepted:
        later = task.notes if text in task.message else ()
        again = [one for note in later for one in mentions(note, things) if not one.is_excluded]
        out |= {each.id for each in items_meant(text, things)}
        out -= {each.id for each in found_by(again)}
    return [each for each in things if each.id not in out]


def _apply_sentence(
    task: Task, text: str, kept: list[OrderItem] | None, things: Sequence[OrderItem]
) -> list[OrderItem] | None:
    """The selected items after one more sentence about them."""
    words, named = tokens(text), [each for each in mentions(text, things) if not each.of_order]
    out = _taken_out(named)
    rest = tells(words, "the rest") and not tells(words, "rest is kept")
    rest = rest and not has(words, "the other day")
    excepts = out or any(items_meant(each, things) for each in task.excepted)
    everything = says_everything(text) or (bool(excepts) and rest)
    one_order = len({each.order["order_id"] for each in things}) == 1
    every = one_order or says_all(task) or len(order_ids(task.all_words)) > 1
    if everything and every and (out or not kept):
        kept = [*things]
    told = [each for one in named if not one.is_excluded for each in _which(task, one, kept)]
    found = [*{(each.id, id(each.order)): each for each in told}.values()]
    if found and kept and not (everything or says_only(text)):
        known = {each.id for each in kept}
        kept = [*kept, *(each for each in found if each.id not in known)]
    elif found and not (everything and kept):
        kept = found
    return [each for each in kept if each.id not in out] if kept else kept


def _which(task: Task, mention: Mention, kept: Sequence[OrderItem] | None) -> list[OrderItem]:
    """The items that a mention refers to, told apart by the words around it.

    Raises Settled with a question if several different items remain.
    """
    hits, several = list(mention.found), tells(mention.before, "several")
    if len({each.id for each in hits}) == 1:
        return hits if several or len({e.order["order_id"] for e in hits}) == 1 else hits[:1]
    noted = tokens(" ".join(task.notes))
    for known in (task.items, task.chosen.values(), noted, [each.id for each in kept or ()]):
        found = [each for each in hits if each.id in known]
        if found:
            return found
    if several:
        return most_told(hits, mention.before)
    if len(found := told_apart(mention)) == 1:
        return found
    raise Settled(ask_items(task, hits))


def ask_items(task: Task, things: Sequence[OrderItem], lead: str = "") -> Question:
    """A question that offers the candidate items, without those the customer ruled out."""
    things = _without_excepted(task, things) or things
    choices = [
        Choice(each.id, f"{item(each.item)}, in order {each.order['order_id']}") for each in things
    ]
    verb = VERBS.get(str(task.intent), "change")
    return ask_to_pick(f"{lead}Which items would you like to {verb}?", "items", task, choices)
