"""Values of options as far as they can be ordered: numbers, sizes, levels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.clerk.understanding.tokens import tokens

SIZES = {"xs": 0, "s": 1, "small": 1, "m": 2, "medium": 2, "l": 3, "large": 3, "xl": 4, "xxl": 5}
LEVELS = {"low": 0, "medium": 1, "mid": 1, "high": 2, "twin": 0, "full": 1, "queen": 2, "king": 3}


def rank(value: str) -> float | None:
    """A value as a number, where it can be ordered."""
    own = tokens(value)
    if own and own[0].replace(".", "").isdigit():
        amount = float(own[0])
        return amount * 1000 if own[1:2] in (("liter",), ("kg",)) or "tb" in own[1:2] else amount
    low = value.lower()
    found = SIZES.get(low, LEVELS.get(low))
    numbers = re.findall(r"\d+", value)
    if found is None and numbers:
        return float(numbers[0])
    return float(found) if found is not None else None


def orderable(values: Sequence[str]) -> bool:
    """Whether all of several values can be ordered."""
    return len(values) > 1 and all(rank(each) is not None for each in values)
