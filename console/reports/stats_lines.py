"""The lines that the tables of ``saber stats`` are made of."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from sessions.cleaning import clean
from sessions.statistics.intervals import Estimate, Interval, Share

Line = tuple[str, str, str, str, str]
"""Name, value, interval, n, and what it is."""

NOTHING = "–"
"""Stands for a number that there is none of."""


def numbers(lines: Iterable[Line]) -> Table:
    """The lines under each other, every cell as it is."""
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
    """An empty table of numbers; what stands in its first column is a name."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    return table


def share(name: str, found: Share, what: str) -> Line:
    """A share as a line; n is 0 for none of none."""
    if found.value is None:
        return name, NOTHING, NOTHING, "0", what
    return name, percent(found.value), around(found.interval), f"{found.n}", what


def estimate(name: str, found: Estimate, form: str, what: str) -> Line:
    """Any other number as a line, put in the form given: ``{:.1f} s``."""
    if found.value is None:
        return name, NOTHING, NOTHING, "0", what
    ends = found.interval
    bare = form.split(" ", 1)[0]
    between = f"{bare.format(ends.low)} to {bare.format(ends.high)}" if ends else NOTHING
    return name, form.format(found.value), between, f"{found.n}", what


def percent(value: float) -> str:
    """A share in hundredths."""
    return f"{100 * value:.1f} %"


def around(interval: Interval | None) -> str:
    """The ends of a share's interval, in hundredths."""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if interval else NOTHING


def plain(words: str, style: str = "") -> Text:
    """Words as they are: names of models, scenarios and tools are somebody else's."""
    return Text(clean(words), style=style)
