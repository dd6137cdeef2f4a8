from __future__ import annotations

from typing import Any

import pytest

from sessions.events import (
    ActionCheck,
    AnyEvent,
    AssertionCheck,
    Imported,
    ModelAnswered,
    ProposedCall,
    RecordedChecks,
    ResultDiffered,
    SaidCheck,
    Scored,
    ToolReturned,
    WriteApplied,
)
from sessions.scoring.explaining import MOST, explain_reward_difference
from tests.sessions.toy import log_of, started

BASIS = ("DB", "COMMUNICATE", "ACTION", "NL_ASSERTION")
ARGUMENTS = {"reservation_id": "A"}
CALL = 'cancel {"reservation_id": "A"}'


def imported(reward: float | None, **more: Any) -> Imported:
    return Imported(
        source="tau2", file="f", original="o", task={}, digest="d", recorded_reward=reward, **more
    )


def scored(reward: float = 1.0, **more: Any) -> Scored:
    usual: dict[str, Any] = {"scenario": "s", "records_match": True, "communicated": True,
                             "task_end": True, "basis": BASIS}  # fmt: skip
    return Scored.model_validate({"reward": reward, **usual, **more})


def proposed(call_id: str) -> ModelAnswered:
    call = ProposedCall(id=call_id, name="cancel", arguments='{"reservation_id": "A"}')
    return ModelAnswered(model="m", text="", calls=(call,))


def wrote(result: str, recorded: str, call_id: str = "i1") -> list[AnyEvent]:
    write = WriteApplied(
        card_id=f"imported-{call_id}", call_id=call_id, name="cancel", arguments=ARGUMENTS,
        result=result, patch=[], records_digest="r",
    )  # fmt: skip
    return [proposed(call_id), write, ResultDiffered(call_id=call_id, recorded=recorded)]


def refused(text: str, recorded: str) -> list[AnyEvent]:
    back = ToolReturned(call_id="i1", name="cancel", text=text, error=True)
    return [proposed("i1"), back, ResultDiffered(call_id="i1", recorded=recorded)]


def why(run: Imported, found: Scored, *events: AnyEvent) -> list[str]:
    return explain_reward_difference(run, found, log_of(started(), run, *events))


CALLS: dict[str, tuple[list[AnyEvent], str]] = {
    "failed there": (
        wrote("{}", "Error: no\nseats"),
        f"{CALL} failed there and is carried out here: “Error: no seats”.",
    ),
    "fails here": (
        refused("Error: gone", "{}"), f"{CALL} worked there and fails here: “Error: gone”."
    ),
    "another value": (
        wrote('{"a": 1, "b": [{"price": 5}, 2]}', '{"b": [{"price": 7}, 2], "a": 1}'),
        f"{CALL} leaves b.0.price at 5 here and at 7 there.",
    ),
    "a value more": (
        wrote('{"b": [1, 2]}', '{"b": [1]}'), f"{CALL} leaves b.1 at 2 here and at nothing there."
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("told", [False, None])
def test_the_call_that_came_out_otherwise_is_told_with_its_value(
    name: str, told: bool | None
) -> None:
    events, sentence = CALLS[name]
    found = why(imported(0.0, checks=RecordedChecks(records=told)), scored(), *events)
    parts = [] if told is None else ["The records were wrong there and are right here."]
    assert found == [*parts, sentence]


PARTS: dict[str, tuple[RecordedChecks, dict[str, Any], str]] = {
    "words": (
        RecordedChecks(records=True, said=(SaidCheck(text="327", said=True),)),
        {"said": [{"text": "327", "said": False}]},
        "“327” counts as not said here and as said there.",
    ),
    "a call": (
        RecordedChecks(
            records=True, actions=(ActionCheck(name="look", arguments={"id": 1}, made=False),)
        ),
        {"actions": [{"name": "look", "arguments": {"id": 1}, "made": True}]},
        'The expected look {"id": 1} counts as made here and as not made there.',
    ),
    "the end": (
        RecordedChecks(records=True), {"cut_short": "max_steps"},
        "It ended with max_steps, so its reward is 0 here.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_the_part_that_is_another_is_told(name: str) -> None:
    checks, here, sentence = PARTS[name]
    assert why(imported(0.0, checks=checks), scored(**here)) == [sentence]


def test_a_verdict_that_is_another_is_told() -> None:
    one = AssertionCheck(text="Kind.", verdict="met")
    here = scored(0.0, assertions=[{"text": "Kind.", "verdict": "unmet"}])
    run = imported(1.0, verdicts=(one,), checks=RecordedChecks(records=True))
    assert why(run, here) == ["“Kind.” is unmet here and met there."]


def test_whose_checks_they_were_is_told() -> None:
    run = imported(0.0, checks_of="7", checks=RecordedChecks(records=True))
    assert why(run, scored()) == ["The recorded checks belong to another task, 7."]


def test_where_the_rewards_agree_or_there_is_none_nothing_is_told() -> None:
    events, _ = CALLS["failed there"]
    assert why(imported(1.0, checks_of="7"), scored(), *events) == []
    assert why(imported(None, checks_of="7"), scored(), *events) == []


def test_where_nothing_explains_it_that_is_said() -> None:
    (told,) = why(imported(0.0), scored(), *wrote("{}", '{"a": null}'))
    assert "Every change had the same outcome here" in told


def test_what_others_wrote_stands_on_one_line_and_is_cut() -> None:
    error = "Error\n" + "x\x1b[2J" * 99
    events = [each for n in range(9) for each in wrote("{}", error, f"i{n}")]
    found = why(imported(0.0), scored(), *events)
    assert found[-1] == f"{9 - MOST} more changes had a different outcome."
    assert all(len(each) < 400 and each.isprintable() for each in found)
