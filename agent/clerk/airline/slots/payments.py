"""Payment methods in the order in which a clause wants them used."""

from __future__ import annotations

import re

from agent.clerk.airline.language import first_meaning, pattern, says
from agent.clerk.airline.requests import Pay

_FEW = 3
"""A bare number up to this one tells how many cards, not what they are worth."""

CARDS = ("visa", "mastercard", "amex")


def payments(clause: str) -> tuple[list[Pay], list[Pay]]:
    """The methods to be used, the preferred one first, and those not to be used."""
    wanted: list[tuple[int, Pay]] = []
    refused: list[Pay] = []
    taken: list[tuple[int, int]] = []
    for hit in pattern("payment_ids").finditer(clause):
        kind = hit.group().rpartition("_")[0]
        wanted.append((hit.start(), Pay(kind, id=hit.group())))
        taken.append(hit.span())
    for hit in pattern("original_payment").finditer(clause):
        wanted.append((hit.start(), Pay("original")))
        taken.append(hit.span())
    before = ""
    for hit in pattern("payment_method").finditer(clause):
        if any(hit.start() < end and start < hit.end() for start, end in taken):
            continue
        if says("payment_aside", clause[: hit.end()][-30:]):
            continue
        pay = _pay(hit, before)
        if pay is None:
            continue
        before = pay.kind
        part = pattern("sum_on").search(clause[: hit.start()] + (hit.group("pre") or ""))
        pay.up_to = int(part.group("n")) if part else None
        had = says("payment_had", clause[: hit.start()]) and not says("paying", clause)
        if had:
            continue
        if says("not_paying", clause[: hit.start("pre") if hit.group("pre") else hit.start()]):
            refused.append(pay)
        else:
            wanted.append((hit.start(), pay))
    ordered = [pay for _, pay in sorted(wanted, key=lambda each: each[0])]
    return _distinct(ordered), refused


def _pay(hit: re.Match[str], before: str) -> Pay | None:
    noun = hit.group("noun")
    if noun is None:
        return _one_of_kind(hit, before)
    kind = first_meaning("payment_kinds", noun) or "credit_card"
    pay = Pay("credit_card", kind) if kind in CARDS else Pay(kind)
    worth, digits = hit.group("worth") or hit.group("value"), hit.group("digits")
    if worth and len(worth) == 4 and kind not in {"certificate", "gift_card"}:
        worth, digits = None, digits or worth
    pay.digits, pay.worth = digits or "", int(worth) if worth else None
    if pay.worth is not None and pay == Pay("credit_card", worth=pay.worth):
        pay.kind = "gift_card"
    if worth and int(worth) <= _FEW and not hit.group("unit"):
        pay.worth, pay.pick = None, "all" if int(worth) > 1 else "one"
    pick = _pick(f"{hit.group('pre')} {hit.group('pick') or ''}", noun)
    pay.pick = pay.pick or (pick if pay.worth is None and not digits else "")
    return pay


def _one_of_kind(hit: re.Match[str], kind: str) -> Pay | None:
    """Read "the larger one", "the 200 dollar one"; the kind may only be told elsewhere."""
    pick = _pick(hit.group("pre"), "")
    worth = hit.group("worth")
    if worth and (hit.group("unit") or ("the" in hit.group("pre") and 2 <= len(worth) < 4)):
        return Pay(kind, worth=int(worth))
    if worth and "the" in hit.group("pre") and len(worth) == 4:
        return Pay(kind, digits=worth)
    return Pay(kind, pick=pick) if pick in {"smallest", "largest"} else None


def _pick(words: str, noun: str) -> str:
    if says("pick_smallest", words):
        return "smallest"
    if says("pick_largest", words):
        return "largest"
    if says("pick_one", words):
        return "one"
    return "all" if says("pick_all", words) or noun.endswith("s") else ""


def _distinct(found: list[Pay]) -> list[Pay]:
    kept: list[Pay] = []
    for pay in found:
        if pay not in kept:
            kept.append(pay)
    return kept
