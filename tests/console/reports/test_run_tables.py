"""Every figure of a run's tables stands where it belongs, the right way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.table import Table

import domains
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.summary import Played, gain, summary
from console.reports.reward_lines import CLASSIC, OURS, TAU2
from console.reports.run_basis import basis_sentences
from console.reports.run_tables import arms, by_model, customer_effort_table, faults, numbers
from sessions.events import Safeguards
from sessions.statistics.card_facts import CardFacts
from sessions.statistics.report import NO_SAMPLING, ORACLE
from sessions.statistics.rewards import Rewards
from sessions.views import Expenses, RoleExpenses
from tests.sessions.statistics.rows import deviating, row

BASE, SAFE = "none", "both"


def rows(table: Table) -> list[dict[str, str]]:
    """The table's lines by the headings of its columns; intervals under the heading before."""
    headings: list[str] = []
    for column in table.columns:
        name = str(column.header)
        headings.append(f"{headings[-1]}: {name}" if name.startswith("95 %") else name)
    return [dict(zip(headings, line, strict=True)) for line in zip(*_cells(table), strict=True)]


def _cells(table: Table) -> list[list[str]]:
    return [[str(cell) for cell in column.cells] for column in table.columns]


def session(arm: str, task: int, trial: int = 1, **more: Any) -> Played:
    facts = row(
        **{
            "session": f"{arm} {task} {trial}", "scenario": f"{task}", "model": "gpt",
            "customer": "a person's model", "deviations": deviating(), **more,
        }
    )  # fmt: skip
    return Played(arm, f"{task}", trial, 0, facts, "It broke." if more.get("ended") else "")


def alike(earned: bool) -> Rewards:
    return Rewards(float(earned), float(earned), float(earned))


def lopsided() -> list[Played]:
    """Ten tasks, of which the first arm earns two and the second seven; no two figures alike."""
    cards = CardFacts(4, 1, 2, 1, 0, 0, 0, 0, ())
    spent = Expenses(agent=RoleExpenses(2, 300, 0.25))
    base = [
        session(
            BASE, n, rewards=Rewards(float(n < 2), float(n < 3), float(n < 4)), writes=4,
            writes_on_card=1, writes_in_words=2, turns=3,
        )
        for n in range(10)
    ]  # fmt: skip
    safe = [
        session(
            SAFE, n, rewards=Rewards(float(n < 7), float(n < 8), float(n < 9)), cards=cards,
            writes=4, writes_on_card=3, writes_in_words=1, turns=5, expenses=spent,
        )
        for n in range(10)
    ]  # fmt: skip
    return [*base, *safe]


def told(found: Sequence[Played], *names: str) -> list[Any]:
    return [summary(name, found) for name in names]


def test_what_an_arm_gains_is_what_it_has_more_than_the_first() -> None:
    found = lopsided()
    first, second = rows(arms(told(found, BASE, SAFE), found))
    assert (first["safeguards"], second["safeguards"]) == (BASE, SAFE)
    assert (first["gain"], second["gain"]) == ("", "+50.0")
    low, high = map(float, second["gain: 95 % interval"].split(" to "))
    assert 0 < low < 50 < high
    other, _ = gain(SAFE, BASE, found), gain(BASE, SAFE, found)
    assert other.value == -0.5
    _, reversed_ = rows(arms(told(found, SAFE, BASE), found))
    assert reversed_["gain"] == "-50.0"
    low, high = map(float, reversed_["gain: 95 % interval"].split(" to "))
    assert low < -50 < high < 0


def test_pass_k_of_an_arm_is_that_of_its_own_tau2_rewards() -> None:
    found = [
        session(arm, n, trial, rewards=Rewards(float(n < most - trial), 1.0, 1.0))
        for arm, most in ((BASE, 4), (SAFE, 8))
        for n in range(10)
        for trial in (1, 2)
    ]
    first, second = rows(arms(told(found, BASE, SAFE), found))
    assert (first["pass^2"], second["pass^2"]) == ("20.0 %", "60.0 %")
    assert (first[TAU2], second[TAU2]) == ("25.0 %", "65.0 %")
    ours = [replace(each, facts=replace(each.facts, model=f"clerk+{each.trial}")) for each in found]
    assert "pass^2" not in rows(arms(told(ours, BASE, SAFE), ours))[0]


def test_each_reward_of_an_arm_stands_under_its_own_name() -> None:
    found = lopsided()
    first, second = rows(arms(told(found, BASE, SAFE), found))
    shares = [[line[name] for name in (TAU2, CLASSIC, OURS)] for line in (first, second)]
    assert shares == [["20.0 %", "30.0 %", "40.0 %"], ["70.0 %", "80.0 %", "90.0 %"]]
    assert (first["n"], second["n"]) == ("10", "10")
    assert first[f"{TAU2}: 95 % interval"] == "5.7 to 51.0"  # Wilson's of 2 of 10


def test_what_an_arm_asked_of_the_customer_stands_in_its_own_column() -> None:
    first, second = rows(customer_effort_table(told(lopsided(), BASE, SAFE)))
    assert list(first.values()) == [
        "none", "0.00", "–", "25.0 %", "75.0 %", "3.00", "0", "–",
    ]  # fmt: skip
    assert list(second.values()) == [
        "both", "4.00", "75.0 %", "0.0 %", "25.0 %", "5.00", "3,000", "$2.5000",
    ]  # fmt: skip


