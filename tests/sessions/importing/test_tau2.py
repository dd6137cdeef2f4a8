from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.core.domain import Domain
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
from sessions.importing import Report, import_runs, read_runs
from sessions.importing.runs import LeftOut
from sessions.importing.storing import Origin
from sessions.scoring.rescoring import Scorer
from sessions.statistics.facts import session_facts
from sessions.statistics.grouping import groups
from sessions.store.errors import ImportRefused
from sessions.store.store import Store
from sessions.views import expenses, status
from tests.sessions.recorded import events_of, record, right_steps
from tests.sessions.scoring.trajectories import Agent, Customer, Step

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
    found = list(read_runs(path, domain.name))
    return import_runs(store, found, domain, Origin(path, None, "1"))


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


WHOLE = ("user_stop", "agent_stop", "judge_stop")
BROKEN = {
    "max_steps": "turn_limit", "timeout": "time_limit", "too_many_errors": "action_limit",
    "context_window_exceeded": "token_limit", "agent_error": "agent_failure",
    "user_error": "customer_failure", "infrastructure_error": "fault",
    "unexpected_error": "fault", "invalid": "fault",
}  # fmt: skip


def test_a_run_that_broke_is_never_read_as_whole(tmp_path: Path) -> None:
    """It has no end to be judged by: neither the agent's failure, nor its success."""
    content, path = results(tmp_path), tmp_path / "results.json"
    (first, *_) = content["simulations"]
    endings = (*WHOLE, *BROKEN, "", "User_Stop", "user_stop ")
    content["simulations"] = [{**first, "termination_reason": each} for each in endings]
    path.write_text(json.dumps(content))
    found = [each for each in read_runs(path, RETAIL.name) if not isinstance(each, LeftOut)]
    read = {theirs: each.ended for theirs, each in zip(endings, found, strict=True)}
    assert [theirs for theirs in endings if read[theirs] == "customer"] == [*WHOLE]
    assert {theirs: read[theirs] for theirs in BROKEN} == BROKEN


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
    left = [each for each in read_runs(path, "retail") if isinstance(each, LeftOut)]
    assert [each.why for each in left] == ["nothing was said in it"]


def test_runs_of_another_domain_are_refused(tmp_path: Path) -> None:
    content = results(tmp_path)
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ImportRefused, match="give --domain retail"):
        list(read_runs(path, "airline"))


@pytest.mark.parametrize("name", ["a task that cannot be scored", "no task", "no run"])
def test_what_cannot_be_imported_is_listed_beside_what_can(name: str, tmp_path: Path) -> None:
    content = results(tmp_path)
    why = {"a task that cannot be scored": "reward_basis", "no task": "the file has no task",
           "no run": "messages"}[name]  # fmt: skip
    if name == "no run":
        content["simulations"][0]["messages"] = "none"
    elif name == "no task":
        content["simulations"][0]["task_id"] = "elsewhere"
    else:
        content["tasks"][0]["evaluation_criteria"]["reward_basis"] = ["ENV_ASSERTION"]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with Store.open(tmp_path / "second.db") as store:
        report = take_in(store, path)
        assert len(store.sessions()) == len(report.sessions) == 6 - len(report.left_out)
    assert report.left_out
    assert all(why in each.why for each in report.left_out)


