from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from console import cli
from sessions.events import Reviewed
from sessions.store.store import Store
from tests.imported import FORBIDDEN, WRITES, take_in
from tests.shared_data import TAU2

DEV = TAU2.with_name("tau1") / "gpt-4o-airline.dev.json"


def saber(*words: object) -> Result:
    return CliRunner().invoke(cli.saber, [str(each) for each in words])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "s.db"
    with Store.open(path) as store:
        take_in(store, tmp_path)
    return path


def listed(db: Path, *words: object) -> list[dict[str, Any]]:
    done = saber("cards", "--db", db, "--json", *words)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["left_out"] == []
    return list(found["cards"])


def counted(db: Path) -> dict[str, Any]:
    done = saber("stats", "--cards", "--db", db, "--json")
    assert done.exit_code == 0, done.output
    (group,) = json.loads(done.stdout)["groups"]
    return dict(group)


def test_every_write_is_listed_with_its_verdict_and_what_its_card_said(db: Path) -> None:
    found = listed(db)
    assert [each["verdict"] for each in found] == [
        "right", "wrong", "right", "against the policy", "right"
    ]  # fmt: skip
    assert len(found[3]["rules"]) == 1
    assert {each["origin"] for each in found} == {"recorded"}
    text = saber("cards", "--db", db).stdout
    assert f'cancel_reservation(reservation_id="{FORBIDDEN}")' in text
    for each in found:
        assert f"  event {each['seq']}: {each['sentence']}\n        {each['call']['name']}(" in text
    rule = found[3]["rules"][0]
    assert f"expected by the task, but against the policy: ✗ {rule}" in text
    assert text.count(f"        ✗ {rule} · ") == 2
    assert f"{WRITES} changes: 3 right; 1 wrong; 1 expected by the task" in text


def test_sessions_are_named_or_chosen(db: Path) -> None:
    session = listed(db)[1]["session"]
    assert len(listed(db, "--session", session)) == 2
    assert listed(db, "--domain", "retail") == []
    assert len(listed(db, "--all", "--model", "gpt-test")) == WRITES
    both = saber("cards", "--db", db, "--session", session, "--all")
    assert (both.exit_code, "not both" in both.output) == (2, True)


def test_the_table_counts_what_one_counts_by_hand(db: Path) -> None:
    group = counted(db)
    assert (group["name"], group["sessions"]) == ("airline · gpt-test", 4)
    assert (group["wrong"], group["right"], group["against_the_policy"]) == (1, 3, 1)
    by_hand = [each for each in listed(db) if each["verdict"] in ("right", "wrong")]
    fails = [any(line["verdict"] == "fails" for line in each["lines"]) for each in by_hand]
    right = [failed for each, failed in zip(by_hand, fails, strict=True) if each["rules"] == []
             and each["verdict"] == "right"]  # fmt: skip
    assert group["any_check"]["wrong"]["count"] == 1
    assert group["any_check"]["right"]["count"] == sum(right)
    identity = next(each for each in group["lines"] if each["name"].startswith("You were identi"))
    shares = [(identity["caught"][side]["count"], identity["caught"][side]["n"])
              for side in ("wrong", "right")]  # fmt: skip
    assert shares == [(0, 1), (1, 3)]
    text = " ".join(saber("stats", "--cards", "--db", db).stdout.split())
    assert "Not in any share: 1 expected by the task but against the policy." in text
    assert "Any ✗ or disagreement 1/1 100.0 % 20.7 to 100.0" in text
    assert text.index("on wrong: on how many cards of wrong changes") < text.index("Any ✗ or")
    silent = [each["name"] for each in group["lines"]
              if not any(side["count"] for side in each["caught"].values())]  # fmt: skip
    assert silent
    told = "1 line" if len(silent) == 1 else f"{len(silent)} lines"
    assert f"And {told} that no right or wrong change has." in text
    assert not any(f"✗ fails: {name}" in text for name in silent)
    assert "✗ fails: You were identi" in text
    assert "A reader refuses a change by not approving it." in text


def test_readers_are_counted_by_form_and_their_agreement_as_for_live_cards(db: Path) -> None:
    cards = {each["card_id"]: each for each in listed(db)}
    with Store.open(db) as store:
        for by, form in (("ann", "card"), ("bo", "card"), ("cy", "raw")):
            for card, each in cards.items():
                decision = "approve" if by == "cy" or each["verdict"] != "wrong" else "reject"
                review = {"card_id": card, "decision": decision, "by": by, "form": form}
                store.append(each["session"], [Reviewed.model_validate(review)])
        assert store.verify() == []
    readers = {each["name"]: each["caught"] for each in counted(db)["readers"]}
    told = {name: (caught["wrong"]["count"], caught["right"]["count"])
            for name, caught in readers.items()}  # fmt: skip
    assert told == {"ann": (1, 0), "bo": (1, 0), "cy": (0, 0)}
    text = " ".join(saber("stats", "--db", db).stdout.split())
    assert "agree 100.0 %" in text
    assert "5 ann and bo: approve or not" in text
    assert "hits 100.0 % 20.7 to 100.0 1 wrong cards that ann did not approve" in text
    assert "false alarms 0.0 % 0.0 to 56.1 3 right cards that bo did not approve" in text
    assert "hits 0.0 % 0.0 to 79.3 1 wrong cards that cy, shown the bare call did not" in text