def test_the_numbers_of_a_run_stand_beside_their_names() -> None:
    found = [
        session(
            "", n, trial, rewards=Rewards(float(n < 5 - trial), float(n < 6), float(n < 8)),
            cards=CardFacts(4, 1, 2, 1, 0, 0, 0, 0, ()), writes=4, writes_on_card=2,
            writes_in_words=1, turns=trial, deviations=deviating(3),
        )
        for n in range(10)
        for trial in (1, 2)
    ]  # fmt: skip
    table = numbers(summary("", found))
    lines = {name: (value, n) for name, value, _, n in zip(*_cells(table), strict=True)}
    values = {name: value for name, (value, _) in lines.items()}
    assert values == {
        TAU2: "35.0 %", "pass^1": "35.0 %", "pass^2": "30.0 %", CLASSIC: "60.0 %", OURS: "80.0 %",
        "cards per session": "4.00", "cards declined": "75.0 %", "writes without yes": "25.0 %",
        "writes without a card": "50.0 %", "writes amiss per session": "3.00",
        "turns per session": "1.50", "ended by": "customer 20",
    }  # fmt: skip
    assert list(values)[:5] == [TAU2, "pass^1", "pass^2", CLASSIC, OURS]
    assert lines["pass^2"][1] == "10 × 2"
    assert lines[TAU2][1] == "20"


def test_endings_stand_in_the_order_of_their_names() -> None:
    found = [session("", 1, ended="turn_limit"), session("", 2, ended="customer")]
    assert list(summary("", found).ended) == ["customer", "turn_limit"]


def test_agents_are_told_apart_in_the_order_in_which_they_played() -> None:
    found = [
        session(arm, n, model=f"clerk+{mistake}", rewards=alike(n < most))
        for arm, mistake, most in (
            (BASE, "b", 1), (BASE, "a", 2), (SAFE, "b", 3), (SAFE, "a", 4)
        )
        for n in range(5)
    ]  # fmt: skip
    arms_ = (Arm(Safeguards(gate=False), BASE), Arm(Safeguards(), SAFE))
    (table,) = by_model(a_plan(arms=arms_), found)
    assert isinstance(table, Table)
    assert [list(line.values()) for line in rows(table)] == [
        ["clerk+b", "1 of 5", "3 of 5"],
        ["clerk+a", "2 of 5", "4 of 5"],
    ]


def test_what_broke_off_is_listed_under_what_it_is() -> None:
    found = [
        session("", 1, ended="fault"),
        session("", 2, ended="agent_failure"),
        session("", 3, ended="customer_failure"),
        session("", 4),
    ]
    lines = [str(line) for line in faults(found)]
    assert [bool(re.search("not counted", line)) for line in lines] == [True, *[False] * 5]
    assert ["1, trial 1" in lines[1], "2, trial 1" in lines[3], "3, trial 1" in lines[5]] == [
        True, True, True,
    ]  # fmt: skip


def a_plan(**more: Any) -> Plan:
    domain = domains.load("retail")
    fields: dict[str, Any] = {
        "scenarios": tuple(choose_scenarios(domain, "shoes-not-needed")), "model": "gpt",
        "customer": "scripted", "arms": (Arm(Safeguards()),), **more,
    }  # fmt: skip
    return Plan(domain, **fields)


@pytest.mark.parametrize(
    ("more", "said", "unsaid"),
    [
        ({}, [ORACLE, "its mistakes are its own"], [NO_SAMPLING, "planted"]),
        ({"model": "clerk+wrong-item"}, ["planted"], ["its own"]),
        ({"model": "clerk"}, ["not a language model"], ["planted"]),
        ({"customer": "careful"}, ["knows no expected ends"], [ORACLE]),
        ({"customer": "gpt-9"}, ["The customer is gpt-9"], [ORACLE]),
        ({"model": "clerk+all", "trials": 2}, ["no pass^k"], []),
    ],
)
def test_a_run_says_what_its_figures_rest_on(
    more: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    plan = a_plan(**more)
    found = [session("", n, customer=plan.customer) for n in range(4)]
    text = " ".join(basis_sentences(plan, told(found, "")))
    assert "Based on 4 tasks × 1 trial." in text
    assert all(part in text for part in said)
    assert not any(part in text for part in unsaid)


def test_code_that_plays_code_gets_no_interval_and_is_told() -> None:
    model = [session("", n, rewards=alike(n % 2 == 1)) for n in range(6)]
    code = [
        replace(each, facts=replace(each.facts, model="clerk", customer="scripted"))
        for each in model
    ]
    assert summary("", model).success.tau2.succeeded.interval is not None
    assert summary("", code).success.tau2.succeeded.interval is None
    assert summary("", code).cards_per_session.interval is None
    assert NO_SAMPLING in list(basis_sentences(a_plan(model="clerk"), [summary("", code)]))
    halves = [*code, *(replace(each, arm="b") for each in code[:3])]
    assert gain("", "b", halves).interval is None


def test_what_was_left_out_of_the_rewards_is_counted() -> None:
    rewards = Rewards(1.0, 1.0, 1.0, "left out")
    found = [
        session("", 1, rewards=rewards),
        session("", 2, rewards=rewards),
        session("", 3),
        session("", 4, ended="fault"),
    ]
    text = " ".join(basis_sentences(a_plan(), told(found, "")))
    assert "statements in words of 2 trials" in text
    assert "1 session ended by a connection fault" in text
