from __future__ import annotations

from typing import Any

import pytest

from sessions.events import ActionCheck, AssertionCheck, SaidCheck, Scored
from sessions.views.outcome import (
    check_lines,
    findings,
    session_verdict,
    tau2_lines,
    unconsented_sentence,
)


def scored(**more: Any) -> Scored:
    fields = {
        "scenario": "one", "reward": 1.0, "records_match": True, "communicated": True,
        "basis": ("DB", "COMMUNICATE"), "main": 1.0, "classic": 1.0, "task_end": True,
    }  # fmt: skip
    return Scored(**{**fields, **more})


def claims(*verdicts: str) -> tuple[AssertionCheck, ...]:
    return tuple(
        AssertionCheck.model_validate({"text": f"claim {number}", "verdict": each, "why": "see"})
        for number, each in enumerate(verdicts, 1)
    )


@pytest.mark.parametrize(
    ("found", "verdict", "words"),
    [
        (scored(), "right", "as they should be."),
        (scored(records_match=False, reward=0), "wrong", "not as they should be"),
        (scored(communicated=False, missing=("x",)), "wrong", "something was not said"),
        (scored(missing=("no hand-over",)), "wrong", "something was not done"),
        (scored(assertions=claims("met", "unmet"), main=0), "wrong", "a statement about"),
        (scored(assertions=claims("unmet", "unmet"), main=0), "wrong", "2 statements about"),
        (scored(assertions=claims("not judged"), main=None), "open", "was not judged"),
        (scored(assertions=claims("not judged")), "right", "as they should be."),
    ],
)
def test_the_verdict_is_never_better_than_what_is_known(
    found: Scored, verdict: str, words: str
) -> None:
    assert session_verdict(found).verdict == verdict
    assert words in session_verdict(found).sentence


def test_what_speaks_against_a_session_stands_under_headings() -> None:
    found = scored(
        differences=("order #W1: status is pending, should be cancelled",),
        missing=("the agent did not say: 5",),
        assertions=claims("met", "unmet", "not judged"),
        unconsented_writes=1,
        writes=3,
    )
    assert [lines for _, lines in findings(found)] == [
        found.differences,
        found.missing,
        ("claim 2 (see)",),
        ("changes carried out without the customer's yes: 1 of 3",),
    ]
    assert [*findings(scored())] == []
    assert unconsented_sentence(scored()) == "no change was carried out"


def test_both_of_tau2s_rewards_are_told_with_what_they_are_made_of() -> None:
    assert [*tau2_lines(scored())] == [
        "τ²-bench, by the task's basis (records × communicated information): 1"
    ]
    judged = scored(basis=("DB", "NL_ASSERTION"), main=None, classic=0.0)
    assert [*tau2_lines(judged)] == [
        "τ²-bench, by the task's basis (records × statements about the conversation): not judged",
        "τ²-bench, by its classic basis (records × words): 0",
    ]
    short = scored(cut_short="max_steps", main=0.0, classic=0.0)
    assert [*tau2_lines(short)] == [
        "τ²-bench gives 0 (max_steps): the conversation was stopped at its limit"
    ]


def test_checks_are_counted_and_what_was_not_judged_is_told_as_that() -> None:
    found = scored(
        actions=tuple(ActionCheck(name="a", arguments={}, made=each) for each in (True, False)),
        said=(SaidCheck(text="5", said=True),),
        assertions=claims("met", "not judged", "not judged"),
    )
    assert [*check_lines(found)] == [
        "expected calls made: 1 of 2",
        "required information said: 1 of 1",
        "statements about the conversation: 1 met, 2 not judged",
    ]
