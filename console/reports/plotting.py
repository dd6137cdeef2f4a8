"""A picture of what cards catch: for each line, its share of wrong and of right changes.

A line that fires on no change is left to the table. Groups are placed in as many columns as make
the picture about as wide as it is high.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from console.reports.evidence_tables import counts, fires, rows
from domains.text.quantity import quantity
from sessions.cleaning import clean
from sessions.exporting.writing import atomic_write, refuse_existing
from sessions.statistics.evidence import CardReport, Caught
from sessions.statistics.intervals import Share
from sessions.store.errors import ExportError

ENDINGS = (".png", ".svg")

_WRONG, _RIGHT = "#b3261e", "#2e6f9e"
_ROW = 0.26
"""Inches for a line of the table."""

WIDTH = 11.0
"""Inches for the width of a group."""

_AROUND = 1.5
"""Inches for a group's title and axis."""

_TITLE = 80
"""Longest line above a group, in characters."""

_LONGEST = 68
"""Longest name of a line, in characters."""


def check_target(target: Path, *, force: bool) -> None:
    """Raise ExportError if no picture can be drawn there; call this before anything is counted."""
    if target.suffix.lower() not in ENDINGS:
        raise ExportError(f"{target.name} must end in .png or .svg.")
    refuse_existing(target, force=force)
    if not target.parent.is_dir():
        raise ExportError(f"There is no folder {target.parent} to write {target.name} to.")
    _matplotlib()


def draw(reports: Sequence[CardReport], target: Path, *, force: bool) -> None:
    """Draw all groups in one picture; raises ExportError."""
    held = [(report, [row for row in rows(report) if fires(row[1])]) for report in reports]
    with warnings.catch_warnings(), atomic_write(target, force=force) as stream:
        warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as a box
        figure = _figure([len(found) for _, found in held])
        for axes, (report, found) in zip(figure.axes, held, strict=True):
            _panel(axes, report, found)
        kind = target.suffix.lower()[1:]
        figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)


def draw_shares(
    what: str, shares: Sequence[tuple[str, Share]], target: Path, *, force: bool
) -> None:
    """Draw named shares with their intervals, one a line; raises ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "saber"
    figure = Figure(figsize=(9, len(shares) * _ROW + 1.2), layout="constrained")
    axes = figure.subplots()
    for place, (_, found) in enumerate(shares):
        if found.value is not None:
            axes.plot([100 * found.value], [place], "o", color=_RIGHT, markersize=5)
        if found.interval is not None:
            ends = [100 * found.interval.low, 100 * found.interval.high]
            axes.plot(ends, [place, place], color=_RIGHT, linewidth=1.5)
    axes.set_yticks(range(len(shares)), [short(name) for name, _ in shares], parse_math=False)
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.set_xlabel(f"{what}, % of the trials")
    axes.grid(axis="x", color="0.9")
    with atomic_write(target, force=force) as stream:
        figure.savefig(stream, format="svg", metadata={"Date": None})


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise ExportError("A plot needs matplotlib: install saber-console[plot].") from error
    return matplotlib


def _figure(sizes: Sequence[int]) -> Any:
    """Empty panels, each row as high as its lines need; the same input gives the same picture."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "saber"
    columns, in_rows = panel_layout(sizes)
    figure = Figure(figsize=(WIDTH * columns, sum(in_rows)), layout="constrained")
    if sizes:
        grid = figure.subplots(len(in_rows), columns, height_ratios=in_rows, squeeze=False)
        for empty in grid.flat[len(sizes) :]:
            empty.remove()
    return figure


def panel_layout(sizes: Sequence[int]) -> tuple[int, list[float]]:
    """The number of panels side by side, and the height of each row of panels in inches."""
    heights = [size * _ROW + _AROUND for size in sizes] or [1.0]
    columns = min(len(heights), math.ceil(math.sqrt(sum(heights) / WIDTH)))
    return columns, [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]


def _panel(axes: Any, report: CardReport, found: Sequence[tuple[str, Caught]]) -> None:
    """Draw one group: two dots with their intervals on every line."""
    places = range(len(found))
    for shift, colour, side in ((-0.14, _WRONG, "wrong"), (0.14, _RIGHT, "right")):
        label = f"on {side} changes"
        for place, (_, caught) in zip(places, found, strict=True):
            label = _dot(axes, place + shift, getattr(caught, side), colour, label)
    axes.set_yticks(list(places), [short(name) for name, _ in found], parse_math=False)
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("% of the changes, with 95 % intervals (Wilson)")
    left = sum(1 for _ in rows(report)) - len(found)
    more = [f"Not drawn: {quantity(left, 'line')} that no change has."] if left else []
    told = (line for sentence in (*counts(report), *more) for line in wrap(sentence, _TITLE))
    title = "\n".join((clean(report.name), *told))
    axes.set_title(title, loc="left", fontsize=9, parse_math=False)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    if handles := axes.get_legend_handles_labels()[0]:
        axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)


def _dot(axes: Any, height: float, found: Share, colour: str, label: str) -> str:
    """Draw a share with its interval, and return the label for the next one.

    Only the first of a colour is labelled, so that each colour is in the legend once.
    """
    if found.value is None or found.interval is None:
        return label
    low, high = found.interval.low, found.interval.high
    axes.plot([100 * low, 100 * high], [height, height], color=colour, linewidth=1.5)
    axes.plot([100 * found.value], [height], "o", color=colour, markersize=5, label=label)
    return "_nolegend_"


def short(text: str) -> str:
    """The name on one line, cut to the space that a picture has for it."""
    told = " ".join(clean(text).split())
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"
