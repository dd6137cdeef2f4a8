"""Searching scenarios for words in their id, title, tags and role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from domains.core.domain import Role, Scenario

_WORD = re.compile(r"[^\W_]+")

LETTERS_PER_SLIP = 4
"""How many letters a word must have for each letter that may be misspelled."""


def search(scenarios: Iterable[Scenario], words: str) -> list[Scenario]:
    """The scenarios in which every word occurs, whatever its letter case, best matches first.

    A word that occurs in none of them is taken for a misspelling of the nearest words that do.
    Scenarios whose id is one of the words come first, then those that have every word in their
    title; otherwise the given order is kept.
    """
    asked = words.casefold().split()
    texts = [(each, _text(each.id, each.title, each.role, each.tags)) for each in scenarios]
    for word in asked:
        texts = _having(word, texts)
    found = [scenario for scenario, _ in texts]
    return sorted(found, key=lambda each: _rank(each, asked)) if asked else found


def _having(word: str, texts: list[tuple[Scenario, str]]) -> list[tuple[Scenario, str]]:
    exactly = [each for each in texts if word in each[1]]
    if exactly or not word.isalpha():
        return exactly
    meant = _nearest(word, {known for _, text in texts for known in _words(text)})
    return [each for each in texts if not meant.isdisjoint(_words(each[1]))]


def _nearest(word: str, known: set[str]) -> set[str]:
    """The known words with the fewest misspelled letters; none if those have too many."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    slips = min(len(word) // LETTERS_PER_SLIP, 2)
    alike = [each for each in known if each[0] == word[0]]
    found = process.extract(word, alike, scorer=OSA.distance, score_cutoff=slips, limit=None)
    return {each for each, distance, _ in found if distance == found[0][1]} if slips else set()


def _rank(scenario: Scenario, asked: Sequence[str]) -> int:
    if scenario.id.casefold() in asked:
        return 0
    title = scenario.title.casefold()
    return 1 if all(word in title for word in asked) else 2


@lru_cache(maxsize=1024)
def _text(scenario_id: str, title: str, role: Role, tags: tuple[str, ...]) -> str:
    lines = (role.who, *role.knows, *role.does_not_know, *role.wants, role.manner)
    return "\n".join((scenario_id, title, *tags, *lines)).casefold()


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))
