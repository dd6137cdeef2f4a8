from __future__ import annotations

import getpass
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import domains
from console import cli
from sessions.events import AgentSaid, CustomerSaid, Labelled, Logged, SessionEnded
from sessions.exporting.redacting import Redaction
from sessions.store.store import Store
from sessions.views import labels
from tests.sessions.recorded import record
from tests.sessions.toy import decided, shown, started

ENDED = SessionEnded(reason="customer")
RETAIL = domains.load("retail")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        session = store.start(started(scenario="one"))[0].session
        store.append(session, [CustomerSaid(text="Return the café mug", turn=1), shown("k1")])
        store.append(session, [decided("k1", "reject", "no"), shown("k2")])
        store.append(session, [decided("k2", "reject", "no"), AgentSaid(text="Left."), ENDED])
        store.record([started(domain="air"), CustomerSaid(text="Hello", turn=1)])
    return path


def sessions(db: Path) -> list[str]:
    with Store.open(db, read_only=True) as store:
        return [each.id for each in reversed(store.sessions())]


def saber(*arguments: object) -> Result:
    return CliRunner().invoke(cli.saber, [str(each) for each in arguments])


def label(db: Path, *arguments: object, session: str = "") -> Result:
    return saber("label", session or sessions(db)[0], *arguments, "--db", db)


def log(db: Path) -> list[Logged]:
    with Store.open(db, read_only=True) as store:
        return store.read(sessions(db)[0])


def held(db: Path) -> list[Labelled]:
    return [each.event for each in labels(log(db)) if isinstance(each.event, Labelled)]


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ((), ("session", None)),
        (("--event", 2), ("event", 2)),
        (("--card", 2), ("card", "k2")),
        (("--card", "k1"), ("card", "k1")),
    ],
)
def test_a_label_is_kept_in_the_log_of_an_ended_session(
    db: Path, where: tuple[object, ...], place: object
) -> None:
    before = log(db)
    more = ("--tag", "Wrong  Item", "--tag", "late", "--tag", "wrong item", "--note", " why\u202e ")
    done = label(db, "wrong", *where, *more, "--by", " Ann\nLee ")
    assert done.exit_code == 0, done.output
    (found,) = held(db)
    assert (found.place, found.verdict, found.by) == (place, "wrong", "Ann Lee")
    assert (found.tags, found.note) == (("wrong item", "late"), "why")
    assert log(db)[:-1] == before


def test_it_is_told_in_words_at_once_and_with_the_session(db: Path) -> None:
    done = label(db, "wrong", "--card", "k2", "--tag", "late", "--note", "not that", "--by", "ann")
    assert done.output == "Labelled card 2: wrong (labelled by ann): not that #late\n"
    label(db, "right", "--event", 2, "--by", "bob")
    label(db, "unclear", "--by", "ann")
    shown_ = saber("sessions", "show", sessions(db)[0], "--db", db).output.splitlines()
    assert shown_[-4:] == [
        "labels:",
        "  the session: unclear (labelled by ann)",
        "  event 2: right (labelled by bob)",
        "  card 2: wrong (labelled by ann): not that #late",
    ]
    assert "labels:" not in saber("sessions", "show", sessions(db)[1], "--db", db).output


def test_the_last_word_of_a_person_holds_beside_those_of_others(db: Path) -> None:
    for verdict, by in (("wrong", "ann"), ("right", "bob"), ("right", "ann")):
        label(db, verdict, "--by", by)
    assert [(each.verdict, each.by) for each in held(db)] == [("right", "bob"), ("right", "ann")]
    assert sum(isinstance(each.event, Labelled) for each in log(db)) == 3


def test_a_program_reads_what_was_recorded(db: Path) -> None:
    told = json.loads(label(db, "right", "--by", "ann", "--json").output)
    assert told == log(db)[-1].model_dump(mode="json")


