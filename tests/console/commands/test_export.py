from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import domains
from agent.models import redaction
from console import cli
from sessions.store.store import Store
from tests.sessions.recorded import record
from tests.sessions.toy import started

RETAIL = domains.load("retail")
ALL = ("confirmations", "preference", "sft", "tau2", "sessions", "html", "agentack")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.db"
    with Store.open(path) as store:
        record(store, RETAIL, RETAIL.scenarios[:2])
    return path


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli.saber, [str(each) for each in arguments])


def export(db: Path, *arguments: object) -> Result:
    return invoke("export", *arguments, "--db", db)


def ids(db: Path) -> list[str]:
    with Store.open(db, read_only=True) as store:
        return [each.id for each in store.sessions()]


@pytest.mark.parametrize("form", ALL)
def test_every_form_is_the_same_bytes_every_time(form: str, db: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "two"]
    for file in files:
        done = export(db, form, "--out", file, "--session", ids(db)[0])
        assert done.exit_code == 0, done.output
    assert files[0].read_bytes() == files[1].read_bytes() != b""


def test_without_a_form_the_file_holds_confirmations(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "set" / "cards.jsonl"
    out.parent.mkdir()
    done = export(db, "--out", out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert f"{len(rows)} cards written" in done.output
    assert {row["decision"] for row in rows} == {"approve", "reject"}
    assert f"{len(rows)} cards from 2 sessions" in out.with_name("README.md").read_text()


def test_the_files_ending_says_how_the_cards_are_written(db: Path, tmp_path: Path) -> None:
    export(db, "--out", tmp_path / "cards.csv")
    with (tmp_path / "cards.csv").open(newline="") as file:
        assert {row["tool"] for row in csv.DictReader(file)} <= {t.name for t in RETAIL.tools}


@pytest.mark.parametrize("form", ALL)
def test_nothing_is_overwritten_without_force(form: str, db: Path, tmp_path: Path) -> None:
    out = tmp_path / "precious"
    out.write_text("precious")
    one = ("--session", ids(db)[0])
    done = export(db, form, "--out", out, *one)
    assert (done.exit_code, out.read_text()) == (2, "precious")
    assert "exists already" in done.output
    assert export(db, form, "--out", out, *one, "--force").exit_code == 0
    assert out.read_text() != "precious"


def test_somebodys_readme_is_left_as_it_is(db: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("mine")
    done = export(db, "--out", tmp_path / "cards.jsonl")
    assert (done.exit_code, readme.read_text()) == (0, "mine")
    assert "already exists" in done.output


def test_a_link_is_not_followed_and_a_missing_folder_is_a_sentence(
    db: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "elsewhere")
    assert export(db, "sft", "--out", link).exit_code == 2
    assert export(db, "sft", "--out", link, "--force").exit_code == 0
    assert not link.is_symlink()
    assert not (tmp_path / "elsewhere").exists()
    done = export(db, "sft", "--out", tmp_path / "none" / "x.jsonl")
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1)


@pytest.mark.parametrize(("form", "ending"), [("html", ".html"), ("agentack", ".jsonl")])
def test_what_holds_one_session_takes_a_folder_for_several(
    form: str, ending: str, db: Path, tmp_path: Path
) -> None:
    done = export(db, form, "--out", tmp_path / f"all{ending}")
    assert (done.exit_code, "name one with --session" in done.output) == (2, True)
    assert export(db, form, "--out", tmp_path / "all").exit_code == 0
    assert {each.name for each in (tmp_path / "all").iterdir()} == {
        f"{each}{ending}" for each in ids(db)
    }


def test_only_the_sessions_asked_for_are_written(db: Path, tmp_path: Path) -> None:
    first = RETAIL.scenarios[0].id
    export(db, "sessions", "--out", tmp_path / "a", "--scenario", first)
    assert (tmp_path / "a").read_text().count('"head"') == 1
    done = export(db, "--out", tmp_path / "b", "--model", "nobody")
    assert "matches. Nothing was written" in done.output
    assert export(db, "sft", "--out", tmp_path / "c", "--session", "none").exit_code == 2


def test_redacted_exports_are_stable_by_their_seed_and_name_nobody(
    db: Path, tmp_path: Path
) -> None:
    texts = []
    for name, seed in (("a", "x"), ("b", "x"), ("c", "y")):
        done = export(db, "sft", "--out", tmp_path / name, "--redact", "--seed", seed)
        assert done.exit_code == 0, done.output
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1] != texts[2]
    people = RETAIL.base.collections["users"]
    assert not any(person in texts[0] for person in people)
    assert "user_" in texts[0]


@pytest.mark.parametrize("form", ["tau2", "sessions"])
def test_what_redaction_would_break_is_refused(form: str, db: Path, tmp_path: Path) -> None:
    done = export(db, form, "--out", tmp_path / "x", "--redact")
    assert (done.exit_code, (tmp_path / "x").exists()) == (2, False)
    assert f"--redact cannot be used with {form}" in done.output


def test_where_the_records_are_gone_nothing_is_redacted_by_guess(tmp_path: Path) -> None:
    db = tmp_path / "sessions.db"
    with Store.open(db) as store:
        (session,) = record(store, RETAIL, RETAIL.scenarios[:1], tmp_path / "gone")
    for form in ("confirmations", "preference", "sft", "html", "agentack"):
        done = export(db, form, "--out", tmp_path / "x", "--redact")
        assert (done.exit_code, (tmp_path / "x").exists()) == (2, False), form
        assert session in done.output
    done = export(db, "sft", "--out", tmp_path / "y")
    assert (done.exit_code, (tmp_path / "y").exists()) == (2, False)
    assert "1 sessions whose original records" in done.output


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
@pytest.mark.parametrize("form", ["confirmations", "preference", "sft", "tau2"])
def test_a_file_without_a_row_is_not_written_and_a_sentence_says_why(
    form: str, name: str, tmp_path: Path
) -> None:
    db, out = tmp_path / "s.db", tmp_path / name
    with Store.open(db) as store:
        store.record([started()])
    done = export(db, form, "--out", out)
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1), done.output
    assert "Nothing was written." in done.output
    assert [each.name for each in tmp_path.iterdir() if not each.name.startswith(db.name)] == []


@pytest.mark.parametrize("form", ALL)
def test_where_no_session_fits_nothing_is_written(form: str, db: Path, tmp_path: Path) -> None:
    done = export(db, form, "--out", tmp_path / "x", "--model", "nobody")
    assert (done.exit_code, (tmp_path / "x").exists()) == (2, False)
    assert "matches. Nothing was written" in done.output


@pytest.mark.parametrize("form", ["confirmations", "sft"])
def test_no_text_is_looked_through_for_secrets_twice(
    form: str, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Counter[str] = Counter()
    real = redaction.redact

    def counting(text: str) -> str:
        seen[text] += 1
        return real(text)

    monkeypatch.setattr(redaction, "redact", counting)
    assert export(db, form, "--out", tmp_path / "x").exit_code == 0
    assert len(seen) > 10
    assert seen.total() == len(seen)
