"""The examples that the reader is trained with, in one form whatever file they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from agent.clerk.understanding.intent_catalogs import data_of
from agent.clerk.understanding.intents import UNKNOWN, Codes
from agent.clerk.understanding.labelling import ANYTHING, STANCES

DATA = Path(__file__).parent / "example_sentences"
CLERK = Path(__file__).parents[3] / "agent" / "clerk"
DOMAINS = ("retail", "airline")

STANCE_OF = {
    "nothing_changes": "deny",
    "hypothetical": "ask",
    "policy_question": "ask",
    "price": "ask",
    "refund_amount": "ask",
    "return_how": "ask",
    "order_status": "mention",
    "state_check": "mention",
    "outcome": "mention",
    "complaint": "mention",
}
"""The stance of the single sentences of an intent, where it has one; those of a change want it."""

NO_STANCE = frozenset(
    {
        "about_clerk", "advice", "balance", "chat", "count", "detail", "farewell", "flight_status",
        "gift_balance", "greeting", "human", "identify", "membership", "methods", "orders", "paid",
        "product_count", "product_info", "profile", "reservation_info", "reservations",
        "search_flights", "smalltalk", "yes",
    }
)  # fmt: skip
"""Intents whose single sentences speak of no change; those of the others are not used for it."""

SECOND_HAND = 0.3
"""How much a sentence written for its intent counts for the stance that follows from it."""

NONSENSE = 500
"""How many texts that mean nothing the reader sees."""

_MEANINGLESS = (
    "blah", "blub", "blah blah", "what", "hm", "hmm", "foo bar", "asdf", "qwertz",
    "lorem ipsum dolor sit amet", "xyz", "???", "was ist das", "je ne comprends pas",
    "no entiendo nada", "tralala", "bla", "test", "testing 123", "abc", "huh", "the the the",
    "meep", "yadda yadda", "mjau", "vielen dank auch", "8472", "la la la",
)  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A part of a message with its labels."""

    text: str
    intent: str | None
    """None if no intent is to be learned from it."""

    stance: str | None
    weight: float = 1.0
    """How much its stance counts."""


@dataclass(frozen=True)
class Example:
    """A message, in parts."""

    domain: str | None
    """None if it may be said in any."""

    asked: str
    """The question that it replies to; empty if it begins a conversation."""

    parts: tuple[Part, ...]


@cache
def codes(domain: str) -> Codes:
    """What stands for codes in a domain."""
    return Codes(CLERK / domain)


def without_codes(text: str) -> str:
    """A text with the codes of all domains replaced, as the reader sees it."""
    for domain in DOMAINS:
        text = codes(domain).replace_in(text)
    return text


def all_examples() -> tuple[list[Example], list[Example]]:
    """The single sentences, and the whole messages."""
    single = [each for domain in DOMAINS for each in _sentences(domain)]
    messages = [each for domain in DOMAINS for each in read_whole(domain)]
    return [*single, *_stances(), *_nonsense()], messages


def intents_of(single: list[Example], messages: list[Example]) -> dict[str, list[str]]:
    """The intents that occur in each domain, in alphabetical order."""
    found: dict[str, set[str]] = {domain: {UNKNOWN} for domain in DOMAINS}
    for each in (*single, *messages):
        if each.domain is not None:
            found[each.domain].update(part.intent for part in each.parts if part.intent)
    return {domain: sorted(names) for domain, names in found.items()}


@cache
def tails() -> dict[str, list[str]]:
    """What may stand behind any request: words that take it *back*, and words that do *not*."""
    kept: dict[str, list[str]] = _load("tails.json")
    return kept


def _load(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def _sentences(domain: str) -> list[Example]:
    acts = frozenset(data_of(CLERK / domain)["acts"])
    found = []
    for name, asked in (("openings", ""), ("replies", ANYTHING)):
        for intent, texts in _load(f"{name}_{domain}.json").items():
            of_intent = "want" if intent in acts else STANCE_OF.get(intent)
            stance = of_intent or ("none" if intent in NO_STANCE else None)
            weight = SECOND_HAND if of_intent else 1.0
            found += [
                Example(domain, asked, (Part(without_codes(text), intent, stance, weight),))
                for text in texts
            ]
    return found


def read_whole(domain: str) -> list[Example]:
    """The whole messages of a domain's customers."""
    return read_messages(domain, DATA / f"messages_{domain}.jsonl")


def read_messages(domain: str, path: Path) -> list[Example]:
    """The whole messages in a file; raises ValueError for a label that there is not."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for row in map(json.loads, lines):
        parts = tuple(Part(without_codes(text), *labels) for text, *labels in row["parts"])
        if wrong := [each.stance for each in parts if each.stance not in STANCES]:
            raise ValueError(f"there is no stance {wrong[0]!r}: {row}")
        found.append(Example(domain, without_codes(row["asked"]), parts))
    return found


def _stances() -> list[Example]:
    return [
        Example(None, ANYTHING, (Part(without_codes(text), None, stance),))
        for stance, texts in _load("stances.json").items()
        for text in texts
    ]


def _nonsense() -> list[Example]:
    """Texts that mean nothing to a service agent: keys hit at random, and random letters."""
    drawn = Random(5)
    found = []
    for number in range(NONSENSE):
        words = (
            "".join(
                drawn.choice("asdfghjklqwertzuiopyxcvbnm") for _ in range(drawn.randrange(3, 9))
            )
            for _ in range(drawn.randrange(1, 4))
        )
        text = drawn.choice(_MEANINGLESS) if drawn.random() < 0.4 else " ".join(words)
        domain, asked = DOMAINS[number % 2], ("", ANYTHING)[number // 2 % 2]
        found.append(Example(domain, asked, (Part(text, UNKNOWN, "none"),)))
    return found
