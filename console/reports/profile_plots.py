"""Pictures of how ways of control talk and which tools they call: means with intervals.

(Difficulty-routed control, section 5.3: dialogue overhead and tool-use profile.)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from console.reports.plotting import short
from sessions.exporting.writing import atomic_write
from sessions.statistics.compared import Compared
from sessions.statistics.intervals import Estimate
from sessions.statistics.overhead import Overhead, tools_by_calls

_COLOURS = (
    "#2e6f9e", "#b3261e", "#3b7d3b", "#8a5a00", "#6a4c93", "#00798c", "#8c564b", "#555555",
)  # fmt: skip
_ROW = 0.3
"""Inches for a way in a panel."""

_BAR = 0.11
"""Inches for a bar."""

_AROUND = 1.2
"""Inches for titles and axes."""


def draw_dialogue(found: Sequence[Compared], target: Path, *, force: bool) -> None:
    """Draw a panel for each measure, with a line for each way.

    Raises ImportError without matplotlib.
    """
    figure = _figure(12.0, len(found) * _ROW + _AROUND)
    measures = _measures([each.overhead for each in found])
    panels = figure.subplots(1, len(measures), sharey=True, squeeze=False)[0]
    for axes, (title, values) in zip(panels, measures, strict=True):
        for place, value in enumerate(values):
            _dot(axes, place, value, _COLOURS[place % len(_COLOURS)])
        axes.set_title(title, fontsize=9)
        axes.set_xlim(0, 1.1 * (max(map(_end, values), default=0) or 1))
        axes.grid(axis="x", color="0.9")
        axes.set_axisbelow(True)
        axes.tick_params(labelsize=8)
    told = any(value.interval for _, values in measures for value in values)
    lines = "; lines: 95 % intervals, tasks resampled" if told else ""
    figure.supxlabel(f"means per session{lines}", fontsize=9)
    names = [short(each.name) for each in found]
    panels[0].set_yticks(range(len(found)), names, parse_math=False)
    panels[0].set_ylim(len(found) - 0.5, -0.5)
    _save(figure, target, force=force)


def draw_tools(found: Sequence[Compared], target: Path, *, force: bool) -> None:
    """Draw bars for each tool, one for each way; raises ImportError without matplotlib."""
    tools = tools_by_calls([each.overhead for each in found])
    figure = _figure(9.0, len(tools) * (len(found) * _BAR + 0.12) + _AROUND)
    axes = figure.subplots()
    step = 0.8 / max(1, len(found))
    for place, way in enumerate(found):
        heights = [row - 0.4 + (place + 0.5) * step for row in range(len(tools))]
        calls = [way.overhead.by_tool.get(tool, 0.0) for tool in tools]
        colour = _COLOURS[place % len(_COLOURS)]
        axes.barh(heights, calls, height=0.9 * step, color=colour, label=short(way.name))
    axes.set_yticks(range(len(tools)), [short(each) for each in tools], parse_math=False)
    axes.set_ylim(len(tools) - 0.5, -0.5)
    axes.set_xlabel("calls of a session, mean")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    legend = axes.legend(loc="lower right", fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)
    _save(figure, target, force=force)


def _measures(found: Sequence[Overhead]) -> list[tuple[str, list[Estimate]]]:
    return [
        ("the customer's turns", [each.turns for each in found]),
        ("the customer's yeses", [each.agreed for each in found]),
        ("the agent's messages", [each.messages for each in found]),
        ("calls", [each.calls for each in found]),
        ("calls for a turn", [each.calls_per_turn for each in found]),
        ("seconds", [each.seconds for each in found]),
    ]


def _dot(axes: Any, place: int, found: Estimate, colour: str) -> None:
    if found.value is None:
        return
    axes.plot([found.value], [place], "o", color=colour, markersize=5)
    if found.interval is not None:
        ends = [found.interval.low, found.interval.high]
        axes.plot(ends, [place, place], color=colour, linewidth=1.5)


def _end(found: Estimate) -> float:
    """The right end of the dot or its interval."""
    return found.interval.high if found.interval is not None else found.value or 0.0


def _figure(width: float, height: float) -> Any:
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "saber"
    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, target: Path, *, force: bool) -> None:
    with atomic_write(target, force=force) as stream:
        figure.savefig(stream, format=target.suffix[1:], metadata=_NO_DATE.get(target.suffix))


_NO_DATE = {".svg": {"Date": None}}
"""Settings that give the same picture every time."""
