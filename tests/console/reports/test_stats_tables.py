"""Every figure of ``saber stats`` stands beside its own name: no two of them are alike here."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import pytest
from rich.console import Console

from console.reports.stats_tables import table
from sessions.statistics.attention import AttentionFacts
from sessions.statistics.card_facts import CardFacts
from sessions.statistics.distance import Actions
from sessions.statistics.report import report
from sessions.statistics.rewards import Rewards
from tests.sessions.statistics.rows import deviating, row

CARDS = CardFacts(
    shown=20, approved=7, rejected=5, changed=3, withdrawn=1, automatic=4, asked=2, twice=6,
    looks=(2_000,),
)  # fmt: skip


def lines(rows: list[Any]) -> dict[str, str]:
    """Each line's value by its name, from what is printed."""
    paper = io.StringIO()
    Console(width=200, file=paper).print(table(report("all", rows)))
    printed = [line.split("  ") for line in paper.getvalue().splitlines()]
    cells = [[part.strip() for part in line if part.strip()] for line in printed]
    return {line[0]: line[1] for line in cells if len(line) > 1}


def printed(rows: list[Any]) -> str:
    paper = io.StringIO()
    Console(width=200, file=paper).print(table(report("all", rows)))
    return " ".join(paper.getvalue().split())


def test_each_figure_stands_beside_its_own_name() -> None:
    rows = [
        row(
            session=f"{n} {trial}", scenario=f"{n}", began_at=f"2026-11-{28 - n}T12:00:00Z",
            rewards=Rewards(float(n < 5 - trial), float(n < 6), float(n < 8)), cards=CARDS, turns=8,
            actions=Actions(2, 3), messages=15, writes=10, writes_on_card=4, writes_in_words=5,
        )
        for n in range(10)
        for trial in (1, 2)
    ]  # fmt: skip
    found = lines(rows)
    expected = {
        "τ²-bench's reward": "35.0 %", "pass^1": "35.0 %", "pass^2": "30.0 %", "pass@2": "40.0 %",
        "τ-bench's classic": "60.0 %", "our verdict": "80.0 %", "mutating steps": "10.0 %",
        "mutating calls": "40.0 %", "cards per turn": "2.00", "approved": "43.8 %",
        "rejected": "31.2 %", "changed": "18.8 %", "withdrawn": "6.2 %", "asked about": "12.5 %",
        "asked twice": "37.5 %", "look time": "2.0 s", "not put to anyone": "80",
        "writes without yes": "10.0 %", "writes without a card": "60.0 %",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    text = printed(rows)
    assert "20 sessions: 20 trials of 10 tasks, 2026-11-19 to 2026-11-28" in text
    assert text.index("τ²-bench's reward") < text.index("τ-bench's classic")


def test_each_deviation_stands_beside_its_own_name() -> None:
    kinds = (
        # d_mut, d_non, decisive, at an end, right, how many
        (2, 1, "cancel", False, False, 4),
        (1, 0, "swap", False, False, 3),
        (0, 3, None, False, False, 2),
        (0, 0, None, True, False, 1),
        (0, 0, None, True, True, 5),
        (0, 1, None, True, True, 4),
        (1, 0, None, True, True, 1),
    )
    rows = [
        row(
            scenario=f"{kind} {n}", reward=float(right),
            deviations=deviating(mutating, other, decisive=decisive, at_an_end=at_an_end),
        )
        for kind, (mutating, other, decisive, at_an_end, right, many) in enumerate(kinds)
        for n in range(many)
    ]  # fmt: skip
    found = lines(rows)
    expected = {
        "d_mut": "0.60", "d_non": "0.70", "failed, d_mut > 0": "87.5 %",
        "failed, d_non > 0": "33.3 %", "failed, neither": "16.7 %", "decisive write": "70.0 %",
        "fell short": "20.0 %", "records right": "10.0 %",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert "cancel 4, swap 3" in printed(rows)


def test_sessions_are_counted_by_what_they_are() -> None:
    rows = [
        *(row(session=f"trial {n}") for n in range(5)),
        *(row(session=f"unscored {n}", reward=None) for n in range(4)),
        *(row(session=f"fork {n}", fork=True) for n in range(3)),
        *(row(session=f"fault {n}", ended="fault") for n in range(2)),
        row(session="failed", ended="agent_failure", reward=0.0),
    ]
    told = "15 sessions (4 not scored, 3 forked from another, 2 ended by a connection fault)"
    assert f"{told}: 6 trials of 1 task" in printed(rows)


def test_tasks_that_were_tried_more_or_less_often_are_told_from_the_fewest_to_the_most() -> None:
    rows = [
        *(row(scenario="often", session=f"{n}") for n in range(4)),
        *(row(scenario="seldom", session=f"s {n}") for n in range(2)),
    ]
    text = printed(rows)
    assert (
        "Tasks were tried 2 to 4 times: each counts equally in pass^k, and k goes up to 2." in text
    )
    assert "pass^2" in text
    assert "pass^3" not in text


def test_what_was_approved_beside_attention_checks_is_a_share_of_all_that_was_settled() -> None:
    checked = row(cards=CARDS, attention=AttentionFacts(caught=2, missed=1))
    found = report("all", [checked, row(cards=CARDS)]).attention
    assert found is not None
    assert (found.true_approved.count, found.true_approved.n) == (7, 16)


def test_an_odds_ratio_is_that_of_its_coefficient_and_lies_within_its_interval() -> None:
    rows = [
        row(
            scenario=f"{d_mut} {n}", reward=float(n < right), deviations=deviating(d_mut, n % 3)
        )
        for d_mut, right in enumerate((9, 6, 4, 1))
        for n in range(10)
    ]  # fmt: skip
    told = re.search(r"d_mut \(Firth\) (-\S+) \S+ (\S+) (\S+) to (\S+)", printed(rows))
    assert told is not None
    coefficient, odds, low, high = map(float, told.groups())
    assert odds == pytest.approx(math.exp(coefficient), abs=0.006)
    assert low < odds < high < 1