def test_records_that_are_not_here_are_told_and_the_rest_is_counted(
    db: Path, tmp_path: Path
) -> None:
    with Store.open(db) as store:
        started = store.read(store.sessions()[0].id)
        first = started[0].event.model_copy(update={"data": str(tmp_path / "gone")})
        gone = store.record([first, *(each.event for each in started[1:])])
    done = saber("cards", "--db", db)
    assert done.exit_code == 0
    assert "Left out: " in done.stderr
    assert gone not in done.stdout
    assert f"{WRITES} changes" in done.stdout


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_plot_is_a_picture_of_the_kind_that_its_name_says(
    db: Path, tmp_path: Path, ending: str
) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / f"cards.{ending}"
    done = saber("stats", "--cards", "--db", db, "--plot", out)
    assert done.exit_code == 0, done.output
    content = out.read_bytes()
    if ending == "png":
        assert content.startswith(b"\x89PNG\r\n")
    else:
        assert ElementTree.fromstring(content).tag.endswith("svg")
    again = saber("stats", "--cards", "--db", db, "--plot", out)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)
    assert saber("stats", "--cards", "--db", db, "--plot", out, "--force").exit_code == 0
    assert out.read_bytes() == content


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--cards", "--plot", "cards.pdf"), "must end in .png or .svg"),
        (("--cards", "--plot", "nowhere/cards.png"), "There is no folder nowhere"),
        (("--plot", "cards.png"), "give both"),
        (("--cards", "--plot", "folder.png"), "is a folder"),
    ],
)
def test_a_plot_that_cannot_be_drawn_is_a_sentence(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    done = saber("stats", "--db", db, *words)
    assert (done.exit_code, sentence in done.stderr) == (2, True)


def test_without_matplotlib_it_is_told_how_to_get_it(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = saber("stats", "--cards", "--db", db, "--plot", tmp_path / "a.png")
    assert (done.exit_code, "install saber-console[plot]" in done.stderr) == (2, True)


def test_bad_input_is_a_sentence(tmp_path: Path) -> None:
    for words in (("cards",), ("stats", "--cards")):
        done = saber(*words, "--db", tmp_path / "none.db")
        assert (done.exit_code, "There is no session file" in done.stderr) == (2, True)
    Store.open(tmp_path / "empty.db").close()
    assert saber("cards", "--db", tmp_path / "empty.db", "--session", "nope").exit_code == 2
    done = saber("stats", "--cards", "--db", tmp_path / "empty.db")
    assert (done.exit_code, "has a change for which a card" in done.stdout) == (0, True)


def test_the_dataset_has_these_cards_by_their_origin(db: Path, tmp_path: Path) -> None:
    for words in ((), ("--redact",)):
        out = tmp_path / "cards.jsonl"
        assert saber("export", "--db", db, "--out", out, "--force", *words).exit_code == 0
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [each["origin"] for each in rows] == ["recorded"] * WRITES
        assert all(each["decision"] is each["shown_at"] is None for each in rows)
        assert all(each["applied"]["error"] is False for each in rows)
        cards = [each["card"]["id"] for each in rows]
        assert sorted(cards) == sorted(each["card_id"] for each in listed(db))


@pytest.mark.skipif(not (DEV.is_file() and TAU2.is_dir()), reason="τ-bench's runs are not here")
@pytest.mark.heavy
def test_every_write_of_a_real_models_conversations_has_a_card_and_most_a_verdict(
    tmp_path: Path,
) -> None:
    db = tmp_path / "s.db"
    took = saber("import", DEV, "--domain", "airline", "--data", TAU2, "--db", db)
    assert took.exit_code == 0
    with Store.open(db, read_only=True) as store:
        writes = sum(row.writes for row in store.sessions())
    found = listed(db)
    assert len(found) == writes > 100
    decided = [each for each in found if each["verdict"] != "not decidable"]
    assert len(decided) >= 0.95 * writes
    assert all(each["rules"] for each in found if each["verdict"] == "against the policy")
    group = counted(db)
    assert group["wrong"] + group["right"] + group["against_the_policy"] == len(decided)
