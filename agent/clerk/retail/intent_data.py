"""The intents, tools, offers and texts of the retail clerk, loaded from its JSON files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.clerk.rules import Rules
from agent.clerk.understanding.intent_catalogs import data_of, reader_of
from agent.clerk.understanding.phrases import Phrases
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import Tokens, tokens

HERE = Path(__file__).parent
SAID = Phrases(HERE)
"""The retail phrases, grouped by what customers say with them."""

tells = SAID.tell

DATA: dict[str, Any] = data_of(HERE)
"""The contents of ``intent_settings.json``."""

ACTS = frozenset(DATA["acts"])
RULES = Rules(HERE)
"""The answers to questions about rules."""

OF_CHANGE = frozenset(DATA["of_change"])
"""Intents of questions about the change at hand."""

OFFERS: dict[str, str] = DATA["offers"]
VERBS: dict[str, str] = DATA["verb_of"]
TEXTS: dict[str, str] = DATA["texts"]
TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in DATA["tools"].items()}
SWAPS = frozenset({"exchange_items", "modify_items"})
"""Two intents for the same request: the order's status decides between them."""

OF_ITEMS = SWAPS | {"return_items"}
"""The changes of single items."""


def reader() -> Reader:
    """The reader that parses customer messages."""
    return reader_of(HERE)


def stands_under(words: Tokens, place: int, name: str, *, within: int = 4) -> bool:
    """Whether a place follows one of the phrases of a name, at most ``within`` tokens after it.

    A token of *no further* between the phrase and the place ends its scope.
    """
    phrases = [tokens(each) for each in SAID.by_name[name]]
    for end in range(place, max(0, place - within), -1):
        if any(words[:end][-len(each) :] == each for each in phrases):
            return True
        if words[end - 1] in SAID.words["no further"]:
            return False
    return False
