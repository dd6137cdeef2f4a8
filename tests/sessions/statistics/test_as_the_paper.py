from __future__ import annotations

import re

import pytest
from rich.console import Console, Group

from console.reports.papers_tables import first_table_parts, papers_lines
from sessions.statistics.as_the_paper import as_the_paper, first_table
from sessions.statistics.distance import Deviations, Distance, PapersDeviation
from sessions.statistics.facts import SessionFacts
from sessions.statistics.regression import Regression
from tests.sessions.statistics.rows import row

CHANGE, LOOK_UP, NONE = ("cancel", True), ("get_order", False), (None, False)


def held(
    mutating: int, other: int, departure: tuple[str | None, bool], *, success: bool, **more: object
) -> SessionFacts:
    """A session by the paper's measure; by ours it deviates in nothing."""
    return row(
        reward=float(success),
        deviations=Deviations(
            Distance(0, 0), None, None, True, False,
            PapersDeviation(Distance(mutating, other), *departure),
        ),
        **more,
    )  # fmt: skip


def test_each_departure_is_counted_under_its_own_kind() -> None:
    rows = [
        *(held(1, 0, CHANGE, success=False) for _ in range(3)),
        held(0, 0, CHANGE, success=True),
        held(0, 4, LOOK_UP, success=False),
        *(held(0, 2, LOOK_UP, success=True) for _ in range(2)),
        held(2, 0, NONE, success=False),
        row(reward=0.0),
    ]
    found = as_the_paper(rows)
    shares = (found.decisive_changes, found.decisive_look_ups, found.without)
    assert [(each.count, each.n) for each in shares] == [(3, 4), (1, 3), (1, 1)]
    assert found.mutating.value == pytest.approx(5 / 8)
    assert found.non_mutating.value == pytest.approx(1)
    told = {line[0]: (line[1], line[3]) for line in papers_lines(found)}
    assert told["decisive, a change"] == ("75.0 %", "4")
    assert told["decisive, a look-up"] == ("33.3 %", "3")
    assert told["failed, added none"] == ("100.0 %", "1")
    assert told["d_mut, SABER's count"][0] == "0.62"
    assert told["d_non, SABER's count"][0] == "1.00"


def twenty(model: str, odds: list[int]) -> list[SessionFacts]:
    """Sessions of forty tasks; of each d_mut from 0 on so many in ten come out right."""
    return [
        held(
            d_mut, place % 3, CHANGE, success=place < right, model=model,
            scenario=f"{model}-{d_mut}-{place}",
        )
        for d_mut, right in enumerate(odds)
        for place in range(10)
    ]  # fmt: skip


def test_the_first_table_has_a_line_for_each_model_and_keeps_every_sign() -> None:
    rows = [*twenty("falls", [9, 6, 4, 1]), *twenty("rises", [1, 4, 6, 9])]
    table = first_table(rows)
    assert [each.name for each in table] == ["toy · falls", "toy · rises"]
    console = Console(width=120, record=True)
    console.print(Group(*first_table_parts(table)))
    told = console.export_text()
    lines = {
        name: re.findall(r"-?\d+\.\d+|<0\.001", line)
        for name in ("falls", "rises")
        for line in told.splitlines()
        if name in line
    }
    for name, each in zip(("falls", "rises"), table, strict=True):
        found = each.regression
        assert isinstance(found, Regression)
        assert found.ordinary is not None
        d_mut, d_non = (
            next(one for one in found.ordinary.coefficients if one.name == what)
            for what in ("d_mut", "d_non")
        )
        assert (d_mut.estimate < 0) == (name == "falls")
        assert lines[name][:2] == [f"{d_mut.estimate:.2f}", f"{d_mut.odds_ratio:.2f}"]
        assert lines[name][3:5] == [f"{d_non.estimate:.2f}", f"{d_non.odds_ratio:.2f}"]
        assert f" {found.n} " in next(line for line in told.splitlines() if name in line)
