"""The number types of the command line, which refuse ``nan``, ``inf`` and absurd sizes."""

from __future__ import annotations

import math
from typing import Any

import click

MOST_TRIALS = 10_000
"""Trials of one task; all sessions of a run are planned before the first is played."""

MOST_AT_ONCE = 1_000
"""Sessions that are played at the same time."""

MOST = 2**53
"""The largest whole number that every reader of a log or an export represents exactly."""


class Finite(click.FloatRange):
    """A number within bounds; ``nan`` and ``inf`` are refused."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Convert the number; click's own range accepts ``nan``, which exceeds no bound."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number; write it in digits.", param, ctx)
        return number


class Whole(click.IntRange):
    """A whole number from ``least`` to ``most``, both inclusive."""

    def __init__(self, least: int = 1, most: int = MOST) -> None:
        """Set the bounds, which ``--help`` shows unless ``most`` is the largest number there is."""
        super().__init__(least, None if most == MOST else most)
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Convert the number; a number out of range is refused with a sentence."""
        number = int(click.INT.convert(value, param, ctx))
        if number > self._most:
            self.fail(f"{value} is too large; the maximum is {self._most:,}.", param, ctx)
        if number < self._least:
            self.fail(f"{value} is too small; the minimum is {self._least:,}.", param, ctx)
        return number
