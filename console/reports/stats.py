"""What ``saber stats`` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from console.reports.control_tables import control_parts
from console.reports.papers_tables import first_table_parts
from console.reports.review_tables import ABOUT, all_reviews
from console.reports.stats_lines import plain
from console.reports.stats_tables import table
from sessions.statistics.as_the_paper import TableRow
from sessions.statistics.compared import Compared
from sessions.statistics.facts import SessionFacts
from sessions.statistics.findings import Report
from sessions.statistics.intervals import CONFIDENCE, DRAWS, SEED
from sessions.statistics.reviewing import Reviews, reviews

WIDTH = 120
"""Columns of the output if it does not go to a terminal."""


Controlled = Sequence[tuple[str, Sequence[Compared]]]
"""Groups that differ only in their safeguards, by name, if any has routed control."""


def show(
    reports: Sequence[Report],
    rows: Sequence[SessionFacts],
    by_model: Sequence[TableRow],
    controlled: Controlled = (),
) -> None:
    """Print the tables."""
    print_group(tables(reports, _together(reports, rows), by_model, controlled))


def print_group(found: Group) -> None:
    """Print tables as wide as the terminal, or at a fixed width without one."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    console.print(found)


def _together(reports: Sequence[Report], rows: Sequence[SessionFacts]) -> Reviews | None:
    """The reviews of all groups, or None if fewer than two groups have any.

    How far people agree depends on the people, whichever agents they looked at.
    """
    several = sum(each.reviews is not None for each in reports) > 1
    return reviews(row.reviewed for row in rows) if several else None


def as_object(
    reports: Sequence[Report],
    rows: Sequence[SessionFacts],
    by_model: Sequence[TableRow],
    controlled: Controlled = (),
) -> dict[str, Any]:
    """The reports, the sessions they were made from, and how to reproduce the numbers."""
    sessions = [
        {
            **asdict(row),
            "success": row.success,
            "right": row.right,
            "trial": row.counts,
            "writes_without_yes": row.writes_without_yes,
            "writes_without_card": row.writes_without_card,
        }
        for row in rows
    ]
    together = reviews(row.reviewed for row in rows)
    found: dict[str, Any] = _finite(
        {
            "groups": [asdict(each) for each in reports],
            "reviews": asdict(together) if together else None,
            "table_1": [asdict(each) for each in by_model],
            "control": [
                {"group": name, "ways": [asdict(each) for each in found]}
                for name, found in controlled
            ],
            "sessions": sessions,
            "confidence": CONFIDENCE,
            "draws": DRAWS,
            "seed": SEED,
            "versions": versions(),
        }
    )
    return found


def versions() -> dict[str, str]:
    """The versions of the programs that computed the numbers."""
    return {name: version(name) for name in ("saber-console", "numpy", "scipy", "firthmodels")}


def _finite(value: Any) -> Any:
    """The value with None for infinite numbers, which JSON cannot represent."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def tables(
    reports: Iterable[Report],
    together: Reviews | None = None,
    by_model: Sequence[TableRow] = (),
    controlled: Controlled = (),
) -> Group:
    """All groups, the reviews of all together, the paper's Table 1, and the ways of control.

    The footnote says what is true of every number in them.
    """
    groups = list(reports)
    about = f"{ABOUT} " if any(each.reviews for each in groups) else ""
    return Group(
        *(table(each) for each in groups),
        *((all_reviews(together),) if together else ()),
        *first_table_parts(by_model),
        *_control_parts(controlled),
        Text(f"{about}{footnote()}", style="dim"),
    )


def _control_parts(controlled: Controlled) -> Iterator[RenderableType]:
    for name, found in controlled:
        yield Text("")
        yield plain(f"Ways of control: {name}", style="bold")
        yield from control_parts(found)


def footnote() -> str:
    """What the intervals are, and how to reproduce them."""
    return (
        "Intervals hold the truth 95 times in 100. Rewards, writes, means, medians, pass^k and "
        f"pass@k: a bootstrap over tasks ({DRAWS:,} draws, 2,000 for the median, seed {SEED}), or "
        "Wilson's over tasks where all tasks agree or were tried once. Other shares: Wilson's. A "
        "session without a scenario is a task of its own. Only scored sessions that no "
        "connection fault (network, provider, key) ended count as trials; forks never count. "
        f"Computed with {', '.join(f'{name} {each}' for name, each in versions().items())}."
    )
