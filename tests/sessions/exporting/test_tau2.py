from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall
from sessions.events import SessionEnded
from sessions.exporting import tau2
from sessions.exporting.gathering import Gathered
from sessions.exporting.tau2_messages import NOT_REPEATED
from sessions.importing import import_runs, read_runs
from sessions.importing.storing import Origin
from sessions.store.errors import ExportError
from sessions.store.store import Store
from tests.effort import examples
from tests.sessions.recorded import events_of, record, right_steps
from tests.sessions.scoring.trajectories import Agent, Customer, Declined, Step
from tests.shared_data import TAU2
from tests.tau2_process import Tau2Process, with_tau2

RETAIL = domains.load("retail")
SCENARIO = RETAIL.scenarios[0]
RESCORING = Path(__file__).with_name("tau2_rescoring.py")
VIEWING = Path(__file__).with_name("tau2_viewing.py")


def with_the_peer(test: Callable[..., None]) -> Callable[..., None]:
    """A test that needs τ²-bench itself and its records."""
    marks = (*with_tau2, pytest.mark.skipif(not TAU2.is_dir(), reason="no records of τ²-bench"))
    return reduce(lambda marked, mark: mark(marked), marks, test)


def written(store: Store, domain: Domain = RETAIL) -> tuple[dict[str, Any], Gathered]:
    sessions = [each.id for each in reversed(store.sessions())]
    gathered = Gathered(store, sessions, lambda log: domain)
    return json.loads("".join(tau2.parts(gathered))), gathered


def of_steps(tmp_path: Path, *steps: Step, scenario: Scenario | None = SCENARIO) -> Any:
    with Store.open(tmp_path / "s.db") as store:
        store.record(events_of(RETAIL, scenario, steps))
        return written(store)


def calls(messages: Sequence[dict[str, Any]]) -> list[str]:
    return [call["name"] for each in messages for call in each.get("tool_calls") or ()]


def test_a_declined_change_is_never_a_call(tmp_path: Path) -> None:
    wanted = next(call for call in SCENARIO.ends[0] if RETAIL.tools.mutates(call.name))
    content, _ = of_steps(tmp_path, Customer("Please."), Declined(wanted), Agent("As you wish."))
    (run,) = content["simulations"]
    assert calls(run["messages"]) == []
    beside = run["messages"][-1]["raw_data"]["saber"]
    assert beside[0]["declined"] == {"name": wanted.name, "arguments": dict(wanted.arguments)}
    assert run["reward_info"]["reward"] == 0.0


def test_every_call_is_followed_by_its_result(tmp_path: Path) -> None:
    content, _ = of_steps(tmp_path, *right_steps(RETAIL, SCENARIO))
    (run,) = content["simulations"]
    assert len(calls(run["messages"])) == len(SCENARIO.ends[0])
    for message, following in zip(run["messages"], run["messages"][1:], strict=False):
        if message.get("tool_calls"):
            assert following["role"] == "tool"
            assert following["id"] == message["tool_calls"][0]["id"]
            assert isinstance(message["tool_calls"][0]["arguments"], dict)
        assert not (message.get("content") and message.get("tool_calls"))
    assert run["reward_info"]["reward"] == 1.0