def test_checks_that_are_another_tasks_are_told(tmp_path: Path) -> None:
    content = results(tmp_path)
    one, other = content["simulations"][:2]
    listed = {task["id"]: task["evaluation_criteria"]["actions"] for task in content["tasks"]}
    for run, checked in ((one, other), (other, other)):
        run["reward_info"]["action_checks"] = [
            {"action": each, "action_match": True} for each in listed[checked["task_id"]]
        ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with Store.open(tmp_path / "second.db") as store:
        told = [(each.original, each.checks_of) for each in take_in(store, path).checked_otherwise]
    assert told == [(one["id"], other["task_id"])]


def test_times_and_durations_are_the_files_own_in_statistics_and_when_given_back(
    tmp_path: Path,
) -> None:
    content = results(tmp_path)
    run = content["simulations"][0]
    run |= {"start_time": "2024-03-01T10:00:00.5", "end_time": "2024-03-01T10:09:00",
            "duration": 539.25}  # fmt: skip
    for number, message in enumerate(run["messages"]):
        message["timestamp"] = f"2024-03-01T10:00:{number:02}"
    log = held(tmp_path, content)
    facts = session_facts(log)
    assert (facts.began_at, facts.seconds) == ("2024-03-01T10:00:00.5", 539.25)
    with Store.open(tmp_path / "second.db", read_only=True) as store:
        gathered = Gathered(store, [log[0].session], lambda log: RETAIL)
        (again,) = json.loads("".join(tau2.parts(gathered)))["simulations"]
    for name in ("start_time", "end_time", "duration"):
        assert again[name] == run[name]
    kept = [message["timestamp"] for message in run["messages"]]
    assert [each["timestamp"] for each in again["messages"]] == kept


@pytest.mark.parametrize("nonsense", ["yesterday", "", None, 7, "9999-99-99"])
def test_times_that_are_none_are_passed_over(nonsense: Any, tmp_path: Path) -> None:
    content = results(tmp_path)
    run = content["simulations"][0]
    run["start_time"] = run["end_time"] = nonsense if isinstance(nonsense, str) else ""
    run["duration"] = nonsense
    for message in run["messages"]:
        message["timestamp"] = nonsense
    log = held(tmp_path, content)
    seconds = 7.0 if nonsense == 7 else None
    assert (session_facts(log).began_at, session_facts(log).seconds) == (log[0].at, seconds)


def test_calls_that_were_made_at_once_stay_one_message(tmp_path: Path) -> None:
    content = results(tmp_path)
    calls = [{"id": f"c{n}", "name": "calculate", "arguments": {"expression": f"{n} + 1"}}
             for n in range(3)]  # fmt: skip
    back = [{"role": "tool", "id": f"c{n}", "content": f"{n + 1}.0", "requestor": "assistant"}
            for n in range(3)]  # fmt: skip
    alone = [{"role": "assistant", "content": None, "tool_calls": calls[:1]}, back[0]]
    content["simulations"][3]["messages"][2:2] = [
        {"role": "assistant", "content": None, "tool_calls": calls}, *back, *alone
    ]  # fmt: skip
    log = held(tmp_path, content, 3)
    with Store.open(tmp_path / "second.db", read_only=True) as store:
        gathered = Gathered(store, [log[0].session], lambda log: RETAIL)
        (again,) = json.loads("".join(tau2.parts(gathered)))["simulations"]
    shapes = [
        [call["arguments"]["expression"] for call in each.get("tool_calls") or ()]
        or each["content"]
        for each in again["messages"]
        if each.get("tool_calls") or each["role"] == "tool"
    ]
    assert shapes == [["0 + 1", "1 + 1", "2 + 1"], "1.0", "2.0", "3.0", ["0 + 1"], "1.0"]


def test_agents_of_different_names_are_different_agents_though_their_model_is_one(
    tmp_path: Path,
) -> None:
    content = results(tmp_path)
    with Store.open(tmp_path / "second.db") as store:
        for name in ("plain", "careful"):
            content["info"]["agent_info"]["implementation"] = name
            for number, run in enumerate(content["simulations"]):
                run["id"] = f"{name} {number}"
            path = tmp_path / f"{name}.json"
            path.write_text(json.dumps(content))
            take_in(store, path)
        facts = [session_facts(store.read(each.id)) for each in store.sessions()]
    named = [(name.split(" · ")[-1], len(members)) for name, members in groups(facts)]
    assert named == [("clerk, agent careful", 6), ("clerk, agent plain", 6)]
    assert [name for name, _ in groups(facts[:6])] == ["retail · clerk"]


def test_results_whose_runs_lie_elsewhere_say_so(tmp_path: Path) -> None:
    content = results(tmp_path)
    content["simulation_index"], content["simulations"] = [{"id": "x"}], []
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ImportRefused, match="separate files beside it"):
        list(read_runs(path, "retail"))


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
