"""One address for an order and for the profile: said in one breath, it is two changes.

*Use 55 Oak Lane for both the order and my account*; after a card for the one, *and the order too*.
Each gets the address without the other's name beside it, which would mean something else there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.clerk.retail.addresses import in_one_line, parse_address, parts_given, update_address
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import Message, Wish

OF_ORDER, OF_PROFILE = "change_order_address", "change_default_address"
ADDRESSES = frozenset({OF_ORDER, OF_PROFILE})

_AT = r"(?:(?:for|on|in|to|of|from)\s+)?(?:both\s+)?(?:(?:for|on|in|to|of)\s+)?"
_ORDER = (
    r"(?:(?:the|my|this|that)\s+)?(?:pending\s+)?(?:orders?|parcel|package|shipment|delivery)\b"
    r"(?:'s)?(?:\s+(?P<id{0}>#?W\d+))?(?:\s+address)?"
)
_PROFILE = r"(?:(?:the|my)\s+)?(?:account|profile|default)\b(?:'s)?(?:\s+address)?"
_AND = r"\s*,?\s*(?:and|&|as well as|plus)\s+(?:also\s+)?(?:(?:for|on|in|to|of)\s+)?"
_TWO = re.compile(
    rf"{_AT}(?:{_ORDER.format(1)}{_AND}{_PROFILE}|{_PROFILE}{_AND}{_ORDER.format(2)})",
    re.IGNORECASE,
)
_OTHER = re.compile(
    rf"(?:and|also|plus|yes)?[,\s]*(?:also\s+)?{_AT}(?:(?P<order>{_ORDER.format(3)})|{_PROFILE})"
    r"\s*,?\s*(?:too|also|as well)\b[,\s]*(?:please)?[.!\s]*",
    re.IGNORECASE,
)
_SAID_BEFORE = 4
"""Words before it by which it may be denied."""


def names_address_of(intent: str, text: str) -> bool:
    """Whether a text says of which of the two it speaks: *wrong street* speaks of neither."""
    named = _ORDER.format(4) if intent == OF_ORDER else _PROFILE
    return re.search(rf"\b{named}", text, re.IGNORECASE) is not None or "#W" in text.upper()


def shared_wishes(told: Message, open_tasks: Sequence[Task]) -> list[Wish] | None:
    """Both changes that a message asks for; None where it does not ask for both."""
    tasks = {each.intent: each for each in open_tasks if each.intent in ADDRESSES}
    wishes = [each for each in told.wishes if each.intent in ADDRESSES]
    if not (tasks or wishes) or any(each.mode != "meant" for each in wishes):
        return None
    found = _of_both(told.text, tasks.keys())
    if found is None:
        return None
    start, rest, order = found
    if has(tokens(told.text[:start])[-_SAID_BEFORE:], "not", "don't", "never", "only", "no"):
        return None
    given = map(parts_given, tasks.values())
    known = next((each for each in given if "address1" in each), {})
    address = update_address(known, parse_address(rest))
    text = in_one_line(address) if "address1" in address else rest
    return [_wish(intent, text, order) for intent in (OF_ORDER, OF_PROFILE)]


def _of_both(text: str, open_intents: Iterable[str | None]) -> tuple[int, str, str] | None:
    """Where both are named, the text without that, and the order's id, if any."""
    two = _TWO.search(text)
    if two is not None:
        order = two["id1"] or two["id2"] or ""
        return two.start(), f"{text[: two.start()]} {text[two.end() :]}".strip(), order
    intents = set(open_intents)
    if intents == ADDRESSES and has(tokens(text), "for both", "in both", "on both"):
        return len(text), text, ""
    other = _OTHER.fullmatch(text.strip())
    if other is None or intents != {OF_PROFILE if other["order"] else OF_ORDER}:
        return None
    return len(text), "", other["id3"] or ""


def _wish(intent: str, text: str, order: str) -> Wish:
    beside = f" order {order}" if order and intent == OF_ORDER else ""
    return Wish(intent, f"{text}{beside}".strip() or "both", 1.0, (), has_cue=True, has_verb=True)
