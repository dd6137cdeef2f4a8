"""The domain's data: its words and phrases, its intents and tools, and what a mention is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from agent.clerk.rules import Rules
from agent.clerk.understanding.intent_catalogs import data_of
from domains.airline.schema import NOW

FROM, TO, NOT = "from", "to", "not"


@cache
def vocabulary(name: str = "words") -> dict[str, Any]:
    """The contents of ``words.json`` or, by its name, of another JSON file in this folder."""
    text = resources.files("agent.clerk.airline").joinpath(f"{name}.json").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


@cache
def phrases(name: str) -> tuple[str, ...]:
    """The phrases in a list: ``phrases("health")``."""
    return tuple(vocabulary()["said"][name])


@cache
def words_of(name: str) -> frozenset[str]:
    """The phrases in a list as a set, to compare single words with."""
    return frozenset(phrases(name))


@cache
def phrase_table(name: str) -> dict[str, tuple[str, ...]]:
    """A table of phrase lists by meaning, in the order in which they are tried."""
    return {each: tuple(said) for each, said in vocabulary()[name].items()}


def number(word: str) -> int | None:
    """The number that a word or digits stand for: ``two``, ``3``, ``another``; else None."""
    if word.isdecimal() and len(word) < 6:
        return int(word)
    found: int | None = vocabulary()["numbers"].get(word)
    return found


def is_excluded(ahead: Sequence[str]) -> bool:
    """Whether the words before a mention say that it is not wanted: "not", "instead of"."""
    small = {"the", "on", "in", "at", "my", "one"}
    *_, before, last = ("", "", *(each for each in ahead if each not in small))
    if last == "not":
        return before not in {"why", "if"}
    return (before, last) in {("instead", "of"), ("rather", "than")}


_SMALL = frozenset({"the", "my", "a", "airport", "on", "in", "this", "next"})
"""Words that may stand between a mention and the word that says what it is."""


def role_of(ahead: Sequence[str], from_: frozenset[str], to: frozenset[str]) -> str:
    """The role of a mention by the words before it, of which some say ``from`` and some ``to``."""
    if is_excluded(ahead):
        return NOT
    near = next((each for each in reversed(ahead) if each not in _SMALL), "")
    return FROM if near in from_ else TO if near in to else ""


@dataclass(frozen=True)
class Mention:
    """A mention in a sentence: the words from ``start`` to before ``end``, and what they mean."""

    start: int
    end: int
    value: Any
    role: str = ""
    """``from``, ``to`` or ``not``, according to the words before it; else empty."""


HERE = Path(__file__).parent
_DATA = data_of(HERE)
ACTS = frozenset(_DATA["acts"])
_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)", re.IGNORECASE)
RULES = Rules(HERE)
"""The answers to questions about rules."""

OF_CHANGE = frozenset(_DATA["of_change"])
"""Intents of questions about the change at hand."""

OFFERS: dict[str, str] = _DATA["offers"]
TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in _DATA["tools"].items()}
WRITES = frozenset(tool for act in ACTS for tool in TOOLS.get(act, ()))
"""Names of the tools that change records."""

VERBS: dict[str, str] = _DATA["trip_verbs"]
"""What happens to a reservation, by intent, in words that follow "should I"."""

SAYINGS: dict[str, str] = _DATA["sayings"]
"""Replies to requests that are not served, by intent."""


def now_of(policy: str) -> str:
    """The current time that the policy states, or that of the records if it states none."""
    hit = _NOW.search(policy)
    return f"{hit.group(1)}T{hit.group(2)}" if hit else NOW
