"""Turns the "you" of a role into the "I" of the customer who plays it."""

from __future__ import annotations

import re

_PAIRS = (
    (r"\byou are\b", "I am"),
    (r"\byou were\b", "I was"),
    (r"\byou're\b", "I'm"),
    (r"\bare you\b", "am I"),
    (r"\byourself\b", "myself"),
    (r"\byours\b", "mine"),
    (r"\byour\b", "my"),
    (r"\b(to|for|with|of|by|from|at|on|about|give|gives|tell|tells|let|than) you\b", r"\1 me"),
    (r"\byou\b", "I"),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in _PAIRS)
_SENTENCE = re.compile(r"(^|[.!?]\s+)([a-z])")


def first_person(text: str) -> str:
    """A sentence of the role as the customer would say it about themselves."""
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    return _SENTENCE.sub(lambda found: found[1] + found[2].upper(), text)


def request(want: str) -> str:
    """A wish as a polite request; the role states it as an instruction to the player."""
    said = first_person(want)
    return f"Please {said[:1].lower()}{said[1:]}" if not said.startswith(("If ", "I ")) else said
