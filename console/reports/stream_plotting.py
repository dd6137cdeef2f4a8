"""A picture of streams: by place in a family, along the stream, and how the memories grow."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from agent.streaming.summary import ArmSummary
from console.reports.reward_lines import TAU2
from sessions.exporting.writing import atomic_write
from sessions.statistics.over_seeds import OverSeeds

_SIZE = (13.0, 4.2)
"""Width and height in inches."""

_STYLES: tuple[dict[str, Any], ...] = (
    {"linestyle": "-", "linewidth": 3.0},
    {"linestyle": "--", "linewidth": 2.2},
    {"linestyle": ":", "linewidth": 2.2},
    {"linestyle": "-.", "linewidth": 1.2},
)
"""Styles that let overlapping lines be seen: an upper one leaves the lower one visible."""


def draw_streams(told: Sequence[ArmSummary], target: Path, *, force: bool) -> None:
    """Draw all arms into each of three panels; raises ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    matplotlib.rcParams["svg.hashsalt"] = "saber"
    figure = Figure(figsize=_SIZE, layout="constrained")
    families, along, entries = figure.subplots(1, 3)
    for each, style in zip(told, cycle(_STYLES), strict=False):
        _in_families(families, each, style)
        _along(along, each, style)
        _entries(entries, each, style)
    entries.yaxis.set_major_locator(MaxNLocator(integer=True))
    families.set_ylabel(f"{TAU2}, % of the sessions")
    families.set_xlabel("place in a family")
    along.set_xlabel("sessions so far")
    entries.set_xlabel("updates so far")
    entries.set_ylabel("entries in force")
    for axes in (families, along):
        axes.set_ylim(-3, 103)
    for axes in figure.axes:
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
    figure.legend(
        *families.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8
    )
    with warnings.catch_warnings(), atomic_write(target, force=force) as stream:
        warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as a box
        figure.savefig(stream, format="svg", metadata={"Date": None})


def _in_families(axes: Any, told: ArmSummary, style: dict[str, Any]) -> None:
    named = [(name, each) for name, each in told.by_variant.items() if each.value is not None]
    shares = [each for _, each in named]
    line = _percent_line(
        axes, [name for name, _ in named], shares, label=told.arm, marker="o", **style
    )
    for place, each in enumerate(shares):
        if each.interval is not None:
            ends = [100 * each.interval.low, 100 * each.interval.high]
            axes.plot([place, place], ends, color=line.get_color(), linewidth=1)


def _along(axes: Any, told: ArmSummary, style: dict[str, Any]) -> None:
    _percent_line(axes, range(1, len(told.along) + 1), told.along, **style)


def _percent_line(axes: Any, places: Any, shares: Sequence[OverSeeds], **style: Any) -> Any:
    (line,) = axes.plot(list(places), [100 * (each.value or 0.0) for each in shares], **style)
    return line


def _entries(axes: Any, told: ArmSummary, style: dict[str, Any]) -> None:
    """Draw an arm's entries; an arm without a memory gets no line but still takes a colour."""
    entries = () if told.memory is None else told.memory.entries
    axes.plot(range(len(entries)), entries, drawstyle="steps-post", **style)