def test_whoever_works_here_is_the_one_who_says_so(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carla")
    label(db, "right")
    assert held(db)[0].by == "carla"

    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 1234")

    monkeypatch.setattr(getpass, "getuser", nobody)
    done = label(db, "right")
    assert (done.exit_code, done.output) == (
        2, "Your user name is not known on this machine; say who gives the label. Use --by NAME.\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("right", "--event", "9"), "has 8 events; there is no event 9"),
        (("right", "--event", "0"), "0"),
        (("right", "--card", "3"), "2 cards were shown; there is no card 3"),
        (("right", "--card", "0"), "there is no card 0"),
        (("right", "--card", "9" * 5000), "there is no card"),
        (("right", "--card", "k3"), "there is no card k3"),
        (("right", "--card", "k1", "--event", "1"), "two places"),
        (("good",), "right"),
        (("right", "--by", " \u200b"), "needs an author"),
    ],
    ids=lambda value: None if isinstance(value, str) else " ".join(value)[:30],
)
def test_what_cannot_be_labelled_is_a_sentence(
    db: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    before = log(db)
    done = label(db, *arguments)
    assert done.exit_code == 2
    assert sentence in done.output
    assert log(db) == before


def test_an_unknown_session_or_file_is_a_sentence(db: Path) -> None:
    done = label(db, "right", session="nope")
    assert (done.exit_code, done.output) == (2, "There is no session nope.\n")
    done = saber("label", sessions(db)[1], "right", "--card", "1", "--db", db)
    assert "no card was shown; there is no card 1" in done.output
    missing = db.with_name("none.sqlite")
    done = saber("label", "x", "right", "--db", missing)
    assert (done.exit_code, "There is no session file" in done.output) == (2, True)
    assert not missing.exists()


def listed(db: Path, *arguments: str) -> list[dict[str, Any]]:
    done = saber("sessions", *arguments, "--json", "--db", db)
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_sessions_are_listed_by_label_and_tag_with_what_was_said_of_them(db: Path) -> None:
    label(db, "wrong", "--card", "1", "--tag", "late", "--by", "ann")
    label(db, "right", "--by", "ann", "--tag", "A b")
    (found,) = listed(db, "--label", "wrong")
    assert (found["labels"], found["tags"]) == ("1 right, 1 wrong", ["a b", "late"])
    for arguments, count in (
        (("--tag", "LATE"), 1),
        (("--tag", "a  B", "--label", "right"), 1),
        (("--tag", "a"), 0),
        (("--label", "unclear"), 0),
        ((), 2),
    ):
        assert len(listed(db, *arguments)) == count, arguments
    lines = saber("sessions", "--db", db).output.splitlines()
    assert lines[-1] == "    labelled 1 right, 1 wrong #a b #late"
    assert len(lines) == 3


def test_no_tag_is_no_question(db: Path) -> None:
    done = saber("sessions", "--tag", " ", "--db", db)
    assert (done.exit_code, done.output) == (2, "--tag contains no tag.\n")


@pytest.mark.parametrize("form", ["confirmations", "html", "sft", "agentack"])
def test_a_redacted_export_does_not_say_who_labelled(form: str, tmp_path: Path) -> None:
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        (session,) = record(store, RETAIL, RETAIL.scenarios[:1])
        street = next(iter(RETAIL.base.collections["users"].values()))["address"]["address1"]
    note = f"Hildegard would send it to {street}"
    label(db, "wrong", "--card", 1, "--by", "Hildegard", "--note", note, session=session)
    out = tmp_path / "out"
    plain = saber("export", form, "--db", db, "--out", out, "--session", session)
    named = out.read_text()
    assert plain.exit_code == 0, plain.output
    seeded = ("--redact", "--seed", "s", "--force", "--session", session)
    done = saber("export", form, "--db", db, "--out", out, *seeded)
    assert done.exit_code == 0, done.output
    told = out.read_text()
    assert "Hildegard" not in told
    assert street not in told
    if form in ("confirmations", "html"):
        assert named.count("Hildegard") == 2
        assert told.count(Redaction("s").stand_in("judge", "Hildegard")) == 2


@pytest.mark.parametrize("form", ["confirmations", "html"])
def test_a_redacted_export_names_no_judge_of_another_session_in_it(
    form: str, tmp_path: Path
) -> None:
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        first, second = record(store, RETAIL, RETAIL.scenarios[:2])
    label(db, "right", "--by", "ann lee", session=first)
    said = ("--note", "Ann Lee says wrong", "--tag", "ask ann lee")
    label(db, "wrong", "--card", 1, "--by", "bob", *said, session=second)
    out = tmp_path / "out"
    if form == "html":
        out.mkdir()
    plain = saber("export", form, "--db", db, "--out", out)
    assert (plain.exit_code, _told(out).lower().count("ann lee says")) == (0, 1), plain.output
    done = saber("export", form, "--db", db, "--out", out, "--redact", "--force")
    assert done.exit_code == 0, done.output
    assert "ann lee" not in _told(out).lower()


def _told(out: Path) -> str:
    files = sorted(out.iterdir()) if out.is_dir() else [out]
    return "".join(each.read_text() for each in files)
