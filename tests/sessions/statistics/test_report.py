from __future__ import annotations

from dataclasses import replace

import pytest

from sessions.statistics.card_facts import CardFacts
from sessions.statistics.distance import Actions
from sessions.statistics.grouping import By, groups
from sessions.statistics.regression import NoRegression, Regression
from sessions.statistics.report import NO_SAMPLING, ORACLE, report, reports
from sessions.statistics.rewards import Rewards
from tests.sessions.statistics.rows import deviating, row


def test_success_is_counted_over_trials_and_everything_else_is_named() -> None:
    rows = [
        row(session="a"),
        row(session="b", reward=0.0),
        row(session="c", reward=None),
        row(session="d", fork=True),
        row(session="e", ended="fault", reward=0.0),
    ]
    found = report("all", rows)
    counted = found.counted
    assert (counted.sessions, counted.trials, counted.tasks) == (5, 2, 1)
    assert (counted.not_scored, counted.forks, counted.faults) == (1, 1, 1)
    succeeded = found.success.tau2.succeeded
    assert (succeeded.count, succeeded.n) == (1, 2)
    assert [each.k for each in found.success.tau2.reliability] == [1, 2]
    assert found.success.tau2.reliability[1].all_succeed == 0
    assert found.success.tau2.reliability[1].any_succeeds == 1


def test_k_ends_with_the_fewest_trials_of_a_task_and_a_remark_says_so() -> None:
    rows = [row(scenario="one"), *(row(scenario="two", session=f"{each}") for each in range(5))]
    found = report("all", rows)
    assert [each.k for each in found.success.tau2.reliability] == [1]
    assert any("1 to 5 times" in remark for remark in found.remarks)


def test_sessions_that_nobody_scored_have_no_reliability_and_no_regression() -> None:
    found = report("all", [row(reward=None, scenario=None)])
    assert found.success.tau2.succeeded.value is None
    assert found.success.tau2.reliability == ()
    assert isinstance(found.deviating.regression, NoRegression)
    assert found.deviating.mutating.value is None


def test_steps_are_calls_and_messages_and_forks_repeat_none() -> None:
    rows = [row(actions=Actions(2, 5), messages=3), row(actions=Actions(9, 9), fork=True)]
    steps = report("all", rows).steps
    assert (steps.mutating.count, steps.mutating.n) == (2, 10)
    assert (steps.mutating_calls.count, steps.mutating_calls.n) == (2, 7)


def test_cards_are_counted_by_what_became_of_them() -> None:
    one = CardFacts(
        shown=6, approved=2, rejected=1, changed=1, withdrawn=0, automatic=1, asked=2, twice=1,
        looks=(1_000, 3_000, 8_000),
    )  # fmt: skip
    two = CardFacts(
        shown=2, approved=1, rejected=0, changed=0, withdrawn=1, automatic=0, asked=0, twice=0,
        looks=(5_000,),
    )  # fmt: skip
    burden = report("all", [row(cards=one, turns=4), row(cards=two, scenario="two")]).burden
    assert burden.cards_per_turn.value == pytest.approx(7 / 6)
    assert (burden.cards_per_turn.n, burden.cards_per_turn.tasks) == (6, 2)
    assert burden.cards_per_turn.interval is not None
    assert (burden.approved.count, burden.approved.n) == (3, 6)
    assert (burden.asked.count, burden.asked.n) == (2, 7)
    assert burden.look.value == pytest.approx(4.0)
    assert burden.automatic == 1


def test_writes_without_a_yes_are_a_share_of_all_writes() -> None:
    rows = [row(writes=4, writes_on_card=2, writes_in_words=1), row(writes=1, writes_on_card=1)]
    consent = report("all", rows).consent
    assert (consent.without_yes.count, consent.without_yes.n) == (1, 5)
    assert (consent.without_card.count, consent.without_card.n) == (2, 5)
    assert (consent.on_card, consent.in_words) == (3, 1)


def test_failures_are_told_by_what_the_session_deviated_in() -> None:
    rows = [
        row(deviations=deviating()),
        row(reward=0.0, deviations=deviating()),
        row(deviations=deviating(0, 2)),
        row(reward=0.0, deviations=deviating(1, 2, decisive="cancel", at_an_end=False)),
        row(reward=0.0, deviations=deviating(2, 0, decisive="cancel", at_an_end=False)),
        row(reward=0.0, deviations=deviating(1, 0, at_an_end=False)),
        row(reward=1.0),
    ]
    found = report("all", rows).deviating
    assert found.compared == 6
    assert found.mutating.value == pytest.approx(4 / 6)
    told = [found.failed_with_mutating, found.failed_with_non_mutating_only, found.failed_without]
    assert [(each.count, each.n) for each in told] == [(3, 3), (0, 1), (1, 2)]
    assert (found.decisive.count, found.fell_short.count, found.decisive.n) == (2, 1, 4)
    assert (found.records_right.count, found.records_right.n) == (1, 4)
    assert found.decisive_tools == (("cancel", 2),)


def test_the_regression_is_over_the_trials_that_could_be_compared() -> None:
    right = [row(scenario=f"r{n}", deviations=deviating(0, n % 3)) for n in range(10)]
    wrong = [row(scenario=f"w{n}", reward=0.0, deviations=deviating(1, n % 3)) for n in range(10)]
    found = report("all", [*right, *wrong, row()]).deviating.regression
    assert isinstance(found, Regression)
    assert (found.n, found.successes, found.tasks, found.separated) == (20, 10, 20, True)
    slopes = {each.name: each.estimate for each in found.firth.coefficients}
    assert slopes["d_mut"] < 0 < slopes["intercept"]


