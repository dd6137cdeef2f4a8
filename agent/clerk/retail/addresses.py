"""Address changes: whether they are for an order, the profile or both, and the new address.

The same words may ask for either; what is mentioned beside them decides. *Use 55 Oak Lane for both
the order and my account* is two changes, and so is *and the order too* after a card for one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.clerk.retail.address_parts import (
    PARTS,
    lacking_parts,
    parse_address,
    parts_given,
    parts_told,
    says_same,
)
from agent.clerk.retail.intent_data import SAID, tells
from agent.clerk.retail.item_mentions import items_of, named_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import all_orders, order_ids, read_order
from agent.clerk.retail.wording import address
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.sentence_kinds import stays
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import join_parts

FIELDS = ("address1", "address2", "city", "state", "country", "zip")
OF_ORDER, OF_PROFILE = "change_order_address", "change_default_address"
ADDRESSES = frozenset({OF_ORDER, OF_PROFILE})
_NAMES = {OF_ORDER: "order", OF_PROFILE: "profile"}
_DENIALS = ("not", "don't", "never", "only", "no")
_BEFORE = 4
"""Number of tokens before a name in which a denial counts."""

_SHORT = 6
"""The most words of a message that says no more than that another one gets the address."""


def new_address(task: Task, records: RetailRecords, now: Json, order_id: str) -> dict[str, str]:
    """The complete new address of an order, or of the profile if ``order_id`` is empty.

    Raises Settled with a question, or with the answer that this address is there already.
    """
    recorded = _recorded(task, records, order_id)
    new = _complete(task, now, order_id) if recorded is None else _in_full(recorded)
    if new == _in_full(now):
        what = f"Order {order_id}" if order_id else "Your profile"
        raise Settled(Statement(f"{what} already has that address: {address(now)}.", "answered"))
    return new


def _in_full(record: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(record.get(key) or "") for key in FIELDS}


def _recorded(task: Task, records: RetailRecords, order_id: str) -> Json | None:
    """The address on record that is meant: the former, the default, or another order's."""
    record: Json | None = None
    for text in [*reversed(task.notes), task.text]:
        words, ids = tokens(text), [each for each in order_ids(text) if each in records.order_ids]
        if "address1" in parse_address(text):
            return None
        if tells(words, "as before"):
            record = records.original_orders.get(order_id) or records.original_user
        elif order_id and tells(words, "as in the profile"):
            record = records.user
        elif not order_id and (ids or tells(words, "last order")):
            record = read_order(records, (ids or records.order_ids[-1:])[0])
        elif tells(words, "same address") and not parts_given(task):
            if task.context:
                return parse_address(task.context[0])
            held = items_of(all_orders(records) if "same" in words else ())
            named = (each.order for each in named_items(text, held))
            record = next((each for each in named if each["order_id"] != order_id), None)
        if record:
            return dict(record["address"])
    return None


def fills_address(task: Task, text: str) -> bool:
    """Whether an answer gives or puts right a part of the address, or points to a known one."""
    words, told = tokens(text), parts_told(text, parts_given(task))
    points = tells(words, "as before") or (task.context and tells(words, "same address"))
    on_file = task.intent == OF_ORDER and tells(words, "as in the profile")
    return bool(told or says_same(text) or points or on_file)


def _complete(task: Task, now: Json, order_id: str) -> dict[str, str]:
    """The given parts, with the old ones for the rest where that is safe.

    Raises Settled with a question for the parts that are missing.
    """
    given, old = parts_given(task), _in_full(now)
    street = {"address1", "address2"} & given.keys()  # a place without one is not enough
    if not given or not (street or has(tokens(task.all_words), *PARTS)):
        whose = f"for order {order_id}" if order_id else "for your profile"
        text = f"What is the new address {whose}? Please give street, city, state and zip code."
        raise Settled(Question(text, "address", task))
    same = [each for text in task.words for each in says_same(text)]
    if given.get("zip") == old["zip"]:
        same += ("city", "state")
    given = {**{each: old[each] for each in same}, **given}
    moves = any(given.get(part, old[part]) != old[part] for part in ("city", "zip"))
    lacking = lacking_parts(given) if "address1" in given else []
    if moves and "address1" not in given and given.get("address2"):
        lacking = ["street"]
    if lacking:
        names = join_parts({"zip": "zip code"}.get(each, each) for each in lacking)
        raise Settled(Question(f"I still need the {names} of the new address.", "address", task))
    return {**old, **given}


def _places(words: Tokens, intent: str) -> list[int]:
    """The places where an order, or for the other intent the profile, is named."""
    names = SAID.words[_NAMES[intent]]
    return [place for place, word in enumerate(words) if word.removesuffix("'s") in names]


def names_address_of(intent: str, text: str) -> bool:
    """Whether a text says which address it means: *wrong street* names neither."""
    return bool(_places(tokens(text), intent) or order_ids(text))


def which_address(request: ParsedRequest) -> ParsedRequest:
    """The request, for the profile if it is *not for the order*, and the other way round."""
    words = tokens(request.text)
    denied = {
        intent
        for intent in ADDRESSES
        for place in _places(words, intent)
        if "not" in words[max(0, place - _BEFORE) : place]
        and not has(words[max(0, place - _BEFORE) : place], "not only", "not just")
    }
    if denied != {request.intent}:
        return request
    return replace(request, intent=next(iter(ADDRESSES - denied)), guesses=())


def shared_wishes(message: ParsedMessage, open_tasks: Sequence[Task]) -> list[ParsedRequest] | None:
    """The two changes that a message asks for, or None if it does not ask for both.

    Each gets the address without the other's name, which would be misread there.
    """
    tasks = {str(each.intent): each for each in open_tasks if each.intent in ADDRESSES}
    wishes = [each for each in message.requests if each.intent in ADDRESSES]
    if not (tasks or wishes) or any(each.modality != "meant" for each in wishes):
        return None
    words, new = message.words, parse_address(message.text)
    of_order = {each.intent for each in wishes} == {OF_ORDER}
    if of_order and tells(words, "from now on") and "address1" in new:
        message.kept.clear()
    elif stays(words) or tells(words, "only that order") or not _asks_for_both(words, tasks.keys()):
        return None
    known = next(filter(None, map(parts_given, tasks.values())), {})
    text = address({**known, **new, "country": ""}) or "both"
    order = " ".join(f"order {each}" for each in order_ids(message.text))
    return [
        ParsedRequest(OF_ORDER, f"{text} {order}".strip(), 1.0, ()),
        ParsedRequest(OF_PROFILE, text, 1.0, ()),
    ]


def _asks_for_both(words: Tokens, open_intents: Collection[str]) -> bool:
    """Whether a text names the order and the profile as one, or the other one of them, *too*."""
    named = {intent: places for intent in ADDRESSES if (places := _places(words, intent))}
    if tells(words, "too") and len(words) <= _SHORT and ADDRESSES - {*open_intents} == {*named}:
        return True
    if len(named) == len(ADDRESSES) and has(words, "not only", "not just"):
        return True
    for one in named.get(OF_ORDER, ()):
        for other in named.get(OF_PROFILE, ()):
            start, end = sorted((one, other))
            between = [each for each in words[start + 1 : end] if each.isalpha() and each != "w"]
            joined = {*between} <= SAID.words["beside both"] and tells(words[start:end], "and both")
            if joined and not has(words[max(0, start - _BEFORE) : start], *_DENIALS):
                return True
    return False
