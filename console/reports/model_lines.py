"""What the models did, as lines and tables: latency, failures, and agreement with tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median, quantiles

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from console.reports.stats_lines import NOTHING, Line, around, percent, plain
from domains.text.quantity import quantity
from sessions.statistics.intervals import Share
from sessions.statistics.tool_judgements import Agreement
from sessions.statistics.waits import BY_RULES, Waits


def waiting_lines(found: Mapping[str, Waits]) -> Iterator[Line]:
    """Yield a line for each role: its answers' median, their 95th percentile, and what was late."""
    for role, each in found.items():
        if not each.milliseconds:
            value, most = NOTHING, "no answer"
        else:
            value = _seconds(median(each.milliseconds))
            most = f"95 of 100 within {_seconds(_most(each))}"
        missing = "".join(
            f"; {number} {what}"
            for number, what in ((each.late, "too late"), (each.failed, "failed"))
            if number
        )
        rules = "; rules did that work" if missing and role in BY_RULES else ""
        yield f"latency, {role}", value, NOTHING, f"{each.asked_count}", f"{most}{missing}{rules}"


def too_slow(found: Mapping[str, Waits]) -> Iterator[str]:
    """Yield a sentence if the second model did not do all of its work."""
    own = [each for role, each in found.items() if role in BY_RULES]
    asked, late, failed = (
        sum(numbers)
        for numbers in zip(*((e.asked_count, e.late, e.failed) for e in own), strict=True)
    ) if own else (0, 0, 0)  # fmt: skip
    if late or failed:
        why = " and ".join(
            f"{number} {what}"
            for number, what in ((late, "came too late"), (failed, "failed"))
            if number
        )
        yield (
            f"Of {quantity(asked, 'answer')} of the second model {why}: "
            "rules did that work instead."
        )


def agreement_parts(found: Agreement | None) -> Iterator[RenderableType]:
    """Yield how far the second model agrees with what tools declare, tool by tool."""
    if found is None:
        return
    yield plain(
        f"Does a tool change anything? Judged by {', '.join(found.by)}, compared with what tools "
        f"declare: of changes {_agrees(found.changes)}, of look-ups {_agrees(found.look_ups)}."
    )
    grid = Table(box=None, pad_edge=False, show_edge=False)
    for place, heading in enumerate(("tool", "declared", "agreed", "of", "unusable")):
        grid.add_column(heading, justify="right" if place > 1 else "left")
    for each in found.tools:
        declared = "change" if each.declared else "look-up"
        cells = (each.tool, declared, f"{each.agreed}", f"{each.said}", f"{each.unusable}")
        grid.add_row(*(plain(cell) for cell in cells))
    yield grid
    yield Text("Its verdicts were only counted and decided nothing: what a tool declares holds.")


def _agrees(found: Share) -> str:
    if found.value is None:
        return "none was judged"
    return f"{found.count} of {found.n} agreed ({percent(found.value)}, {around(found.interval)})"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.2f} s"


def _most(found: Waits) -> float:
    """The 95th percentile of the answer times."""
    if len(found.milliseconds) == 1:
        return found.milliseconds[0]
    return quantiles(found.milliseconds, n=20, method="inclusive")[-1]
