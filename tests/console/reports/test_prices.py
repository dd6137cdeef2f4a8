from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from agent.headless.summary import summary
from console.reports.prices import price
from console.reports.run_tables import expenses_of_all, numbers
from console.reports.stats_tables import table
from sessions.statistics.report import report
from sessions.views import Expenses, RoleExpenses
from tests.sessions.statistics.rows import row

SPENDING = Expenses(
    agent=RoleExpenses(3, 1_200, 0.0125, 0),
    auxiliary=RoleExpenses(1, 200, None, 200),
    customer=RoleExpenses(2, 50, 0.5, 10),
)


def shown(what: RenderableType) -> str:
    console = Console(width=200, file=StringIO())
    with console.capture() as printed:
        console.print(what)
    return printed.get()


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (RoleExpenses(), "nothing"),
        (RoleExpenses(1, 10, None, 10), "price unknown"),
        (RoleExpenses(1, 10, 0.25, 0), "$0.2500"),
        (RoleExpenses(2, 20, 0.25, 10), "at least $0.2500"),
    ],
)
def test_a_price_that_is_not_wholly_known_says_so(spent: RoleExpenses, told: str) -> None:
    assert price(spent) == told


def test_statistics_tell_each_account_and_leave_out_what_was_not_asked() -> None:
    rows = [row(expenses=SPENDING), row(session="t", expenses=SPENDING), row(fork=True)]
    text = shown(table(report("clerk", rows)))
    lines = [line.split() for line in text.splitlines() if line.startswith("tokens")]
    assert [(line[1], line[2]) for line in lines] == [
        ("agent", "2,400"), ("auxiliary", "400"), ("customer", "100"),
    ]  # fmt: skip
    assert "its auxiliary model, 2 answers: price unknown" in text
    assert "the model that played the customer, 4 answers: at least $1.0000" in text


def test_a_runs_summary_tells_them_and_their_sum() -> None:
    nothing = summary("", [])
    assert "tokens" not in shown(numbers(nothing))
    assert list(expenses_of_all([nothing])) == []
    told = replace(nothing, expenses=SPENDING)
    text = shown(numbers(told))
    lines = [line.split() for line in text.splitlines() if line.startswith("tokens")]
    assert [(line[1], line[2]) for line in lines] == [
        ("agent", "1,200"), ("auxiliary", "200"), ("customer", "50"), ("all", "1,450"),
    ]  # fmt: skip
    (line,) = expenses_of_all([told, told])
    assert "customer 100 (at least $1.0000)" in shown(line)
