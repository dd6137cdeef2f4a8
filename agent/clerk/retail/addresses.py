"""Address changes: whether they are for an order, the profile or both, and the new address.

The same words may ask for either; what is mentioned beside them decides. *Use 55 Oak Lane for both
the order and my account* is two changes, and so is *and the order too* after a card for one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.address_parts import (
    lacking_parts,
    parse_address,
    parts_given,
    says_same,
    update_address,
)
from agent.clerk.retail.intent_data import SAID, tells
from agent.clerk.retail.item_mentions import items_of, named_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import all_orders, order_ids, read_order
from agent.clerk.retail.wording import address, order_short
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.sentence_kinds import stays
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import join_parts

FIELDS = ("address1", "address2", "city", "state", "country", "zip")
OF_ORDER, OF_PROFILE = "change_order_address", "change_default_address"
ADDRESSES = frozenset({OF_ORDER, OF_PROFILE})
BOTH = "both"
_DENIALS = ("not", "don't", "never", "only", "no")
_SHORT = 6
"""The most words of a message that says no more than that another one gets the address."""

_SAID_BEFORE = 4
"""Number of tokens before "both" in which a denial counts."""


def new_address(task: Task, records: RetailRecords, now: Json, order_id: str) -> dict[str, str]:
    """The complete new address of an order, or of the profile if ``order_id`` is empty.

    Raises Settled with a question, or with the answer that this address is there already.
    """
    recorded = _address_on_record(task, records, order_id)
    new = _complete(task, now, order_id) if recorded is None else _in_full(recorded)
    if new == _in_full(now):
        what = f"Order {order_id}" if order_id else "Your profile"
        raise Settled(Statement(f"{what} already has that address: {address(now)}.", "answered"))
    return new


def _in_full(record: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(record.get(key) or "") for key in FIELDS}


def _address_on_record(task: Task, records: RetailRecords, order_id: str) -> Json | None:
    """The address on record that is meant: the default, the former, or another order's."""
    for text in [*reversed(task.notes), task.text]:
        if parse_address(text).get("address1"):
            return None
        words = tokens(text)
        if tells(words, "as before"):
            return _of(records.original_orders.get(order_id) or records.original_user)
        if order_id:
            if tells(words, "as in the profile"):
                return _of(records.user)
            continue
        recent = has(words, "recent order", "last order", "recent one")
        others = [each for each in order_ids(text) if each in records.order_ids]
        source = next(iter([*others, *records.order_ids[-1:]] if recent else others), None)
        if source is not None:
            return _of(read_order(records, source))
    same = has(tokens(task.all_words), "same")
    return _pointed_at(task, all_orders(records) if same else (), order_id)


def _pointed_at(task: Task, orders: Iterable[Json], order_id: str) -> Json | None:
    """The address that the customer points back to: one given before, or that of another order."""
    texts = [text for text in [task.text, *task.notes] if tells(tokens(text), "same address")]
    if not texts or parts_given(task):
        return None
    if task.context and (spoken := parse_address(task.context[0])).get("zip"):
        return spoken
    named = (each for text in texts for each in named_items(text, items_of(orders)))
    return next((_of(e.order) for e in named if e.order["order_id"] != order_id), None)


def points_back(task: Task, text: str, records: RetailRecords) -> bool:
    """Whether an answer points to an address that is known: "the same one"."""
    asked = replace(task, text=text, notes=[])
    orders = records.orders.values() if has(tokens(text), "same") else ()
    return _pointed_at(asked, orders, "") is not None


def _of(record: Json | None) -> Json:
    found: Json = (record or {}).get("address", {})
    return found


def _complete(task: Task, now: Json, order_id: str) -> dict[str, str]:
    """The given parts, with the old ones for the rest where that is safe.

    Raises Settled with a question for the parts that are missing.
    """
    given, old = parts_given(task), _in_full(now)
    if not given:
        whose = f"for order {order_id}" if order_id else "for your profile"
        text = f"What is the new address {whose}? Please give street, city, state and zip code."
        raise Settled(Question(text, "address", task))
    stays = "address1" not in given
    same = [each for text in task.words for each in says_same(text)]
    if given.get("zip") == old["zip"] and not stays:
        same += ("city", "state")
    given = {**{each: old[each] for each in same}, **given}
    lacking = lacking_parts(given) if not stays else []
    if lacking:
        names = join_parts({"zip": "zip code"}.get(each, each) for each in lacking)
        raise Settled(Question(f"I still need the {names} of the new address.", "address", task))
    return {**old, **given}


def which_address(request: ParsedRequest, last: str | None) -> ParsedRequest:
    """The request with the intent that its words show: order, profile, or a mere question."""
    meant = _intent_meant(request, last) if request.intent in ADDRESSES else ""
    return replace(request, intent=meant, probability=1.0, guesses=()) if meant else request


def _intent_meant(request: ParsedRequest, last: str | None) -> str:
    words = tokens(request.text)
    if tells(words, "from now on"):
        return OF_PROFILE
    denied = {each for each in ADDRESSES for at in _places(words, each) if _is_denied(words, at)}
    if len(denied) == 1:
        return next(iter(ADDRESSES - denied))
    of_order, numbered = tells(words, "of order"), "#w" in request.text.lower()
    if _asks_if_right(request.text, words):
        return "order_status" if of_order or numbered else "profile"
    if tells(words, "of profile"):
        return "" if numbered or of_order else OF_PROFILE
    if numbered or tells(words, "sent"):
        return OF_ORDER
    return OF_PROFILE if last == "profile" and has(words, "it", "that") else ""