@pytest.mark.parametrize(
    ("what", "named"),
    [
        ({"model": "gpt"}, "gpt"),
        ({"domain": "other"}, "other"),
        ({"source": "records in x"}, "records in x"),
        ({"policy_digest": "q" * 64}, "policy qqqqqqqq"),
        ({"tools_digest": "u" * 64}, "tools uuuuuuuu"),
        ({"records_digest": "v" * 64}, "records vvvvvvvv"),
    ],
)
def test_what_was_held_under_other_conditions_is_never_pooled(
    what: dict[str, str], named: str
) -> None:
    names = [name for name, _ in groups([row(), row(**what)])]
    assert len(names) == 2
    assert any(named in name for name in names)


def test_more_is_told_apart_on_request_and_otherwise_remarked_on() -> None:
    rows = [row(), row(safeguards="none"), row(scenario="two"), row(scenario=None)]
    usual = "gate + reflection + context"
    assert [name for name, _ in groups(rows, "model")] == ["toy · clerk"]
    assert [name for name, _ in groups(rows)] == [f"toy · clerk · {usual}", "toy · clerk · none"]
    assert [name for name, _ in groups(rows, "scenario")] == [
        f"toy · clerk · {usual} · free play",
        f"toy · clerk · {usual} · one",
        f"toy · clerk · {usual} · two",
        "toy · clerk · none · one",
    ]
    (found,) = reports(rows, "model")
    assert any("2 settings of the safeguards" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"customer": "gpt"}, "customer gpt"),
        ({"auxiliary": "small"}, "second model small"),
        ({"memory": "memory x, read by tool"}, "memory x, read by tool"),
        ({"safeguards": "none"}, "none"),
    ],
)
def test_settings_are_pooled_only_where_that_is_asked_for_and_then_told(
    setting: dict[str, str], told: str
) -> None:
    rows = [row(), row(**setting)]
    apart = [name for name, _ in groups(rows)]
    assert len(apart) == 2
    assert any(told in name for name in apart)
    (together,) = reports(rows, "model")
    (value,) = setting.values()
    assert any("Pooled" in remark and value in remark for remark in together.remarks)


@pytest.mark.parametrize("by", ["safeguards", "model", "scenario"])
def test_imported_runs_are_never_pooled_with_sessions_that_were_held_here(by: By) -> None:
    names = [name for name, _ in groups([row(), row(imported="tau2")], by)]
    assert len(names) == 2
    assert any("imported from tau2" in name for name in names)
    assert any("held here" in name for name in names)


def test_each_reward_is_counted_under_its_own_name() -> None:
    earned = (
        Rewards(1, 1, 1, "judged"), Rewards(0, 1, 1, "judged"), Rewards(0, 1, 1), Rewards(0, 0, 1),
        Rewards(1, 0, 0, "left out"),
    )  # fmt: skip
    rows = [row(scenario=f"{n}", rewards=each) for n, each in enumerate(earned)]
    found = report("all", rows).success
    counts = [each.succeeded.count for each in (found.tau2, found.classic, found.ours)]
    assert counts == [2, 3, 4]
    assert (found.statements_judged, found.statements_left_out) == (2, 1)


def test_trials_of_different_agents_have_no_pass_k_together() -> None:
    one, other = row(model="clerk+a"), row(model="clerk+b", reward=0.0)
    found = report("all", [one, other]).success.tau2
    assert found.succeeded.value == 0.5
    assert found.reliability == ()


def test_trials_of_one_task_are_alike_and_make_the_interval_wider() -> None:
    def interval(trials: int) -> float:
        rows = [
            row(scenario=f"{n}", session=f"{n} {t}", reward=float(n % 2), model="m")
            for n in range(20)
            for t in range(trials)
        ]
        found = report("all", rows).success.tau2.succeeded.interval
        assert found is not None
        return found.high - found.low

    assert interval(10) > 0.9 * interval(1)


def test_code_that_plays_code_has_no_interval_and_a_remark_says_why() -> None:
    rows = [
        row(scenario=f"{n}", reward=float(n % 2), customer="scripted", deviations=deviating(n % 2))
        for n in range(20)
    ]
    found = report("all", rows)
    assert found.success.tau2.succeeded.interval is None
    assert found.success.tau2.reliability[0].all_succeed_interval is None
    assert found.deviating.mutating.interval is None
    assert found.consent.without_yes.interval is None
    assert isinstance(found.deviating.regression, Regression)
    assert {NO_SAMPLING, ORACLE} <= set(found.remarks)
    with_a_model = report("all", [replace(each, customer="gpt") for each in rows])
    assert with_a_model.success.tau2.succeeded.interval is not None
    assert not {NO_SAMPLING, ORACLE} & set(with_a_model.remarks)


def test_the_same_rows_give_the_same_report_every_time() -> None:
    rows = [
        row(
            scenario=f"{n % 4}",
            session=f"{n}",
            reward=float(n % 3 > 0),
            deviations=deviating(n % 2),
        )
        for n in range(12)
    ]
    assert reports(rows) == reports(rows)


def test_no_sessions_have_no_report() -> None:
    assert reports([]) == []
    with pytest.raises(ValueError, match="no session"):
        report("none", [])
