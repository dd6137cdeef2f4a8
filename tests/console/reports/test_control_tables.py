"""Every figure about ways of control stands where it belongs: no two of them are alike here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.table import Table

from console.reports.control_tables import control_parts
from console.reports.stats import as_object, tables
from sessions.statistics.card_facts import CardFacts
from sessions.statistics.compared import Compared, Way, compare, compare_groups
from sessions.statistics.control import ControlFacts, Coupled
from sessions.statistics.report import reports
from sessions.views import Expenses, RoleExpenses
from tests.console.commands.test_stats import printed_parts
from tests.console.reports.test_run_tables import rows
from tests.sessions.statistics.rows import row

NONE, ROUTED = "gate", "gate, control routed"
DID = ControlFacts(
    coupled=(Coupled(1, "a person"),),
    outcomes={
        "kept": 11, "revised": 7, "asked": 5, "blocked": 3, "unverified": 2, "withheld": 1,
    },
    guards={"It is seen": 4, "It is theirs": 6},
    nudges=8,
    malformed=9,
)  # fmt: skip
LATER = ControlFacts(coupled=(Coupled(2, "More than one", "look-ups"),))
CARDS = CardFacts(9, 5, 1, 1, 0, 0, 0, 0, ())


def two_ways(focus: Any = ("0", "1", "2", "3")) -> list[Compared]:
    """Ten tasks; without control the first five pass, with it all but the first two."""
    spent = Expenses(agent=RoleExpenses(2, 3000, 0.5))
    plain = [
        row(scenario=f"{n}", session=f"p{n}", model="m", reward=float(n < 5), safeguards=NONE,
            turns=2, messages=3, calls={"look": 1}, seconds=7.0)
        for n in range(10)
    ]  # fmt: skip
    routed = [
        row(scenario=f"{n}", session=f"r{n}", model="m", reward=float(n >= 2), safeguards=ROUTED,
            turns=4, messages=6, calls={"look": 5, "take": 3}, seconds=31.0, expenses=spent,
            cards=CARDS, agreed_in_words=4, writes=3,
            control=DID if n == 0 else LATER if n in (1, 5, 6) else ControlFacts())
        for n in range(10)
    ]  # fmt: skip
    return compare([Way("none", True, plain), Way("routed", True, routed)], focus)


def shown(found: list[Compared]) -> dict[str, list[dict[str, str]]]:
    """The lines of each table, by its second heading and its third."""
    grids = [each for each in control_parts(found) if isinstance(each, Table)]
    return {", ".join(str(one.header) for one in each.columns[1:3]): rows(each) for each in grids}


def test_majorities_gains_and_losses_stand_in_their_columns() -> None:
    first, second = shown(two_ways())["tasks passed, in focus"]
    assert list(first.values()) == ["none", "5/10 (50%)", "4/4 (100%)", "1/6 (17%)", "–", "–"]
    assert list(second.values()) == ["routed", "8/10 (80%)", "2/4 (50%)", "6/6 (100%)", "5", "2"]
    words = [str(each) for each in control_parts(two_ways())]
    assert "routed, over none: gained 5, 6, 7, 8, 9; lost 0, 1." in words


def test_routes_are_told_by_class_of_task_and_of_routed_ways_alone() -> None:
    routes = shown(two_ways())["tasks, how many"]
    assert [list(each.values()) for each in routes] == [
        ["routed", "all", "10", "4", "10", "1", "3", "9"],
        ["", "in focus", "4", "2", "4", "1", "1", ""],
        ["", "the rest", "6", "2", "6", "0", "2", ""],
    ]


def test_what_coupled_them_is_told_with_when_and_how_often() -> None:
    assert [list(each.values()) for each in shown(two_ways())["tasks, coupled"]] == [
        ["routed", "in focus", "at the start", "the first words", "a person", "1"],
        ["routed", "in focus", "later", "look-ups", "More than one", "1"],
        ["routed", "the rest", "later", "look-ups", "More than one", "2"],
    ]


def test_verdicts_stand_under_their_names() -> None:
    (line,) = shown(two_ways())["changes checked, kept"]
    assert line == {
        "way of control": "routed", "changes checked": "29", "kept": "11", "revised": "7",
        "asked": "5", "blocked": "3", "unverified": "2", "withheld": "1", "sent on": "8",
    }  # fmt: skip


def test_guards_are_told_by_name() -> None:
    grids = [each for each in control_parts(two_ways()) if isinstance(each, Table)]
    guards = next(each for each in grids if "guard" in str(each.columns[0].header))
    assert [list(each.values()) for each in rows(guards)] == [
        ["It is seen", "4"],
        ["It is theirs", "6"],
    ]


def test_what_each_way_asks_for_stands_in_its_own_column() -> None:
    first, second = shown(two_ways())["sessions, turns"]
    assert first == {
        "way of control": "none", "sessions": "10", "turns": "2.00", "times agreed": "0.00",
        "messages": "3.00", "cards a change": "0.00", "seconds": "7.00", "tokens": "0", "cost": "–",
    }  # fmt: skip
    assert second == {
        "way of control": "routed", "sessions": "10", "turns": "4.00", "times agreed": "9.00",
        "messages": "6.00", "cards a change": "3.00", "seconds": "31.00", "tokens": "3,000",
        "cost": "$0.5000",
    }  # fmt: skip


def test_what_each_way_does_with_tools_stands_in_its_own_column() -> None:
    first, second = shown(two_ways())["calls, calls a turn"]
    assert list(first.values()) == ["none", "1.00", "0.50", "1.00", "1.00"]
    assert second == {
        "way of control": "routed", "calls": "8.00", "calls a turn": "2.00", "changes": "3.00",
        "different tools": "2.00",
    }  # fmt: skip


def test_calls_are_told_by_tool_the_most_called_first() -> None:
    grids = [each for each in control_parts(two_ways()) if isinstance(each, Table)]
    assert [list(each.values()) for each in rows(grids[-1])] == [
        ["look", "1.00", "5.00"],
        ["take", "0.00", "3.00"],
    ]


def test_without_a_focus_set_there_are_no_classes_and_without_routing_no_routes() -> None:
    first, _ = shown(two_ways(None))["tasks passed, in focus"]
    assert (first["in focus"], first["the rest"]) == ("–", "–")
    plain = [replace(each, is_routed=False) for each in two_ways()]
    assert [*shown(plain)] == [
        "tasks passed, in focus", "sessions, turns", "calls, calls a turn", "none, routed",
    ]  # fmt: skip


def test_the_statistics_tell_them_after_the_groups_and_in_json() -> None:
    held = [row(safeguards=NONE), row(safeguards=ROUTED, control=DID)]
    controlled = compare_groups(held, lambda domain: None)
    text = printed_parts(tables(reports(held), None, (), controlled))
    assert text.index("toy · clerk · gate") < text.index("Ways of control: toy · clerk")
    assert "routed, card 1/1 (100%)" in text
    told = as_object(reports(held), held, [], controlled)["control"]
    assert [each["group"] for each in told] == ["toy · clerk"]
    assert told[0]["ways"][1]["did"]["outcomes"]["kept"] == 11
