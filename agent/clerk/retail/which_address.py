"""Whose address is to change: an order's or the profile's. The same words may want either."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.retail.addresses import parse_address
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import Wish

_PROFILE = ("default", "profile", "account", "on file", "saved", "stored", "records", "details")
_SENT = ("parcel", "package", "shipment", "delivery")
_ORDER = (*_SENT, "order", "ship", "shipping", "shipped")
"""Words beside which *profile* may be where the new address is taken from."""

_ADDRESSES = frozenset({"change_default_address", "change_order_address"})

_IF_RIGHT = re.compile(
    r"\b(?:make sure|check|confirm|verify|see (?:if|whether)|is|do you have)\b.*"
    r"\baddress\b.*\b(?:right|correct|accurate|up to date)\b"
    r"|\b(?:confirm|check|have)\b.*\b(?:right|correct) address\b",
    re.IGNORECASE,
)
_TO_CHANGE = re.compile(
    r"n['’]?t\b|\b(?:if not|otherwise|not|no longer|chang\w*|updat\w*|wrong|moved|new)\b",
    re.IGNORECASE,
)


def which_address(wish: Wish, last: str | None) -> Wish:
    """The wish as what was named with it has it: an order, the profile, or what was last told."""
    meant = _intent_meant(wish, last) if wish.intent in _ADDRESSES else ""
    return replace(wish, intent=meant, likely=1.0, guesses=()) if meant else wish


def _intent_meant(wish: Wish, last: str | None) -> str:
    words = tokens(wish.text)
    if _asks_if_right(wish.text) and not has(words, *_ORDER):
        return "profile"
    profile, numbered = has(words, *_PROFILE), "#w" in wish.text.lower()
    if profile:
        return "" if numbered or has(words, *_ORDER) else "change_default_address"
    if numbered or has(words, *_SENT):
        return "change_order_address"
    of_profile = last == "profile" and has(words, "it", "that")
    return "change_default_address" if of_profile else ""


def _asks_if_right(text: str) -> bool:
    """Whether it is only asked if the address is right, which telling it answers."""
    asks = _IF_RIGHT.search(text) and not _TO_CHANGE.search(text)
    return bool(asks) and not parse_address(text)
