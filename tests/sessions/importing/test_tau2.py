from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import domains
from console.scoring import Scorer
from domains.domain import Domain, DomainError
from sessions.errors import ImportRefused
from sessions.events import (
    AgentSaid,
    Imported,
    Logged,
    OtherModelAsked,
    SessionEnded,
    ToolReturned,
    WriteApplied,
)
from sessions.exporting import tau2
from sessions.exporting.gathering import Gathered
from sessions.importing import Report, runs_of, take_in_runs
from sessions.importing.runs import LeftOut
from sessions.importing.taking_in import Origin
from sessions.store import Store
from sessions.views import expenses, status
from tests.sessions.recorded import events_of, record, right_steps
from tests.sessions.trajectories import Agent, Customer, Step

RETAIL = domains.load("retail")


def results(tmp_path: Path) -> dict[str, Any]:
    """Six sessions on the demo store, three of them wrong, as τ²-bench's results."""
    with Store.open(tmp_path / "first.db") as store:
        record(store, RETAIL, RETAIL.scenarios[:3])
        for scenario in RETAIL.scenarios[:3]:
            steps: list[Step] = [Agent("Hi!"), Customer("Nothing, thanks."), Agent("All right.")]
            store.record(events_of(RETAIL, scenario, steps))
        sessions = [each.id for each in reversed(store.sessions())]
        gathered = Gathered(store, sessions, lambda log: RETAIL)
        found: dict[str, Any] = json.loads("".join(tau2.parts(gathered)))
    return found


def take_in(store: Store, path: Path, domain: Domain = RETAIL) -> Report:
    found = list(runs_of(path, domain.name))
    return take_in_runs(store, found, domain, Origin(path, None, "1"))


def held(tmp_path: Path, content: Any, session: int = 0) -> list[Logged]:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with Store.open(tmp_path / "second.db") as store:
        return store.read(take_in(store, path).sessions[session])


async def test_results_come_back_with_the_rewards_they_were_given(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results(tmp_path)))
    with Store.open(tmp_path / "second.db") as store:
        report = take_in(store, path)
        scored = await Scorer(store).all()
    assert len(report.sessions) == len(scored) == 6
    assert (report.tally.other_text, report.tally.other_outcome) == (0, 0)
    assert [each.scored and each.scored.reward for each in scored] == [
        each.recorded_reward for each in scored
    ]
    assert {each.recorded_reward for each in scored} == {0.0, 1.0}


def test_a_change_that_was_declined_is_not_carried_out_by_the_import(tmp_path: Path) -> None:
    scenario = RETAIL.scenarios[0]
    log = held(tmp_path, results(tmp_path))
    writes = [each.event for each in log if isinstance(each.event, WriteApplied)]
    assert [(each.name, each.arguments) for each in writes] == [
        (call.name, dict(call.arguments)) for call in scenario.ends[0]
        if RETAIL.tools.mutates(call.name)
    ]  # fmt: skip
    assert sum(isinstance(step, Agent) for step in right_steps(RETAIL, scenario)) == sum(
        isinstance(each.event, AgentSaid) for each in log
    )


async def test_what_the_files_own_judge_said_counts(tmp_path: Path) -> None:
    content = results(tmp_path)
    task, run = content["tasks"][0], content["simulations"][0]
    task["evaluation_criteria"]["nl_assertions"] = ["The agent was kind."]
    task["evaluation_criteria"]["reward_basis"] = ["DB", "NL_ASSERTION"]
    run["reward_info"]["nl_assertions"] = [
        {"nl_assertion": "The agent was kind.", "met": False, "justification": "It was curt."}
    ]
    run["reward_info"]["reward"] = 0.0
    log = held(tmp_path, content)
    assert isinstance(log[1].event, Imported)
    assert [each.verdict for each in log[1].event.verdicts] == ["unmet"]
    with Store.open(tmp_path / "second.db") as store:
        scored = await Scorer(store).one(log[0].session)
    assert (scored.scored and scored.scored.reward, scored.recorded_reward) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("user_stop", "customer"), ("max_steps", "turn_limit"), ("too_many_errors", "action_limit"),
     ("infrastructure_error", "fault"), ("something_new", "fault")],
)  # fmt: skip
def test_every_ending_is_one_of_ours(theirs: str, ours: str, tmp_path: Path) -> None:
    content = results(tmp_path)
    content["simulations"][0]["termination_reason"] = theirs
    ended = held(tmp_path, content)[-1].event
    assert isinstance(ended, SessionEnded)
    assert ended.reason == ours


