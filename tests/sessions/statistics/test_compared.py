"""Ways of control beside one another: what is counted, over which sessions, against which way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.control.experiment_arms import ARMS
from sessions.events import Safeguards
from sessions.statistics.card_facts import CardFacts
from sessions.statistics.compared import Way, compare, compare_groups, majority
from sessions.statistics.control import ControlFacts, Coupled
from sessions.statistics.facts import SessionFacts
from sessions.statistics.rewards import Rewards
from sessions.statistics.settings import safeguards_in_words, way_in_words
from sessions.views import Expenses, RoleExpenses
from tests.sessions.statistics.rows import row

AT_ONCE = ControlFacts(coupled=(Coupled(1, "the model's word"),))
LATER = ControlFacts(coupled=(Coupled(3, "Two are named", "look-ups"),))
NONE, ROUTED = "gate", "gate, control routed"


def way(name: str, earned: str, card: bool = True) -> Way:
    """A task for each word, a trial for each letter: 1 is the whole reward."""
    rows = [
        row(scenario=f"{task}", session=f"{task} {trial}", model="m", reward=float(each))
        for task, trials in enumerate(earned.split())
        for trial, each in enumerate(trials)
    ]
    return Way(name, card, rows)


def test_a_task_is_gained_where_it_passes_by_majority_and_did_not() -> None:
    first, second = compare(
        [way("a", "1110 1100 1111 0000"), way("b", "1100 0111 1110 0000")], None
    )
    assert (first.gained, first.lost, second.gained, second.lost) == ((), (), ("1",), ("0",))
    assert [(each.majority["all"].count, each.majority["all"].n) for each in (first, second)] == [
        (2, 4), (2, 4),
    ]  # fmt: skip


def test_a_pass_is_by_the_whole_reward_of_tau2_and_by_no_other() -> None:
    kinds = Rewards(1.0, 0.0, 0.0), Rewards(0.0, 1.0, 1.0)
    rows = [row(scenario=f"{n}", rewards=each) for n, each in enumerate(kinds)]
    assert [*majority(rows).values()] == [True, False]


def test_what_coupled_the_most_sessions_is_told_first() -> None:
    held = [
        row(scenario=f"{n}", session=f"{n}", control=ControlFacts((Coupled(2, what),)))
        for n, what in enumerate(["seldom", "so often", "so often", "at times", "so often"])
    ]
    (found,) = compare([Way("w", True, held)], None)
    assert [each.what for each in found.triggers] == ["so often", "at times", "seldom"]


def test_each_is_compared_with_the_first_that_has_the_card_like_it() -> None:
    ways = [way("a", "1 0"), way("b", "0 0", card=False), way("c", "1 1"), way("d", "1 0", False)]
    found = compare(ways, None)
    assert [(each.name, each.over) for each in found] == [
        ("a", "a"), ("b", "b"), ("c", "a"), ("d", "b"),
    ]  # fmt: skip
    assert (found[2].gained, found[3].gained) == (("1",), ("0",))


def test_tasks_in_focus_and_the_rest_make_up_all() -> None:
    (found,) = compare([way("a", "1 0 1 1")], {"1", "2"})
    told = {of: (each.count, each.n) for of, each in found.majority.items()}
    assert told == {"all": (3, 4), "focus": (1, 2), "rest": (2, 2)}
    assert [(each.of, each.tasks, each.sessions) for each in found.routed] == [
        ("all", 4, 4), ("focus", 2, 2), ("rest", 2, 2),
    ]  # fmt: skip


def test_coupled_sessions_are_told_by_class_and_when_and_what_for() -> None:
    held = [
        row(scenario="a", session="1", control=AT_ONCE),
        row(scenario="a", session="2", control=LATER),
        row(scenario="b", session="3", control=LATER),
        row(scenario="c", session="4"),
        row(scenario="c", session="5", control=AT_ONCE, fork=True),
        row(scenario="c", session="6", control=AT_ONCE, ended="fault"),
    ]
    (found,) = compare([Way("w", True, held)], {"a"})
    told = {
        each.of: (each.tasks, each.tasks_coupled, each.sessions, each.immediate, each.emergent)
        for each in found.routed
    }
    assert told == {"all": (3, 2, 4, 1, 2), "focus": (1, 1, 2, 1, 1), "rest": (2, 1, 2, 0, 1)}
    assert [(each.of, each.immediate, each.after, each.sessions) for each in found.triggers] == [
        ("focus", True, "words alone", 1),
        ("focus", False, "look-ups", 1),
        ("rest", False, "look-ups", 1),
    ]


def test_what_a_way_asks_for_is_a_mean_of_its_sessions() -> None:
    cards = CardFacts(4, 2, 1, 0, 0, 1, 0, 0, ())
    spent = Expenses(agent=RoleExpenses(2, 300, 0.25), customer=RoleExpenses(1, 100, 0.75))
    one = row(
        session="1", turns=4, messages=6, cards=cards, agreed_in_words=1, writes=2, seconds=8.0,
        calls={"look": 4, "take": 2}, expenses=spent, model="m",
    )  # fmt: skip
    other = row(session="2", scenario="2", turns=2, messages=2, calls={"look": 2}, writes=0)
    (found,) = compare([Way("w", True, [one, other])], None)
    own = found.overhead
    values = [
        each.value
        for each in (
            own.turns, own.agreed, own.messages, own.calls, own.writes, own.tools,
            own.calls_per_turn, own.cards_per_write, own.seconds, own.tokens, own.cost,
        )
    ]  # fmt: skip
    assert values == [3, 1.5, 4, 4, 1, 1.5, 8 / 6, 1.5, 8, 200, 1]
    assert dict(own.by_tool) == {"look": 3, "take": 1}
    assert own.turns.interval is not None


def test_code_that_plays_code_has_no_interval_anywhere() -> None:
    held = [row(scenario=f"{n}", turns=n, customer="scripted") for n in range(4)]
    (found,) = compare([Way("w", True, held)], None)
    assert (found.overhead.turns.value, found.overhead.turns.interval) == (1.5, None)
    assert found.majority["all"].interval is None


def stats(*rows: SessionFacts, focus: Any = None) -> list[tuple[str, list[str]]]:
    found = compare_groups(rows, lambda domain: focus)
    return [(name, [each.name for each in ways]) for name, ways in found]


def test_sessions_are_compared_where_they_differ_in_nothing_but_their_safeguards() -> None:
    routed, plain = row(safeguards=ROUTED), row(safeguards=NONE)
    assert stats(plain, row()) == []
    assert stats(routed, plain) == [("toy · clerk", ["none, card", "routed, card"])]
    both = row(safeguards="gate + reflection, control routed")
    assert stats(both, routed, plain)[0][1][2] == "routed+reflection, card"
    (alone,) = stats(routed, row(safeguards=NONE, customer="careful"))
    assert alone == ("toy · clerk · customer person", ["routed, card"])
    helped = row(safeguards=ROUTED, auxiliary="small")
    names = [name for name, _ in stats(routed, helped)]
    assert names == ["toy · clerk · second model none", "toy · clerk · second model small"]
    assert stats(routed, row(safeguards=NONE, model="gpt")) == [("toy · clerk", ["routed, card"])]


@given(st.booleans(), st.sampled_from([*ARMS]), st.sampled_from(["model", "rules"]))
def test_ways_are_called_what_an_ablation_calls_them(gate: bool, name: str, router: str) -> None:
    guards = Safeguards.model_validate({**ARMS[name], "gate": gate, "router": router})
    told = way_in_words(safeguards_in_words(guards))
    rest = "" if router == "model" else ", router rules"
    assert told == f"{name}, {'card' if gate else 'no card'}{rest}"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.booleans()), max_size=12))
def test_what_is_gained_one_way_is_lost_the_other(trials: list[tuple[str, bool, bool]]) -> None:
    ways = [
        Way(name, True, [row(scenario=task, reward=float(each[place])) for task, *each in trials])
        for place, name in enumerate("xy")
    ]
    (_, there), (_, back) = compare(ways, None), compare(ways[::-1], None)
    assert (there.gained, there.lost) == (back.lost, back.gained)
    gained = len(there.gained) - len(there.lost)
    assert there.majority["all"].count - back.majority["all"].count == gained


@pytest.mark.parametrize("focus", [None, set(), {"0"}])
def test_a_way_without_sessions_is_told_without_numbers(focus: Any) -> None:
    (found,) = compare([Way("w", True, [])], focus)
    assert found.majority["all"].value is None
    assert found.overhead.turns.value is None
    assert dict(found.overhead.by_tool) == {}
