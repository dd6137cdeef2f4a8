"""Mentions of payment methods in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import vocabulary, words_of

_ID = re.compile(r"(?:credit_card|gift_card|certificate)_\d{3,8}")


@dataclass(frozen=True)
class PaymentMention:
    """A mention of a payment method; a method must match every field that is filled."""

    kind: str = ""
    """``certificate``, ``gift_card``, ``credit_card`` or ``original``."""

    brand: str = ""
    id: str = ""
    digits: str = ""
    worth: int | None = None
    """The balance in a description such as "the 200 dollar certificate"."""

    pick: str = ""
    """``smallest`` or ``largest`` balance, ``all`` ("both certificates"), ``one`` ("one of")."""

    unwanted: bool = False


def payments(sentence: ParsedSentence) -> list[PaymentMention]:
    """The methods that a sentence mentions, in order, but not in "I've got two certificates"."""
    found: list[PaymentMention] = []
    for place, word in enumerate(sentence.words):
        pay = _at(sentence, place, word, found[-1].kind if found else "")
        ahead = set(sentence.before(place, 6))
        held = words_of("held") & ahead and not words_of("used") & ahead
        if (
            pay is None
            or pay in found
            or (held and not sentence.has_phrase("use that", "use it", "use them", "with it"))
        ):
            continue
        found.append(pay)
    return found


def _at(sentence: ParsedSentence, place: int, word: str, before: str) -> PaymentMention | None:
    if _ID.fullmatch(word):
        return PaymentMention(word.rpartition("_")[0], id=word)
    after, brands = sentence.after(place + 1, 6), vocabulary()["brands"]
    if word == "original" or (word == "same" and set(after[:1]) & {"card", "payment"}):
        told = word == "same" or set(after[:2]) & words_of("after original")
        return PaymentMention("original") if told else None
    if word in words_of("certificates"):
        return _describe(sentence, place, place + 1, "certificate")
    if word in {"giftcard", "giftcards", "gift-card"}:
        return _describe(sentence, place, place + 1, "gift_card")
    if word == "gift" and after[:1] and after[0].startswith("card"):
        return _describe(sentence, place, place + 2, "gift_card")
    if word in brands or (word == "master" and after[:1] == ("card",)):
        end = place + 1 + (after[:1] == ("card",))
        return _describe(sentence, place, end, "credit_card", brands.get(word, "mastercard"))
    if word in {"card", "cards"} and not words_of("no cards") & set(sentence.before(place, 1)):
        return _describe(sentence, place, place + 1, "credit_card")
    if word in {"one", "ones"}:
        pay = _describe(sentence, place, place + 1, before)
        picked = before and (pay.pick in {"smallest", "largest"} or pay.digits)
        ahead = sentence.before(place, 2)
        summed = bool(ahead) and (before or ahead[0] == "the" or "dollar" in ahead)
        return pay if picked or (pay.worth and summed) else None
    return None


def _describe(
    sentence: ParsedSentence, start: int, end: int, kind: str, brand: str = ""
) -> PaymentMention:
    """A mention with the details in the words around it; ``end`` is the place after its name."""
    ahead, after = sentence.before(start, 4), sentence.after(end, 7)
    digits = _digits(after)
    worth = None if digits else _worth(ahead, after, kind)
    bare = worth is None and not digits and not brand
    pick = _pick(sentence, start, end) if bare else ""
    unwanted = _is_refused(sentence, start) and "why" not in sentence.words
    return PaymentMention(kind, brand, "", digits, worth, pick, unwanted)


def _pick(sentence: ParsedSentence, start: int, end: int) -> str:
    """Which method of the kind is meant: by its balance, all of them, or any one."""
    near, after = set(sentence.before(start, 4)) - {","}, sentence.after(end, 7)
    told = {*near, *after[:6]} if "with" in after[:1] or "balance" in after else near
    plural = sentence.words[start].endswith("s") or "cards" in {*after[:1], sentence.words[end - 1]}
    return (
        "smallest" if told & words_of("small")
        else "largest" if told & words_of("large")
        else "one" if {"one", "of"} <= near or near & {"a", "any"}
        else "all" if plural or near & {"both", "all"}
        else ""
    )  # fmt: skip


def _is_refused(sentence: ParsedSentence, start: int) -> bool:
    """Whether the customer rejects a method: "not the visa", "don't charge it to my visa"."""
    if words_of("method unwanted") & set(sentence.before(start, 3)):
        return True
    ahead, denials = sentence.before(start, 6), words_of("method denied")
    between = set(ahead[max((n for n, word in enumerate(ahead) if word in denials), default=6) :])
    return bool(words_of("charging") & between) and not {",", ";", "but"} & between


def _digits(after: tuple[str, ...]) -> str:
    told = [each for each in after[:6] if each.isdecimal() and 3 <= len(each) <= 7]
    ends = {"ending", "ends", "number", "digits", "last"} & set(after[:4])
    return told[0] if told and ends else ""


def _worth(ahead: tuple[str, ...], after: tuple[str, ...], kind: str) -> int | None:
    """The dollars that describe a method: "the 200 dollar one", "one with $50 on it"; else None."""
    if kind == "credit_card":
        return None
    for each in reversed(ahead):
        amount = each.replace("$", "")
        if amount.isdecimal() and int(amount) > 3:
            return int(amount)
        if each not in words_of("dollars"):
            break
    amount = after[1].lstrip("$") if len(after) > 1 and after[0] in words_of("worth") else ""
    told = len(amount) > 1 or after[1:2] != (amount,) or set(after[2:3]) & words_of("dollars")
    return int(amount) if amount.isdecimal() and told else None
