"""A role says "you"; whoever plays it says "I"."""

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
    """What the role tells the player, as the customer would say it of themselves."""
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    return _SENTENCE.sub(lambda found: found[1] + found[2].upper(), text)


def request(want: str) -> str:
    """A want, which a role tells as an order to its player, as a request."""
    said = first_person(want)
    return f"Please {said[:1].lower()}{said[1:]}" if not said.startswith(("If ", "I ")) else said
