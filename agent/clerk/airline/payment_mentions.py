"""Mentions of payment methods in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import vocabulary, words_of
from agent.clerk.understanding.mention_roles import Role, roles_of
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.terms import are_fallbacks

_ID = re.compile(r"(?:credit_card|gift_card|certificate)_\d{3,8}")
_FEW = 3
"""Up to this, a number before a method says how many, not what it is worth."""

_LONGEST = 3
"""The most words of a name in ``words.json``: "original credit card"."""

_BY_BALANCE = {"smallest": "small", "largest": "large"}
"""What picks a method by its balance, with the list of its words."""

_KINDS = frozenset({"certificate", "gift_card", "credit_card", "original"})


@dataclass(frozen=True)
class PaymentMention:
    """A mention of a payment method; a method must match every field that is filled."""

    kind: str = ""
    """``certificate``, ``gift_card``, ``credit_card`` or ``original``."""

    brand: str = ""
    id: str = ""
    number: str = ""
    """The last digits of a card, or the balance: "the 200 dollar certificate"."""

    pick: str = ""
    """``smallest`` or ``largest`` balance, ``all`` ("both certificates"), ``one`` ("one of")."""

    role: Role = field(default="wanted", compare=False)
    """What the customer wants with it."""

    is_fallback: bool = field(default=False, compare=False)
    """Whether it is to be used only if another cannot be."""


def payments(sentence: ParsedSentence) -> list[PaymentMention]:
    """The methods that a sentence mentions, in order, each with its role."""
    found: list[tuple[PaymentMention, tuple[int, int]]] = []
    end = 0
    for place, word in enumerate(sentence.words):
        if place < end:
            continue
        width, name = _name_at(sentence, place)
        end = place + max(width, 1)
        if _ID.fullmatch(word):
            pay = PaymentMention(word.rpartition("_")[0], id=word)
        elif name:
            pay = _describe(sentence, place, end, name, found[-1][0].kind if found else None)
        else:
            continue
        if pay != PaymentMention():
            found.append((pay, sentence.span(place, end)))
    spans = tuple(span for _, span in found)
    roles, later = roles_of(sentence.text, spans), are_fallbacks(sentence.text, spans)
    told = [
        pay if pay.id else replace(pay, role=role, is_fallback=second)  # an id was picked
        for (pay, _), role, second in zip(found, roles, later, strict=True)
    ]
    return [e for n, e in enumerate(told) if (e, e.role) not in [(x, x.role) for x in told[:n]]]


def wanted_payments(sentence: ParsedSentence) -> list[PaymentMention]:
    """The methods that a sentence wants to be used, or else acts on: "take it from the visa".

    Those that it wants only if others do not do are the last, and count only beside others.
    """
    found = payments(sentence)
    first = [each for each in found if not each.is_fallback]
    wanted = [each for each in first if each.role == "wanted"]
    wanted = wanted or [each for each in first if each.role == "acted_on"]
    return [*wanted, *(each for each in found if each.is_fallback)] if wanted else []


def _name_at(sentence: ParsedSentence, place: int) -> tuple[int, str]:
    """How many words name a method at a place, and its kind or brand; both empty for others."""
    for width in range(_LONGEST, 0, -1):
        words = sentence.after(place, width)
        name = vocabulary()["methods"].get(correct(" ".join(words)))
        if name is not None:
            return len(words), name
    return 0, ""


def _describe(
    sentence: ParsedSentence, start: int, end: int, name: str, before: str | None
) -> PaymentMention:
    """A mention with the details around its name; empty for a mere "one".

    ``before`` is the kind that was mentioned before, which "the larger one" is of: an empty one
    for "the $40 card", None for nothing at all.
    """
    kind = name if name in _KINDS else "credit_card"
    kind = before or "" if name == "one" else kind
    brand = "" if name in {*_KINDS, "one"} else name
    if name == "credit_card" and _is_sum("".join(sentence.before(start, 1))):
        kind = ""  # "the $40 card"
    number = _number(sentence, start, end, kind)
    pick = "" if number or brand or kind == "original" else _pick(sentence, start, end)
    dollars = before is not None or any(map(_is_sum, sentence.before(start, 2)))
    if name == "one" and not ((number and dollars) or (before and pick in _BY_BALANCE)):
        return PaymentMention()
    return PaymentMention(kind, brand, "", number, pick)


def _is_sum(word: str) -> bool:
    return word.startswith("$") or word in words_of("dollars") - {"travel"}


def _pick(sentence: ParsedSentence, start: int, end: int) -> str:
    """Which method of the kind is meant: by its balance, all of them, or any one."""
    near, after = set(sentence.before(start, 4)) - {","}, sentence.after(end, 7)
    told = {*near, *after[:6]} if {"with", "balance"} & {*after[:1]} else near
    many = sentence.words[end - 1].endswith("s") or near & {"both", "all"}
    one = near & {"one", "a", "any"}
    balance = next((pick for pick, words in _BY_BALANCE.items() if told & words_of(words)), "")
    return balance or ("one" if one else "all" if many else "")


def _number(sentence: ParsedSentence, start: int, end: int, kind: str) -> str:
    """The last digits, or the dollars that describe a method: "the $200 one", "one with $50"."""
    ahead, after = sentence.before(start, 4), sentence.after(end, 7)
    digits = [each for each in after[:6] if each.isdecimal() and 3 <= len(each) <= 7]
    if digits and words_of("ending") & set(after[:4]):
        return digits[0]
    if kind == "credit_card":
        return ""
    plain = [each.replace("$", "") for each in ahead if each not in words_of("dollars")]
    worth = "".join(after[1:2]).lstrip("$") if words_of("worth") & {*after[:1]} else ""
    told = (each for each in (*plain[-1:], worth) if each.isdecimal() and int(each) > _FEW)
    return next(told, "")
