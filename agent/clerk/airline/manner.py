"""What the airline's clerk can want, change and offer, by intent, and what time it is."""

from __future__ import annotations

import re
from pathlib import Path

from agent.clerk.understanding.manners import data_of
from domains.airline.schema import NOW

HERE = Path(__file__).parent
_DATA = data_of(HERE)
ACTS = frozenset(_DATA["acts"])
_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)", re.IGNORECASE)
OFFERS: dict[str, str] = _DATA["offers"]
TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in _DATA["tools"].items()}
WRITES = frozenset(tool for act in ACTS for tool in TOOLS.get(act, ()))
"""Names of the tools that change records."""

VERBS: dict[str, str] = _DATA["trip_verbs"]
"""What is done to a reservation, by the intent, in words that follow "should I"."""

SAYINGS: dict[str, str] = _DATA["sayings"]
"""What is said to what is not served."""


def now_of(policy: str) -> str:
    """The time it is, as the policy has it, or the records where it does not say."""
    hit = _NOW.search(policy)
    return f"{hit.group(1)}T{hit.group(2)}" if hit else NOW
