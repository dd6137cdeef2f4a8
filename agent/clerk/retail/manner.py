"""What the store's clerk can want, change and offer, by intent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.clerk.understanding.manners import data_of, reader_of
from agent.clerk.understanding.phrases import Phrases
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import Tokens, tokens

HERE = Path(__file__).parent
SAID = Phrases(HERE)
"""The store's phrases, by what customers tell with them."""

tells = SAID.tell

DATA: dict[str, Any] = data_of(HERE)
"""What ``manner.json`` holds."""

ACTS = frozenset(DATA["acts"])
OFFERS: dict[str, str] = DATA["offers"]
VERBS: dict[str, str] = DATA["verb_of"]
TEXTS: dict[str, str] = DATA["texts"]
TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in DATA["tools"].items()}
SWAPS = frozenset({"exchange_items", "modify_items"})
"""One wish: which of the two it is follows from the order's status."""


def reader() -> Reader:
    """Reads a customer's messages."""
    return reader_of(HERE)


def stands_under(words: Tokens, place: int, name: str, *, within: int = 4) -> bool:
    """Whether one of the phrases of a name ends within so many words of a place, and reaches it."""
    phrases = [tokens(each) for each in SAID.by_name[name]]
    for end in range(place, max(0, place - within), -1):
        if any(words[:end][-len(each) :] == each for each in phrases):
            return True
        if words[end - 1] in SAID.words["no further"]:
            return False
    return False