def _is_denied(words: Tokens, place: int) -> bool:
    """Whether what stands at a place is left out: "not for the order"."""
    return has(words[max(0, place - _SAID_BEFORE) : place], "not")


def without_mere_moves(
    wishes: Sequence[ParsedRequest], message: ParsedMessage
) -> list[ParsedRequest]:
    """The requests without an *I moved* that only gives the reason for an order's new address."""
    sends = any(each.intent == OF_ORDER and each.modality == "meant" for each in wishes)
    mere = [
        e for e in wishes if e.intent == OF_PROFILE and sends and _only_tells_move(tokens(e.text))
    ]
    message.detail_sentences += (each.text for each in mere)
    return [each for each in wishes if not any(each is other for other in mere)]


def _only_tells_move(words: Tokens) -> bool:
    """Whether the customer only mentions moving, without saying whose address should change."""
    asks = tells(words, "of profile") or has(words, "my address", "change", "update", "correct")
    return tells(words, "moved") and not asks


def ask_whose(task: Task, records: RetailRecords) -> None:
    """Raise Settled with the question whose address is meant, if an order is still pending.

    It is asked only if the customer gave an address and otherwise only mentioned moving.
    """
    at_once = "address1" in parse_address(task.message) and "either" not in task.chosen
    if not at_once or not _only_tells_move(tokens(task.all_words)):
        return
    pending = [each for each in all_orders(records) if each["status"] == "pending"]
    if pending:
        choices = [
            Choice(OF_PROFILE, "for the default address in your profile"),
            *(Choice(each["order_id"], f"for order {order_short(each)}") for each in pending),
            *([Choice(BOTH, BOTH)] if len(pending) == 1 else []),
        ]
        raise Settled(ask_to_pick("What is the new address for?", "either", task, choices))


def task_for_order(task: Task, question: Question, choice: Choice) -> list[Task]:
    """The tasks that a pick of an order, or of both, adds to a change of the default address.

    A pick of one order turns the task itself into a change of that order and adds none.
    """
    if choice.value == OF_PROFILE:
        return []
    if choice.value != BOTH:
        task.intent, task.chosen["order"] = OF_ORDER, choice.value
        return []
    chosen = {"order": question.choices[1].value}
    return [replace(task, intent=OF_ORDER, notes=[*task.notes], chosen=chosen, written=[])]


def _asks_if_right(text: str, words: Tokens) -> bool:
    """Whether the customer only asks if an address is right, which showing it answers."""
    place = words.index("address") if "address" in words else 0
    right = tells(words[place + 1 :], "right") or has(words, "right address", "correct address")
    asks = tells(words[:place], "asks if") and right and not tells(words, "to change")
    return asks and not parse_address(text)


def names_address_of(intent: str, text: str) -> bool:
    """Whether a text says which address it means: *wrong street* names neither."""
    return bool(_places(tokens(text), intent) or order_ids(text))


def _places(words: Tokens, intent: str) -> list[int]:
    """The places where an order, or for the other intent the profile, is named."""
    names = SAID.words["order" if intent == OF_ORDER else "profile"]
    return [place for place, word in enumerate(words) if word.removesuffix("'s") in names]


def shared_wishes(message: ParsedMessage, open_tasks: Sequence[Task]) -> list[ParsedRequest] | None:
    """The two changes that a message asks for, or None if it does not ask for both.

    Each gets the address without the other's name, which would be misread there.
    """
    tasks = {str(each.intent): each for each in open_tasks if each.intent in ADDRESSES}
    wishes = [each for each in message.requests if each.intent in ADDRESSES]
    if not (tasks or wishes) or any(each.modality != "meant" for each in wishes):
        return None
    words = message.words
    of_order = {each.intent for each in wishes} == {OF_ORDER}
    lasting = of_order and tells(words, "from now on") and "address1" in parse_address(message.text)
    if lasting:
        message.kept.clear()
    elif stays(words) or tells(words, "only that order"):
        return None
    start = _start_of_both(words, tasks.keys())
    if (start < 0 and not lasting) or has(words[max(0, start - _SAID_BEFORE) : start], *_DENIALS):
        return None
    given = map(parts_given, tasks.values())
    known = next((each for each in given if "address1" in each), {})
    new = update_address(known, parse_address(message.text))
    text = address({**new, "country": ""}) or "both"
    order = " ".join(f"order {each}" for each in order_ids(message.text))
    return [
        ParsedRequest(OF_ORDER, f"{text} {order}".strip(), 1.0, ()),
        ParsedRequest(OF_PROFILE, text, 1.0, ()),
    ]


def _start_of_both(words: Tokens, open_intents: Collection[str]) -> int:
    """The place where a text begins to ask for both changes; -1 if it does not."""
    for one in _places(words, OF_ORDER):
        for other in _places(words, OF_PROFILE):
            start, end = min(one, other), max(one, other)
            between = _plain(words[start + 1 : end])
            if between <= SAID.words["beside both"] and tells(words[start:end], "and both"):
                return start
    return len(words) if _wants_other_too(words, open_intents) else -1


def _wants_other_too(words: Tokens, open_intents: Collection[str]) -> bool:
    """Whether a text says only that the other one should get this address, too."""
    named = {intent for intent in ADDRESSES if _places(words, intent)}
    only_too = tells(words, "too") and len(words) <= _SHORT
    return only_too and len(named) == 1 and ADDRESSES - named == set(open_intents)


def _plain(words: Tokens) -> set[str]:
    """The distinct words, without an order's id."""
    return {word.removesuffix("'s") for word in words if not word.isdigit() and word != "w"}
