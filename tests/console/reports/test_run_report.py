"""What the report of a run tells beside its own tables: the paper's, and what tools declare."""

from __future__ import annotations

from dataclasses import replace

from agent.headless.summary import Played
from console.reports.run_report import markdown
from sessions.statistics.tool_judgements import Judgement
from tests.console.reports.test_run_tables import a_plan
from tests.sessions.statistics.test_as_the_paper import twenty

JUDGED = (
    Judgement("cancel", "second", True, True),
    Judgement("look", "second", False, True),
    Judgement("find", "second", False, False),
)


def told(*, judged: bool) -> str:
    rows = [*twenty("falls", [9, 6, 4, 1]), *twenty("rises", [1, 4, 6, 9])]
    found = [
        Played("", row.scenario or "", 1, 0, replace(row, judged=JUDGED if judged else ()), "")
        for row in rows
    ]
    return markdown(a_plan(), found, [])


def test_the_papers_first_table_has_a_line_for_each_model() -> None:
    text = told(judged=False)
    assert (
        text.index("## Deviations") < text.index("SABER's Table 1") < text.index("## What failed")
    )
    lines = [line.split(" | ") for line in text.splitlines() if line.startswith("| toy · ")]
    signs = {line[0].removeprefix("| toy · "): float(line[1]) > 0 for line in lines}
    assert signs == {"falls": False, "rises": True}
    assert "Which tools change anything" not in text


def test_how_far_a_second_model_agrees_with_what_tools_declare_is_told() -> None:
    text = told(judged=True)
    assert "## Which tools change anything" in text
    assert "of changes 80 of 80 agreed (100.0 %" in text
    assert "of look-ups 80 of 160 agreed (50.0 %" in text
    assert "| look | look-up | 0 | 80 | 0 |" in text