def test_calls_of_the_customers_own_tools_are_not_the_agents(tmp_path: Path) -> None:
    content = results(tmp_path)
    content["simulations"][3]["messages"] += [
        {"role": "user", "content": None,
         "tool_calls": [{"id": "u", "name": "restart", "arguments": {}, "requestor": "user"}]},
        {"role": "tool", "id": "u", "content": "done", "requestor": "user", "error": False},
    ]  # fmt: skip
    log = held(tmp_path, content, 3)
    assert not any(isinstance(each.event, ToolReturned) for each in log)
    assert status(log).turn == 1


def test_several_results_in_one_message_are_each_their_calls(tmp_path: Path) -> None:
    content = results(tmp_path)
    calls = [
        {"id": f"c{n}", "name": "calculate", "arguments": {"expression": f"{n} + 1"}}
        for n in range(2)
    ]
    back = [
        {"role": "tool", "id": f"c{n}", "content": f"{n + 1}.0", "requestor": "assistant"}
        for n in range(2)
    ]
    content["simulations"][3]["messages"][2:2] = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_messages": back},
    ]
    log = held(tmp_path, content, 3)
    assert [each.event.text for each in log if isinstance(each.event, ToolReturned)] == [
        "1.0", "2.0"
    ]  # fmt: skip


def test_a_run_without_a_word_is_left_out(tmp_path: Path) -> None:
    content = results(tmp_path)
    content["simulations"][1]["messages"] = []
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    left = [each for each in runs_of(path, "retail") if isinstance(each, LeftOut)]
    assert [each.why for each in left] == ["nothing was said in it"]


def test_runs_of_another_domain_or_with_a_task_that_cannot_be_scored_are_refused(
    tmp_path: Path,
) -> None:
    content = results(tmp_path)
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ImportRefused, match="give --domain retail"):
        list(runs_of(path, "airline"))
    content["tasks"][0]["evaluation_criteria"]["reward_basis"] = ["ENV_ASSERTION"]
    path.write_text(json.dumps(content))
    with Store.open(tmp_path / "second.db") as store:
        with pytest.raises(DomainError, match="reward_basis"):
            take_in(store, path)
        assert store.sessions() == []


def test_results_whose_runs_lie_elsewhere_say_so(tmp_path: Path) -> None:
    content = results(tmp_path)
    content["simulation_index"], content["simulations"] = [{"id": "x"}], []
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ImportRefused, match="files of their own beside it"):
        list(runs_of(path, "retail"))


def test_what_the_models_cost_on_either_side_is_taken_in_and_given_back(tmp_path: Path) -> None:
    content = results(tmp_path)
    content["info"]["user_info"]["llm"] = "a\x1b player"
    for message in content["simulations"][0]["messages"]:
        cost = {"user": 0.25, "assistant": 0.5}.get(message["role"])
        if cost is not None:
            message["usage"] = {"prompt_tokens": 10, "completion_tokens": 1}
            message["cost"] = cost
    log = held(tmp_path, content)
    spent = expenses(log)
    words = [each.event for each in log if isinstance(each.event, OtherModelAsked)]
    said = sum(each.event.type == "customer_said" for each in log)
    assert {each.model for each in words} == {"a player"}
    assert (spent.customer.tokens, spent.customer.cost) == (11 * len(words), 0.25 * len(words))
    assert len(words) >= said > 0
    assert spent.agent.cost == 0.5 * spent.agent.answers
    with Store.open(tmp_path / "second.db", read_only=True) as store:
        gathered = Gathered(store, [log[0].session], lambda log: RETAIL)
        (again,) = json.loads("".join(tau2.parts(gathered)))["simulations"]
    assert (again["user_cost"], again["agent_cost"]) == (spent.customer.cost, spent.agent.cost)
    assert again["messages"]
