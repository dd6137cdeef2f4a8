"""The lines that make up the tables of ``saber stats``."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from sessions.cleaning import clean
from sessions.statistics.intervals import Estimate, Interval, Share

Line = tuple[str, str, str, str, str]
"""Name, value, interval, n, and what it is."""

NOTHING = "–"
"""Stands for a missing number."""


def numbers(lines: Iterable[Line]) -> Table:
    """A table of these lines, with every cell shown literally."""
    grid = Table(box=None, pad_edge=False, show_edge=False)
    grid.add_column("")
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column("95 % interval", justify="right", no_wrap=True)
    grid.add_column("n", justify="right")
    grid.add_column("what it is", ratio=1)
    for line in lines:
        grid.add_row(*(plain(cell) for cell in line))
    return grid


def make_table(*headings: str | Text) -> Table:
    """An empty table of numbers, whose first column holds names."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    return table


def share(name: str, found: Share, what: str) -> Line:
    """A share as a line; n is 0 if nothing was counted."""
    if found.value is None:
        return name, NOTHING, NOTHING, "0", what
    return name, percent(found.value), around(found.interval), f"{found.n}", what


def estimate(name: str, found: Estimate, form: str, what: str) -> Line:
    """Any other number as a line, in a format such as ``{:.1f} s``."""
    if found.value is None:
        return name, NOTHING, NOTHING, "0", what
    ends = found.interval
    bare = form.split(" ", 1)[0]
    between = f"{bare.format(ends.low)} to {bare.format(ends.high)}" if ends else NOTHING
    return name, form.format(found.value), between, f"{found.n}", what


def percent(value: float) -> str:
    """A share in percent."""
    return f"{100 * value:.1f} %"


def around(interval: Interval | None) -> str:
    """The ends of a share's interval, in percent."""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if interval else NOTHING


def plain(words: str, style: str = "") -> Text:
    """Words shown literally, since names of models, scenarios and tools are untrusted."""
    return Text(clean(words), style=style)
