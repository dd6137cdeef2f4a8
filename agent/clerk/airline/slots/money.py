"""What it may cost, in what a customer typed."""

from __future__ import annotations

from agent.clerk.airline.language import pattern, says
from agent.clerk.airline.requests import Limit


def limit(clause: str) -> Limit | None:
    """What it may cost at the most: "only if it's under $200"."""
    if says("for_free", clause):
        return Limit(0)
    least = pattern("limit_over").search(clause)
    if least:
        return Limit(_whole(least.group("a") or least.group("b")), over=True)
    hit = pattern("limit").search(clause)
    if hit is None:
        return None
    told = Limit(_whole(hit.group("a") or hit.group("b")))
    on = pattern("limit_on").search(clause)
    if on:
        told.of = on.group("of").replace(" ", "_" if "card" in on.group("of")[1:5] else "")
        told.of = {"master_card": "mastercard", "card": "credit_card"}.get(told.of, told.of)
    elif says("limit_each", clause[hit.end() :][:20]):
        told.of = "each"
    return told


def amount(text: str) -> int | None:
    """The first sum of money in a condition."""
    hit = pattern("money").search(text)
    if hit:
        return _whole(hit.group("a") or hit.group("b"))
    bare = pattern("bare_money").search(text)
    return _whole(bare.group("a")) if bare else None


def _whole(digits: str) -> int:
    return int(digits.replace(",", "")[:9])
