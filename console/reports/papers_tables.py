"""The SABER paper's own deviations and its Table 1, as lines and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from console.reports.stats_lines import Line, estimate, plain, share
from sessions.statistics.as_the_paper import AsThePaper, TableRow
from sessions.statistics.regression import Coefficient, Regression

WHOSE = "SABER's count"


def papers_lines(found: AsThePaper) -> Iterator[Line]:
    """Yield what the paper counts, beside the lines of our stricter measure."""
    what = "mean calls of changing tools too many or too few compared with the task's own list"
    lines = (
        estimate(f"d_mut, {WHOSE}", found.mutating, "{:.2f}", what),
        estimate(f"d_non, {WHOSE}", found.non_mutating, "{:.2f}", "the same for other calls"),
        share("decisive, a change", found.decisive_changes,
              "failed, of trials whose first call off the task's list was a change"),
        share("decisive, a look-up", found.decisive_look_ups,
              "failed, of trials whose first call off it was a look-up"),
        share("failed, added none", found.without,
              "of trials whose calls are the list's, as far as they go"),
    )  # fmt: skip
    yield from (line for line in lines if line[3] != "0")


def first_table_parts(rows: Sequence[TableRow]) -> Iterator[RenderableType]:
    """Yield Table 1: how one more deviation changes the odds of success, by data set and model."""
    fitted = [(each, each.regression) for each in rows if isinstance(each.regression, Regression)]
    if not fitted:
        return
    yield Text(
        "SABER's Table 1: τ²-bench's reward on d_mut and d_non, both as the paper defines them"
    )
    grid = Table(box=None, pad_edge=False, show_edge=False)
    grid.add_column("data set, model")
    for heading in (
        "d_mut coef.", "odds ratio", "p", "d_non coef.", "odds ratio", "p", "n", "fit",
    ):  # fmt: skip
        grid.add_column(heading, justify="right", no_wrap=True)
    for each, found in fitted:
        fit = found.ordinary or found.firth
        by_name = {one.name: one for one in fit.coefficients}
        cells = [
            *_cells(by_name.get("d_mut"), found.enough_tasks),
            *_cells(by_name.get("d_non"), found.enough_tasks),
        ]
        method = "ordinary" if found.ordinary else "Firth"
        grid.add_row(plain(each.name), *map(plain, cells), Text(f"{found.n}"), Text(method))
    yield grid
    yield Text(
        "Settings are pooled. An odds ratio below 1: each deviation makes success less likely. "
        "Firth is used where the ordinary fit has no finite solution; p is in brackets where "
        "tasks are too few to allow for their trials being alike."
    )


def _cells(found: Coefficient | None, enough: bool) -> tuple[str, str, str]:
    if found is None:
        return "–", "–", "–"
    p = "<0.001" if found.p < 0.001 else f"{found.p:.3f}"
    return f"{found.estimate:.2f}", f"{found.odds_ratio:.2f}", p if enough else f"({p})"
