"""The intents, tools, offers and texts of the airline clerk, and the current time."""

from __future__ import annotations

import re
from pathlib import Path

from agent.clerk.rules import Rules
from agent.clerk.understanding.intent_catalogs import data_of
from domains.airline.schema import NOW

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