def test_a_call_that_gives_something_else_again_stands_beside_the_messages(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        steps: list[Step] = [
            Customer("Hi"),
            ToolCall("calculate", {"expression": "1 + 1"}),
            Agent("Two."),
        ]
        events = events_of(RETAIL, SCENARIO, steps)
        moved = [
            each.model_copy(update={"text": "three"}) if each.type == "tool_returned" else each
            for each in events
        ]
        store.record(moved)
        content, gathered = written(store)
    (run,) = content["simulations"]
    assert calls(run["messages"]) == []
    assert run["messages"][-1]["raw_data"]["saber"][0]["result"] == "three"
    assert gathered.left_out[NOT_REPEATED] == 1


def test_what_the_file_cannot_hold_is_counted(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.record(events_of(RETAIL, None, [Customer("Hi")]))
        open_one = events_of(RETAIL, SCENARIO, [Customer("Hi")])
        store.record([each for each in open_one if not isinstance(each, SessionEnded)])
        with pytest.raises(ExportError, match=r"Left out: 1 .*free play.*; 1 .*not ended\."):
            written(store)
        record(store, RETAIL, [SCENARIO])
        content, gathered = written(store)
    assert len(content["simulations"]) == len(content["tasks"]) == 1
    assert gathered.left_out[tau2.FREE_PLAY] == gathered.left_out[tau2.UNENDED] == 1


def test_several_runs_of_a_task_are_its_trials_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        record(store, RETAIL, [SCENARIO, SCENARIO])
        first, again = written(store)[0], written(store)[0]
    assert [each["trial"] for each in first["simulations"]] == [0, 1]
    assert first["info"]["num_trials"] == 2
    assert len(first["tasks"]) == 1
    assert json.dumps(first) == json.dumps(again)


@with_the_peer
def test_the_peers_own_viewer_opens_the_file(tmp_path: Path) -> None:
    retail = domains.load("retail", TAU2)
    with Store.open(tmp_path / "s.db") as store:
        record(store, retail, retail.scenarios[:2], TAU2)
        content, _ = written(store, retail)
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    shown = Tau2Process(VIEWING, str(path)).finish("1\n1\n3\n1\n\n5\n")
    assert "Loaded 2 simulations" in shown
    assert "DB Match: YES" in shown
    assert "Simulation Details" in shown


@with_the_peer
def test_the_peers_own_evaluator_takes_calls_that_were_made_at_once(
    tmp_path: Path, rescored: Callable[[Any], list[Any]]
) -> None:
    retail = domains.load("retail", TAU2)
    with Store.open(tmp_path / "one.db") as store:
        record(store, retail, retail.scenarios[:1], TAU2)
        content, _ = written(store, retail)
    look_ups = [ToolCall("list_all_product_types", {}), ToolCall("calculate", {"expression": "1"})]
    results = [retail.records().look_up(each) for each in look_ups]
    content["simulations"][0]["messages"][2:2] = [
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": each.name, "name": each.name, "arguments": dict(each.arguments)}
            for each in look_ups]},
        *({"role": "tool", "id": each.name, "content": result.text, "requestor": "assistant"}
          for each, result in zip(look_ups, results, strict=True)),
    ]  # fmt: skip
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    with Store.open(tmp_path / "two.db") as store:
        import_runs(store, list(read_runs(path, "retail")), retail, Origin(path, TAU2, "1"))
        again, _ = written(store, retail)
    made = [each.get("tool_calls") or () for each in again["simulations"][0]["messages"]]
    assert max(map(len, made)) == len(look_ups)
    assert rescored(again) == [[1.0, 1.0]]


@with_the_peer
@pytest.mark.parametrize("name", ["retail", "airline"])
def test_the_peers_own_evaluator_gives_the_rewards_in_the_file(
    name: str, tmp_path: Path, rescored: Callable[[Any], list[Any]]
) -> None:
    domain = domains.load(name, TAU2)
    with Store.open(tmp_path / "s.db") as store:
        record(store, domain, domain.scenarios[: examples(20)], TAU2)
        for scenario in domain.scenarios[:4]:
            refused: list[Step] = [Customer("Hi"), Agent("Sorry, no.")]
            store.record(events_of(domain, scenario, refused, TAU2))
        content, _ = written(store, domain)
    rewards = rescored(content)
    assert [each for each in rewards if each[0] != each[1]] == []
    assert {each[0] for each in rewards} == {0.0, 1.0}


@pytest.fixture(scope="module")
def rescored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Any], list[Any]]]:
    """The reward in a file and the evaluator's, for each run; one process answers for all."""
    path = tmp_path_factory.mktemp("rescored") / "results.json"
    process = Tau2Process(RESCORING)

    def rewards(content: Any) -> list[Any]:
        path.write_text(json.dumps(content))
        return list(json.loads(process.ask(str(path), begins="[[")))

    yield rewards
    process.finish()
