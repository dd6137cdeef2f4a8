"""What the store's clerk can want, change and offer, by intent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.clerk.understanding.manners import data_of, reader_of
from agent.clerk.understanding.phrases import Phrases
from agent.clerk.understanding.reading import Reader

HERE = Path(__file__).parent
SAID = Phrases(HERE)
"""The store's phrases, by what customers tell with them."""

tells = SAID.tell

_DATA = data_of(HERE)
ACTS = frozenset(_DATA["acts"])
OFFERS: dict[str, str] = _DATA["offers"]
VERBS: dict[str, str] = _DATA["verb_of"]
TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in _DATA["tools"].items()}
SWAPS = frozenset({"exchange_items", "modify_items"})
"""One wish: which of the two it is follows from the order's status."""


def manner_data() -> dict[str, Any]:
    """What ``manner.json`` holds."""
    return _DATA


def reader() -> Reader:
    """Reads a customer's messages."""
    return reader_of(HERE)
