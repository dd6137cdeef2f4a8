"""What the airline's clerk can want, change and offer, by intent, and what time it is."""

from __future__ import annotations

import re
from pathlib import Path

from agent.clerk.understanding.manners import data_of

HERE = Path(__file__).parent
_DATA = data_of(HERE)
ACTS = frozenset(_DATA["acts"])
NOW = "2024-05-15T15:00:00"
"""The time it is where a policy does not say."""

_NOW = re.compile(r"current time is (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)", re.IGNORECASE)
OFFERS: dict[str, str] = _DATA["offers"]

TOOLS: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in _DATA["tools"].items()}


def now_of(policy: str) -> str:
    """The time it is, as the policy has it."""
    hit = _NOW.search(policy)
    return f"{hit.group(1)}T{hit.group(2)}" if hit else NOW
