"""Every figure of the tables of streams stands where it belongs, the right way round."""

from __future__ import annotations

from rich.table import Table

from agent.streaming.memory_growth import Growth
from agent.streaming.summary import ArmSummary
from console.reports.stream_tables import stream_tables
from sessions.statistics.intervals import Interval
from sessions.statistics.over_seeds import OverSeeds
from sessions.views import Expenses, RoleExpenses


def share(value: float, low: float | None = None, high: float = 1.0) -> OverSeeds:
    around = None if low is None else Interval(low, high, "student over seeds")
    return OverSeeds(value, around, 5, 60)


TOLD = ArmSummary(
    arm="learned",
    sessions=60,
    sisters=(share(0.74, 0.61, 0.87), share(0.6)),
    originals=(share(0.7), share(0.64)),
    by_variant={
        "parent": share(0.1), "simplified": share(0.9), "different": share(0.8),
        "complex": share(0.3),
    },
    along=tuple(share(place / 100) for place in range(1, 9)),
    memory=Growth((6.0, 7.0, 8.5), added=4, revised=3, omitted=2, execution=1),
    expenses=Expenses(agent=RoleExpenses(2, 300, 0.25)),
    deterministic=False,
)  # fmt: skip


def lines() -> dict[str, list[tuple[str, str]]]:
    """The one line of each table with its headings, by the heading of its first column."""
    found = {}
    for table in stream_tables([TOLD]):
        if isinstance(table, Table):
            headings = [str(each.header) for each in table.columns]
            cells = [str(next(iter(each.cells))) for each in table.columns]
            assert cells[0] == "learned"
            found[headings[0]] = list(zip(headings[1:], cells[1:], strict=True))
    return found


def test_every_figure_stands_under_its_heading() -> None:
    assert lines() == {
        "sisters": [("n", "60"), ("pass^1", "74.0 % (61 to 87)"), ("pass^2", "60.0 %")],
        "originals": [("n", "60"), ("pass^1", "70.0 %"), ("pass^2", "64.0 %")],
        "in a family": [
            ("parent", "10.0 %"), ("simplified", "90.0 %"), ("different", "80.0 %"),
            ("complex", "30.0 %"),
        ],
        "along the stream": [
            ("first 1/4", "2.0 %"), ("first 2/4", "4.0 %"), ("first 3/4", "6.0 %"),
            ("all of it", "8.0 %"),
        ],
        "entries": [
            ("at first", "6.0"), ("at the end", "8.5"), ("new", "4"), ("revised", "3"),
            ("nothing learned", "2"), ("agent's mistake", "1"),
        ],
        "expenses": [("tokens", "300"), ("cost", "$0.2500")],
    }  # fmt: skip
