from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import domains
from console import cli
from sessions.store.store import Store
from tests.sessions.recorded import record
from tests.shared_data import TAU2

SAMPLE = TAU2.with_name("tau1") / "gpt-4o-airline.sample.json"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli.saber, [str(each) for each in arguments])


@pytest.mark.skipif(not SAMPLE.is_file(), reason="τ-bench's sample is not here")
def test_the_sample_is_imported_and_scored_as_it_was_recorded(tmp_path: Path) -> None:
    db = ("--db", tmp_path / "s.db")
    done = invoke("import", SAMPLE, "--domain", "airline", "--data", TAU2, *db)
    assert (done.exit_code, done.output.splitlines()[0].split(" into ")[0]) == (
        0, "10 sessions imported"
    )  # fmt: skip
    scored = json.loads(invoke("score", *db, "--json").output)
    assert [each["reward"] for each in scored] == [each["recorded_reward"] for each in scored]
    assert len(scored) == 10
    listed = invoke("sessions", "list", *db).output.splitlines()
    assert all("imported from gpt-4o-airline.sample.json" in line for line in listed)
    again = invoke("import", SAMPLE, "--domain", "airline", "--data", TAU2, *db)
    assert "Already there: 10 sessions." in again.output


def test_sessions_go_from_file_to_file_to_the_byte(tmp_path: Path) -> None:
    retail = domains.load("retail")
    with Store.open(tmp_path / "one.db") as store:
        record(store, retail, retail.scenarios[:2])
    for name, db in (("a.jsonl", "one.db"), ("b.jsonl", "two.db")):
        done = invoke("export", "sessions", "--db", tmp_path / db, "--out", tmp_path / name)
        assert (done.exit_code, "2 sessions written" in done.output) == (0, True)
        if db == "one.db":
            taken = invoke("import", tmp_path / name, "--db", tmp_path / "two.db", "--json")
            assert len(json.loads(taken.output)["sessions"]) == 2
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


HOSTILE: dict[str, Any] = {
    "'; DROP TABLE sessions; --": b"'; DROP TABLE sessions; --",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "latin-1": '["é"]'.encode("latin-1"),
    "empty": b"",
    "markup": b"<html><script>alert(1)</script>",
    "an object": b'{"format": "saber-console/sessions", "version": 1, "x": "\x1b]52;c;eA==\x07"}',
    "a wrong header": b'{"format": "\\u001b[2J"}',
    "a run of nobody": b'[{"traj": [], "task_id": "../../etc/passwd"}]',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_a_sentence_and_records_nothing(name: str, tmp_path: Path) -> None:
    path, db = tmp_path / "runs.json", tmp_path / "s.db"
    path.write_bytes(HOSTILE[name])
    done = invoke("import", path, "--db", db)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert "\x1b" not in done.output
    assert len(done.output.splitlines()) == 1
    assert not db.exists() or not json.loads(
        invoke("sessions", "list", "--db", db, "--json").output
    )


def test_a_file_that_is_not_there_or_a_folder_is_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        done = invoke("import", path, "--db", tmp_path / "s.db")
        assert (done.exit_code, len(done.output.splitlines())) == (2, 1)


@pytest.mark.skipif(not SAMPLE.is_file(), reason="τ-bench's sample is not here")
def test_score_tells_the_call_that_made_another_reward_than_the_recorded_one(
    tmp_path: Path,
) -> None:
    runs = json.loads(SAMPLE.read_text())
    run = next(run for run in runs if run["task_id"] == 46)
    assert run["reward"] == 1.0
    place, message = next(
        (place, each) for place, each in enumerate(run["traj"])
        if each["role"] == "tool" and each["name"] == "send_certificate"
    )  # fmt: skip
    run["traj"][place] = {**message, "content": "Error: no such user"}
    run["reward"] = run["info"]["reward_info"]["reward"] = 0.0
    run["info"]["reward_info"]["info"] = {"r_actions": 0.0, "gt_data_hash": "x"}
    path, db = tmp_path / "runs.json", ("--db", tmp_path / "s.db")
    path.write_text(json.dumps([run]))
    invoke("import", path, "--domain", "airline", "--data", TAU2, *db)
    told = invoke("score", *db).output
    assert "reward 1, recorded 0" in told
    assert "• The records were wrong there and are right here." in told
    assert "• send_certificate {" in told
    assert "failed there and is carried out here: “Error: no such user”." in told
    (scored,) = json.loads(invoke("score", *db, "--json").output)
    assert len(scored["why_otherwise"]) == 2
