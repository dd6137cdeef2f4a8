"""The language of the airline: the word lists of ``data/airline.json``."""

from __future__ import annotations

import re
from functools import cache

from agent.clerk.english import Language

CODE = r"\b(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{6}\b"
"""A reservation id that holds a digit, in plain text."""

FLIGHT_NUMBER = re.compile(
    r"\b(?P<line>hat|lrk) ?(?P<no>\d{3})\b|\bflight (?:number )?(?P<any>[a-z]{2,3}\d{2,4})\b"
)


@cache
def _parts() -> dict[str, str]:
    words = LANGUAGE.words
    relations = "|".join(map(re.escape, words["relations"]))
    return {"place": _any_place(), "relation": rf"(?:{relations})s?", "code": CODE}


def _any_place() -> str:
    words = LANGUAGE.words
    codes = [name for names in words["airports"].values() for name in names]
    names = sorted({*codes, *words["cities"], *words["unknown_places"]}, key=lambda n: (-len(n), n))
    return rf"(?<![\w'])(?:{'|'.join(map(re.escape, names))})(?![\w])"


def _names() -> set[str]:
    words = LANGUAGE.words
    listed = (words["cities"], words["unknown_places"], words["relations"], words["not_ids"])
    return {word for names in listed for name in names for word in name.split()}


LANGUAGE = Language("airline", _parts, _names)
pattern, says, table = LANGUAGE.pattern, LANGUAGE.says, LANGUAGE.table
first_meaning, meanings = LANGUAGE.first_meaning, LANGUAGE.meanings


def number(word: str) -> int:
    """The number that a word or digits stand for: ``two``, ``3``, ``another``."""
    word = word.strip()
    return int(word) if word.isdigit() else int(LANGUAGE.words["numbers"].get(word, 1))
