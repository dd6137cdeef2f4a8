"""Numbers on the command line: finite ones, and none that nobody can mean."""

from __future__ import annotations

import math
from typing import Any

import click

MOST_TRIALS = 10_000
"""Of one task; every session of a run is planned before the first is played."""

MOST_AT_ONCE = 1_000
"""Sessions that are played at the same time."""

MOST = 2**53
"""The largest whole number that whoever reads a log or an export takes for itself."""


class Finite(click.FloatRange):
    """A number within bounds; ``nan`` and ``inf`` are within none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; click's own range lets ``nan`` through, since it is beyond no bound."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number; write one in digits.", param, ctx)
        return number


class Whole(click.IntRange):
    """A whole number from ``least`` to ``most``, which are allowed themselves."""

    def __init__(self, least: int = 1, most: int = MOST) -> None:
        """``--help`` tells the bounds, but for the largest number there is."""
        super().__init__(least, None if most == MOST else most)
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; one out of the range is refused in words."""
        number = int(click.INT.convert(value, param, ctx))
        if number > self._most:
            self.fail(f"{value} is too many; {self._most:,} is the most.", param, ctx)
        if number < self._least:
            self.fail(f"{value} is too few; {self._least:,} is the least.", param, ctx)
        return number
