"""Payment methods in what a customer says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.airline.line import Line

_ID = re.compile(r"(?:credit_card|gift_card|certificate)_\d{3,8}")
_CERTIFICATES = {"certificate", "certificates", "voucher", "vouchers", "certs", "cert"}
_BRANDS = {"visa": "visa", "mastercard": "mastercard", "amex": "amex", "mc": "mastercard"}
_NO_CARDS = {*_BRANDS, "gift", "master", "boarding", "id", "business"}
"""Words before "card" by which it is another thing, or named already."""

SMALL = {"smaller", "smallest", "lowest", "least", "small"}
LARGE = {"larger", "largest", "bigger", "biggest", "highest", "large"}
_UNWANTED = {"keep", "keeping", "save", "saving", "without", "not", "than"}
_DENIES = {"don't", "dont", "not", "never", "nothing", "avoid"}
_CHARGES = {"charge", "charging", "use", "using", "touch", "touching", "bill", "debit", "take"}
_HELD = {"have", "i've", "got", "had"}
_USED = frozenset(
    "to refunded charged goes use pay with on put charge first then".split()  # noqa: SIM905
)
_DOLLARS = {"dollar", "dollars", "usd", "bucks", "travel", "-"}
_WORTH = {"with", "of", "worth", "for"}
_AFTER_ORIGINAL = {"payment", "card", "form", "method", "one", "source"}


@dataclass(frozen=True)
class Pay:
    """A payment method that was spoken of; every part that is given must fit."""

    kind: str = ""
    """``certificate``, ``gift_card``, ``credit_card`` or ``original``."""

    brand: str = ""
    id: str = ""
    digits: str = ""
    worth: int | None = None
    """The balance it was told by: "the 200 dollar certificate"."""

    pick: str = ""
    """``smallest`` or ``largest`` balance, ``all`` ("both certificates"), ``one`` ("one of")."""

    unwanted: bool = False


def payments(line: Line) -> list[Pay]:
    """The methods that a sentence names, in its order."""
    found: list[Pay] = []
    kind = ""
    for place, word in enumerate(line.words):
        pay = _at(line, place, word, kind)
        if pay is not None and pay not in found and not _is_held(line, place):
            found.append(pay)
            kind = pay.kind
    return found


def _is_held(line: Line, place: int) -> bool:
    """Whether a method is only told to be there: "I've got two certificates"."""
    ahead = line.before(place, 6)
    if line.has("use that", "use it", "use them"):
        return False
    return bool(_HELD & set(ahead)) and not _USED & set(ahead)


def _at(line: Line, place: int, word: str, before: str) -> Pay | None:
    hit = _ID.fullmatch(word)
    if hit:
        return Pay(word.rpartition("_")[0], id=word)
    after = line.after(place + 1, 6)
    if word == "original" or (word == "same" and set(after[:1]) & {"card", "payment"}):
        return Pay("original") if set(after[:2]) & _AFTER_ORIGINAL or word == "same" else None
    if word in _CERTIFICATES:
        return _describe(line, place, place + 1, "certificate", "")
    if word == "gift" and after[:1] and after[0].startswith("card"):
        return _describe(line, place, place + 2, "gift_card", "")
    if word in _BRANDS or (word == "master" and after[:1] == ("card",)):
        end = place + 1 + (after[:1] == ("card",))
        return _describe(line, place, end, "credit_card", _BRANDS.get(word, "mastercard"))
    if word in {"card", "cards"}:
        other = _NO_CARDS & set(line.before(place, 1))
        return None if other else _describe(line, place, place + 1, "credit_card", "")
    if word in {"one", "ones"}:
        pay = _describe(line, place, place + 1, before, "")
        picked = before and (pay.pick in {"smallest", "largest"} or pay.digits)
        ahead = line.before(place, 2)
        summed = bool(ahead) and (before or ahead[0] == "the" or "dollar" in ahead)
        return pay if picked or (pay.worth and summed) else None
    return None


def _describe(line: Line, start: int, end: int, kind: str, brand: str) -> Pay:
    ahead, after = line.before(start, 4), line.after(end, 7)
    near = {each for each in ahead if each != ","}
    digits = _digits(after)
    worth = None if digits else _worth(ahead, after, kind)
    noun = line.words[start]
    pick = ""
    if worth is None and not digits and not brand:
        told = {*near, *after[:6]} if "with" in after[:1] or "balance" in after else near
        plural = noun.endswith("s") or after[:1] == ("cards",) or line.words[end - 1] == "cards"
        pick = (
            "smallest" if told & SMALL
            else "largest" if told & LARGE
            else "one" if {"one", "of"} <= near or near & {"a", "any"}
            else "all" if plural or near & {"both", "all"}
            else ""
        )  # fmt: skip
    unwanted = _is_refused(line, start) and "why" not in line.words
    return Pay(kind, brand, "", digits, worth, pick, unwanted)


def _is_refused(line: Line, start: int) -> bool:
    """Whether a method is not to be used: "not the visa", "don't charge it to my visa"."""
    if _UNWANTED & set(line.before(start, 3)):
        return True
    denials = [start - 1 - n for n, e in enumerate(reversed(line.before(start, 6))) if e in _DENIES]
    between = set(line.words[denials[0] : start]) if denials else set()
    return bool(_CHARGES & between) and not {",", ";", "but"} & between


def _digits(after: tuple[str, ...]) -> str:
    told = [each for each in after[:6] if each.isdecimal() and 3 <= len(each) <= 7]
    ends = {"ending", "ends", "number", "digits", "last"} & set(after[:4])
    return told[0] if told and ends else ""


def _worth(ahead: tuple[str, ...], after: tuple[str, ...], kind: str) -> int | None:
    """The dollars that a method is told by: "the 200 dollar one", "one with $50 on it"."""
    if kind == "credit_card":
        return None
    for each in reversed(ahead):
        amount = each.replace("$", "")
        if amount.isdecimal() and int(amount) > 3:
            return int(amount)
        if each not in _DOLLARS:
            break
    amount = after[1].lstrip("$") if len(after) > 1 and after[0] in _WORTH else ""
    told = len(amount) > 1 or after[1:2] != (amount,) or set(after[2:3]) & _DOLLARS
    return int(amount) if amount.isdecimal() and told else None
