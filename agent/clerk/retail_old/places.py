"""Orders and addresses that a clause names."""

from __future__ import annotations

import re

from agent.clerk.retail.address import address
from agent.clerk.retail.language import ORDER_ID, pattern, plain
from agent.clerk.retail.requests import Intent, Request


def order_ids(text: str) -> list[str]:
    """Order ids as the records write them: ``#W1234567``."""
    found = (f"#W{hit.group().lstrip('#')[1:]}" for hit in ORDER_ID.finditer(text))
    return list(dict.fromkeys(found))


def read_address(request: Request, clause: str, typed: str) -> None:
    """Addresses are read from the text as typed, so that capitals are kept."""
    request.address = address(_as_typed(clause, typed))
    if request.address is not None and not request.address.empty:
        return
    request.address = None
    if pattern("address_of_last").search(clause):
        request.address_from, request.which = "last", None
        return
    other = pattern("same_as_order").search(clause)
    if other and request.intent:
        request.address_from = order_ids(other.group(1))[0]
        request.orders = [each for each in request.orders if each != request.address_from]
    elif pattern("back").search(clause):
        request.address_from = "previous"
    elif pattern("partial").search(clause) and request.intent is not Intent.USER_ADDRESS:
        request.address_from = "default"
    elif pattern("partial").search(clause) and re.search(
        r"\bto (?:my|the) (?:default|profile)", clause
    ):
        request.intent, request.address_from = Intent.ORDER_ADDRESS, "default"


def names_place(clause: str, typed: str) -> bool:
    """Whether "change it to 12 Main Street" is about an address."""
    found = address(_as_typed(clause, typed))
    return found is not None and bool(found.address1 and found.zip)


def _as_typed(clause: str, typed: str) -> str:
    """The clause with the customer's own capitals, where it can be found again."""
    start = plain(typed).find(clause)
    same = re.sub(r"[ \t\xa0]+", " ", typed).strip()
    return same[start : start + len(clause)] if start >= 0 and len(same) >= len(clause) else clause
