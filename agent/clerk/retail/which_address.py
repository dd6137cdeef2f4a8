"""Whose address is to change: an order's or the profile's. The same words may want either."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import Wish

_PROFILE = ("default", "profile", "account", "on file", "saved", "stored", "records", "details")
_SENT = ("parcel", "package", "shipment", "delivery")
_ORDER = (*_SENT, "order", "ship", "shipping", "shipped")
"""Words beside which *profile* may be where the new address is taken from."""

_ADDRESSES = frozenset({"change_default_address", "change_order_address"})


def which_address(wish: Wish, last: str | None) -> Wish:
    """The wish as what was named with it has it: an order, the profile, or what was last told."""
    meant = _intent_meant(wish, last) if wish.intent in _ADDRESSES else ""
    return replace(wish, intent=meant, likely=1.0, guesses=()) if meant else wish


def _intent_meant(wish: Wish, last: str | None) -> str:
    words = tokens(wish.text)
    profile, numbered = has(words, *_PROFILE), "#w" in wish.text.lower()
    if profile:
        return "" if numbered or has(words, *_ORDER) else "change_default_address"
    if numbered or has(words, *_SENT):
        return "change_order_address"
    of_profile = last == "profile" and has(words, "it", "that")
    return "change_default_address" if of_profile else ""
