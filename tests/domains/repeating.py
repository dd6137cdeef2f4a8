"""What the tests of all demo records ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def repeated(ids: Iterable[str]) -> list[str]:
    """The ids that occur more than once."""
    return [each for each, times in Counter(ids).items() if times > 1]
