from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import domains
from sessions.events import (
    AgentSaid,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    Imported,
    Logged,
    ResultDiffered,
    SessionEnded,
    ToolReturned,
    WriteApplied,
)
from sessions.importing import Report, import_runs, read_runs
from sessions.importing.runs import LeftOut, Run
from sessions.importing.storing import Origin
from sessions.scoring.rescoring import Result, Scorer
from sessions.store.errors import ImportRefused
from sessions.store.store import Store
from sessions.views import LookUp, Note, decision_rows, status, transcript
from tests.shared_data import TAU2

SAMPLE = TAU2.with_name("tau1") / "gpt-4o-airline.sample.json"
needs_the_sample = pytest.mark.skipif(
    not (SAMPLE.is_file() and TAU2.is_dir()), reason="τ-bench's sample is not here"
)

OTHER_RESULTS = {
    "get_user_details": "the second edition calls a province a state, and tells the user's id",
    "update_reservation_flights": "the first edition charges for a new cabin and does not note it; "
    "its errors begin with a small letter",
    "update_reservation_baggages": "the cabin that was not noted shows in the reservation here",
}
"""Why a call of the sample gives something else here than it gave there; all others do not."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "sessions.db") as opened:
        yield opened


def take_in(store: Store, path: Path = SAMPLE) -> Report:
    airline = domains.load("airline", TAU2)
    return import_runs(store, list(read_runs(path, "airline")), airline, Origin(path, TAU2, "1"))


def entry(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    task = {"user_id": "u", "instruction": "Be brief.", "actions": [], "outputs": []}
    info = {"task": task, "reward_info": {"reward": 1.0}}
    said = [{"role": "system", "content": "policy"}, *messages]
    return {"task_id": 3, "reward": 1.0, "info": info, "traj": said, "trial": 0, **more}


def written(tmp_path: Path, *entries: Any) -> Path:
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(entries))
    return path


def call(name: str, arguments: str, call_id: str = "c") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"role": "assistant", "content": None,
            "tool_calls": [{"id": call_id, "type": "function", "function": function}]}  # fmt: skip


def back(text: str, call_id: str = "c", name: str = "t") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": text}


@needs_the_sample
async def test_every_recorded_reward_of_the_sample_is_reproduced(store: Store) -> None:
    report = take_in(store)
    scored: list[Result] = await Scorer(store).all()
    assert [each.session for each in scored] == report.sessions
    assert [each.why_not for each in scored] == [""] * 10
    rewards = {each.session: each.scored.reward for each in scored if each.scored}
    assert rewards == {each.session: each.recorded_reward for each in scored}
    assert sorted(rewards.values()) == [0.0] * 4 + [1.0] * 6


@needs_the_sample
def test_what_a_call_gives_differently_here_stands_beside_it_and_is_explained(
    store: Store,
) -> None:
    report = take_in(store)
    seen, otherwise = 0, set()
    for session in report.sessions:
        names: dict[str, str] = {}
        for logged in store.read(session):
            match logged.event:
                case ToolReturned() | WriteApplied() as came_back:
                    names[came_back.call_id] = came_back.name
                    seen += 1
                case ResultDiffered() as differed:
                    otherwise.add(names[differed.call_id])
                case _:
                    pass
    assert otherwise == OTHER_RESULTS.keys()
    assert report.tally.calls + report.tally.unknown.total() == seen
    assert report.tally.other_outcome == 0
    assert set(report.tally.unknown) == {"think"}


@needs_the_sample
def test_an_imported_run_claims_no_card_and_no_consent(store: Store) -> None:
    claims = (CardShown, DecisionMade, ConsentUsed)
    writes = 0
    for session in take_in(store).sessions:
        log = store.read(session)
        assert isinstance(log[1].event, Imported)
        assert isinstance(log[-1].event, SessionEnded)
        assert not any(isinstance(logged.event, claims) for logged in log)
        assert decision_rows(log) == []
        writes += status(log).writes
        assert store.session(session).writes == status(log).writes
    assert writes == 13


@needs_the_sample
def test_lists_and_transcripts_show_that_it_is_imported(store: Store) -> None:
    session = take_in(store).sessions[0]
    assert store.session(session).is_imported
    assert store.session(session).source == "imported from gpt-4o-airline.sample.json"
    items = transcript(store.read(session))
    assert isinstance(items[0], Note)
    assert items[0].text.endswith("run 5/1 of τ-bench, which gave it 1.")
    changes = [each.name for each in items if isinstance(each, LookUp) and "update" in each.name]
    assert len(changes) == 3


@needs_the_sample
def test_a_file_that_is_imported_again_adds_nothing(store: Store) -> None:
    take_in(store)
    again = take_in(store)
    assert (again.sessions, again.already) == ([], 10)


def one(path: Path) -> Run | LeftOut:
    (found,) = read_runs(path, "airline")
    return found


def test_a_run_that_was_not_finished_or_broke_off_is_told(tmp_path: Path) -> None:
    said = {"role": "user", "content": "Hi"}
    cut = entry(said)
    cut["info"]["reward_info"] = None
    cut_short = one(written(tmp_path, cut))
    assert isinstance(cut_short, Run)
    assert cut_short.ended == "turn_limit"
    broke = {"task_id": 1, "reward": 0.0, "info": {"error": "boom\x1b[2J", "traceback": "x"},
             "traj": [], "trial": 0}  # fmt: skip
    assert one(written(tmp_path, broke)) == LeftOut("1/0", "it ended with an error: boom[2J")


async def test_a_run_that_was_not_finished_is_worth_nothing_however_the_records_stand(
    tmp_path: Path,
) -> None:
    done, cut = (entry({"role": "user", "content": text}) for text in ("Hi", "Ho"))
    cut |= {"reward": 0.0, "info": {**cut["info"], "reward_info": None}}
    path, airline = written(tmp_path, done, cut), domains.load("airline")
    with Store.open(tmp_path / "s.db") as store:
        import_runs(store, list(read_runs(path, "airline")), airline, Origin(path, None, "1"))
        scored = await Scorer(store).all()
    assert [each.scored and each.scored.reward for each in scored] == [1.0, 0.0]
    assert [each.recorded_reward for each in scored] == [1.0, 0.0]


def test_words_are_cleaned_and_the_sign_to_stop_is_no_word(tmp_path: Path) -> None:
    path = written(tmp_path, entry({"role": "user", "content": "Bye\x1b]52;c;x\x07 ###STOP###"}))
    with Store.open(tmp_path / "s.db") as store:
        report = import_runs(
            store,
            list(read_runs(path, "airline")),
            domains.load("airline"),
            Origin(path, None, "1"),
        )
        log = store.read(report.sessions[0])
    assert [each.event for each in log if isinstance(each.event, CustomerSaid)] == [
        CustomerSaid(text="Bye]52;c;x", turn=1)
    ]
    assert isinstance(log[-1].event, SessionEnded)
    assert log[-1].event.reason == "customer"


def test_words_beside_a_call_were_not_said(tmp_path: Path) -> None:
    asked = call("list_all_airports", "{}") | {"content": "One moment."}
    log = _log(tmp_path, entry({"role": "user", "content": "Hi"}, asked, back("[]")))
    assert not any(isinstance(each.event, AgentSaid) for each in log)


def test_arguments_that_say_something_twice_are_not_guessed_at(tmp_path: Path) -> None:
    twice = call("cancel_reservation", '{"reservation_id": "A", "reservation_id": "B"}')
    log = _log(tmp_path, entry({"role": "user", "content": "Hi"}, twice, back("{}")))
    assert [each.event.error for each in log if isinstance(each.event, ToolReturned)] == [True]
    assert not any(isinstance(each.event, WriteApplied) for each in log)


def _log(tmp_path: Path, run: dict[str, Any]) -> list[Logged]:
    path = written(tmp_path, run)
    with Store.open(tmp_path / "s.db") as store:
        found, airline = list(read_runs(path, "airline")), domains.load("airline")
        report = import_runs(store, found, airline, Origin(path, None, "1"))
        return store.read(report.sessions[0])


def test_only_the_look_up_that_the_policy_names_identifies_the_customer(tmp_path: Path) -> None:
    records = domains.load("airline").base.collections["reservations"]
    key, reservation = next(iter(records.items()))
    user = reservation["user_id"]
    run = entry(
        {"role": "user", "content": "hi"},
        call("get_reservation_details", json.dumps({"reservation_id": key})), back("{}"),
        call("get_user_details", json.dumps({"user_id": user}), "d"), back("{}", "d"),
    )  # fmt: skip
    back_again = [each.event for each in _log(tmp_path, run)]
    found = [each.customer for each in back_again if isinstance(each, ToolReturned)]
    assert found == [None, user]


BAD: dict[str, tuple[Any, str]] = {
    "another role": (entry({"role": "customer", "content": "Hi"}), "traj.1.role"),
    "no object": (None, "the whole"),
    "no run": ({"task_id": 3}, "reward"),
    "another domain's task": (
        entry({"role": "user", "content": "Hi"}, info={"task": {
            "user_id": "u", "instruction": "x", "outputs": [],
            "actions": [{"name": "cancel_pending_order", "kwargs": {}}]}}),
        "expects a call of cancel_pending_order, which airline does not have",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_one_bad_run_leaves_the_others_importable_and_is_listed(name: str, tmp_path: Path) -> None:
    good = [entry({"role": "user", "content": text}) for text in "ab"]
    action = {"name": "cancel_reservation", "kwargs": {}}
    good[0]["info"]["task"]["actions"] = [action] * 2
    bad, why = BAD[name]
    path, airline = written(tmp_path, good[0], bad, good[1]), domains.load("airline")
    with Store.open(tmp_path / "s.db") as store:
        found = list(read_runs(path, "airline"))
        report = import_runs(store, found, airline, Origin(path, None, "1"))
        assert len(report.sessions) == len(store.sessions()) == 2
    (left,) = report.left_out
    assert why in left.why


def test_a_file_without_one_sound_run_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, BAD["another role"][0])
    with Store.open(tmp_path / "s.db") as store:
        with pytest.raises(ImportRefused, match=r"No run of .* run 1: traj\.1\.role"):
            import_runs(
                store, list(read_runs(path, "airline")), domains.load("airline"),
                Origin(path, None, "1"),
            )  # fmt: skip
        assert store.sessions() == []
    with pytest.raises(ImportRefused, match="neither τ-bench"):
        list(read_runs(written(tmp_path, 1), "airline"))


def test_the_same_run_has_the_same_digest_and_another_one_another(tmp_path: Path) -> None:
    hi, ho = ({"role": "user", "content": text} for text in ("Hi", "Ho"))
    path = written(tmp_path, entry(hi), entry(ho), entry(hi))
    one, two, three = (each.digest for each in read_runs(path, "airline") if isinstance(each, Run))
    assert one == three != two
