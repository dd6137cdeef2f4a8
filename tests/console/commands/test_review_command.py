from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from console import cli, opening
from console.setup import Setup
from sessions.events import Imported, Reviewed
from sessions.store.store import Store
from tests.agent.recorded import Turn, held
from tests.console.forked_saber import saber as in_fork
from tests.sessions.toy import decided, shown, started

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))


def saber(*words: str, db: Path) -> Result:
    return CliRunner().invoke(cli.saber, [*words, "--db", str(db)])


@pytest.fixture
async def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    with Store.open(path) as store:
        await held(store, STORY, end=True)
        await held(store, STORY[:1])
    return path


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Setup]:
    """What the app is opened with, instead of opening it; one card is decided meanwhile."""
    found: list[Setup] = []

    def decide_one(setup: Setup, *, begin: bool) -> None:
        found.append(setup)
        assert setup.review is not None
        assert setup.review.record("reject", "no", 900)
        setup.review.advance()

    monkeypatch.setattr(opening, "open_app", decide_one)
    return found


def ids(db: Path) -> list[str]:
    """The session that ended, then the one that did not."""
    with Store.open(db, read_only=True) as store:
        return [row.id for row in reversed(store.sessions())]


def test_it_tells_how_many_were_decided_and_goes_on_until_none_is_left(
    db: Path, opened: list[Setup]
) -> None:
    done = saber("review", "--by", "bo", db=db)
    assert done.exit_code == 0
    again = f"saber review --by bo --db {db}"
    assert done.stdout == f"1 card decided as bo.\nTo continue: {again}\n"
    done = saber("review", "--by", " bo ", db=db)
    assert done.stdout == "1 card decided as bo.\nNo card is left.\n"
    done = saber("review", "--by", "bo", db=db)
    assert done.exit_code == 0
    assert done.stdout == "Nothing to review: bo has been through all 2 cards there are.\n"
    assert len(opened) == 2


def test_what_was_skipped_is_told_to_be_left(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def skip_all(setup: Setup, *, begin: bool) -> None:
        assert setup.review is not None
        while setup.review.advance():
            pass

    monkeypatch.setattr(opening, "open_app", skip_all)
    again = f"saber review --by bo --db {db}"
    told = f"To see the skipped cards again, and those after them: {again}\n"
    assert saber("review", "--by", "bo", db=db).stdout == f"No card was decided. {told}"


def test_the_command_that_goes_on_is_the_one_that_was_typed(db: Path, opened: list[Setup]) -> None:
    typed = ("review", "--by", "bo b", "--domain", "jars", "--raw")
    last = saber(*typed, db=db).stdout.splitlines()[-1]
    words = shlex.split(last.removeprefix("To continue: "))
    assert (words[0], {*words[1:]}) == ("saber", {*typed, "--db", str(db)})
    assert saber(*words[1:-2], db=db).stdout.startswith("1 card decided as bo b.\nNo card is left.")
    assert len(opened) == 2


def test_sessions_that_have_not_ended_are_put_up_only_where_they_are_named(
    db: Path, opened: list[Setup]
) -> None:
    saber("review", "--by", "bo", db=db)
    saber("review", ids(db)[1], "--by", "bo", db=db)
    done, named = (each.review for each in opened)
    assert done is not None
    assert named is not None
    assert (done.sessions, named.sessions) == (1, 1)
    with Store.open(db, read_only=True) as store:
        assert [type(store.read(each)[-1].event) for each in ids(db)] == [Reviewed, Reviewed]


def test_sessions_are_chosen_as_they_are_listed(db: Path, opened: list[Setup]) -> None:
    assert saber("review", "--domain", "jars", "--search", "3 from red", db=db).exit_code == 0
    for words in (("--domain", "retail"), ("--model", "x"), ("--search", "elephants")):
        done = saber("review", *words, db=db)
        assert done.exit_code == 0
        assert done.stdout.startswith("Nothing to review: no matching session that has ended")
    assert len(opened) == 1


def test_without_a_name_it_is_the_login(
    db: Path, opened: list[Setup], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "kim")
    assert saber("review", db=db).stdout.startswith("1 card decided as kim.")

    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr("getpass.getuser", nobody)
    done = saber("review", db=db)
    assert done.exit_code == 2
    assert "--by NAME" in done.stderr


@pytest.mark.parametrize("name", ["", "  ", "the Customer", "person", "x" * 61, "‮", "@bo"])
def test_a_name_that_would_mislead_is_refused(db: Path, opened: list[Setup], name: str) -> None:
    done = saber("review", "--by", name, db=db)
    assert done.exit_code == 2
    assert opened == []


def test_nothing_recorded_or_nothing_with_cards_is_a_sentence(tmp_path: Path) -> None:
    db = tmp_path / "sessions.sqlite"
    done = saber("review", db=db)
    assert (done.exit_code, "nothing to review" in done.stdout) == (0, True)
    assert not db.exists()
    with Store.open(db) as store:
        run = Imported(source="tau1", file="runs.json", original="7", task={}, digest="d")
        session = store.record([started(), run])
    done = saber("review", db=db)
    assert (done.exit_code, done.stdout.startswith("Nothing to review")) == (0, True)
    done = saber("review", session, db=db)
    assert done.exit_code == 2
    assert done.stderr == f"Session {session} was imported and has no cards to review.\n"
    assert "There is no session nope." in saber("review", "nope", db=db).stderr


def test_named_sessions_are_not_chosen_among_as_well(db: Path) -> None:
    assert saber("review", ids(db)[0], "--domain", "jars", db=db).exit_code == 2


def test_a_review_is_for_a_terminal(db: Path) -> None:
    done = in_fork("review", "--by", "bo", "--db", str(db))
    assert done.returncode == 2
    assert done.stderr.startswith("saber needs a terminal")
    assert done.stdout == ""


def agreed(tmp_path: Path) -> Path:
    """Two sessions, with reviews of both cards of the first."""
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        for _ in range(2):
            cards = [each for name in "ab" for each in (shown(name), decided(name, "reject"))]
            session = store.record([started(), *cards])
        for card, decision in (("a", "reject"), ("b", "approve")):
            review = Reviewed.model_validate({"card_id": card, "decision": decision, "by": "bo"})
            store.append(session, [review])
    return db


def test_stats_tell_how_far_people_agree(tmp_path: Path) -> None:
    db = agreed(tmp_path)
    text = " ".join(saber("stats", db=db).stdout.split())
    assert "Reviewed by bo: 2 cards of 1 session" in text
    assert "agree 50.0 % – 2 the customer and bo: approve or not" in text
    assert "Cohen's κ 0.00 – 2 the customer and bo: approve or not" in text
    assert "Krippendorff's α 0.00 – 2 all who decided: approve or not" in text
    assert "approve, reject or change" not in text, "nobody asked for a change"
    assert "It is not known of 2 cards whether the change was wrong." in text
    assert "nan" not in text
    found = json.loads(saber("stats", "--json", db=db).stdout)
    (group,) = found["groups"]
    assert group["reviews"] == found["reviews"]
    assert found["reviews"]["approval"]["pairs"][0]["kappa"]["value"] == 0
    assert found["sessions"][1]["reviewed"][0]["decisions"] == {
        "the customer": "reject", "bo": "reject"
    }  # fmt: skip


def test_without_reviews_stats_say_nothing_of_them(db: Path) -> None:
    assert "eview" not in saber("stats", db=db).stdout
    found = json.loads(saber("stats", "--json", db=db).stdout)
    assert found["reviews"] is None
    assert [group["reviews"] for group in found["groups"]] == [None]
