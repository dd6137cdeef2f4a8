"""The words that trips are told in, from ``words.json``, and where a sentence names something."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

FROM, TO, NOT = "from", "to", "not"


@cache
def vocabulary(name: str = "words") -> dict[str, Any]:
    """What ``words.json`` holds: airports, cities, months, numbers, and what is said how."""
    text = resources.files("agent.clerk.airline").joinpath(f"{name}.json").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


@cache
def phrases(name: str) -> tuple[str, ...]:
    """The ways in which something is said: ``phrases("health")``."""
    return tuple(vocabulary()["said"][name])


@cache
def words_of(name: str) -> frozenset[str]:
    """Those that are single words, to be looked for among a sentence's."""
    return frozenset(phrases(name))


@cache
def phrase_table(name: str) -> dict[str, tuple[str, ...]]:
    """Several such lists, by what they stand for, in the order in which they are looked for."""
    return {each: tuple(said) for each, said in vocabulary()[name].items()}


def number(word: str) -> int | None:
    """The number that a word or digits stand for: ``two``, ``3``, ``another``."""
    if word.isdecimal() and len(word) < 6:
        return int(word)
    found: int | None = vocabulary()["numbers"].get(word)
    return found


@dataclass(frozen=True)
class Mention:
    """A place in a sentence where something is named, from one word to before another."""

    start: int
    end: int
    value: Any
    role: str = ""
    """``from``, ``to`` or ``not``, as the words before it say."""
