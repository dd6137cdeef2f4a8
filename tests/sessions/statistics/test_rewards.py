from __future__ import annotations

from typing import Any, get_args

import pytest

from sessions.events import AssertionCheck, EndReason, Scored
from sessions.statistics.rewards import NO_REWARDS, Rewards, rewards_of


def scored(**more: Any) -> Scored:
    fields = {
        "scenario": "one", "reward": 1.0, "records_match": True, "communicated": True,
        "basis": ("DB", "NL_ASSERTION"), "main": 1.0, "classic": 1.0,
        "assertions": (AssertionCheck(text="It was polite.", verdict="met"),),
    }  # fmt: skip
    return Scored(**{**fields, **more})


def test_a_session_that_was_not_scored_has_no_rewards() -> None:
    assert rewards_of(None, "customer") == NO_REWARDS
    assert NO_REWARDS.is_earned is None


def test_each_reward_is_taken_from_its_own_place() -> None:
    assert rewards_of(scored(), "customer") == Rewards(1.0, 1.0, 1.0, "judged")
    assert rewards_of(scored(main=0.0), "customer") == Rewards(0.0, 1.0, 1.0, "judged")
    assert rewards_of(scored(classic=0.0), "customer") == Rewards(1.0, 0.0, 1.0, "judged")
    amiss = scored(records_match=False)
    assert rewards_of(amiss, "customer") == Rewards(1.0, 1.0, 0.0, "judged")
    unsaid = scored(missing=("the agent did not say: 5",))
    assert rewards_of(unsaid, "customer").ours == 0.0


def test_an_imported_runs_verdict_is_not_its_own_programs_reward() -> None:
    assert rewards_of(scored(reward=0.0, main=0.0), "customer").ours == 1.0


def test_statements_that_nobody_judged_are_left_out_and_that_is_told() -> None:
    unjudged = scored(main=None, assertions=(AssertionCheck(text="It was polite."),))
    assert rewards_of(unjudged, "customer") == Rewards(1.0, 1.0, 1.0, "left out")
    assert rewards_of(scored(basis=("DB",)), "customer").statements == "none"


@pytest.mark.parametrize("ended", get_args(EndReason))
def test_what_was_cut_off_did_not_come_out_right(ended: Any) -> None:
    assert rewards_of(scored(), ended).ours == float(ended in ("customer", "transfer"))


def test_scores_of_before_there_were_three_rewards_still_count() -> None:
    old = Scored(scenario="one", reward=1.0, records_match=True, communicated=True)
    assert rewards_of(old, "customer") == Rewards(1.0, 1.0, 1.0)
    assert rewards_of(old, "action_limit") == Rewards(0.0, 0.0, 0.0)


def test_only_the_whole_reward_is_earned() -> None:
    earned = [Rewards(tau2).is_earned for tau2 in (1.0, 1 - 1e-9, 0.99, 0.0)]
    assert earned == [True, True, False, False]
