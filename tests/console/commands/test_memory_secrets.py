"""No key gets into a memory, whoever wrote it there, nor out of one."""

from __future__ import annotations

from pathlib import Path

import pytest

import domains
from sessions.store.store import Store
from tests.console.commands.memory_commands import EXCHANGE, accept, db, done, memory, saber

__all__ = ["db"]

KEY = "canary-key-0123456789"


CHECK = "Each new item has different options"


def written(folder: Path, *, name: str = "odd", key: str = KEY, check: str = CHECK) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{key}.md"
    file.write_text(
        f"# {name}\n- Tool: {EXCHANGE}\n- Domain: retail\n## Trigger\nuse {key}\n"
        f"## Eligibility\n- with {key}\n## Check\n- Name: {check}\n- Effect: relaxes\n"
        f"- Condition: {key}\n"
    )
    return file


def bytes_of(db: Path) -> bytes:
    return b"".join(each.read_bytes() for each in db.parent.glob(f"{db.name}*"))


def test_a_key_in_a_file_or_an_edit_reaches_no_row_no_screen_and_no_file(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    done(db, "begin")
    imported = done(db, "import", written(tmp_path / "in"))
    own = written(tmp_path / "own", name=EXCHANGE)
    edited = done(db, "edit", EXCHANGE, "--from", own)
    accept(db, "odd")
    shown = [done(db, "show", name) for name in ("odd", EXCHANGE)]
    assert all("trigger: use [redacted]" in each for each in shown)
    assert f"check: relaxes “{CHECK}” where [redacted]" in shown[0]
    done(db, "export", "--out", tmp_path / "out")
    files = "".join(each.read_text() for each in (tmp_path / "out").glob("*.md"))
    assert "use [redacted]" in files
    assert KEY not in "".join((imported, edited, *shown, files))
    assert KEY.encode() not in bytes_of(db)


def told(db: Path, *how: str) -> str:
    """All that a session's log says that is held with a memory."""
    task = next(iter(domains.load("retail").scenarios)).id
    assert saber("run", "--tasks", task, *how, "--name", "r", "--db", db).exit_code == 0
    with Store.open(db, read_only=True) as store:
        return "".join(row.payload for row in store.rows(store.sessions()[0].id))


def test_what_became_a_key_later_leaves_no_memory(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = "another-canary-9876543210"  # a secret that was in use once stays one
    done(db, "import", written(tmp_path / "in", key=later))
    accept(db, "odd")
    assert later in done(db, "show", "odd")
    monkeypatch.setenv("OPENAI_API_KEY", later)
    done(db, "export", "--out", tmp_path / "out")
    assert later not in (tmp_path / "out" / "odd.md").read_text()
    assert later not in done(db, "show", "odd")
    rows = told(db, "--memory", "retail", "--memory-by", "whole")
    assert later not in rows
    assert "use [redacted]" in rows


def test_an_entry_whose_name_is_a_key_is_a_sentence(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canarykey0123456789")
    refused = memory(db, "import", written(tmp_path / "in", name="canarykey0123456789"))
    assert (refused.exit_code, "is a secret key that is in use" in refused.output) == (2, True)
    assert b"canarykey0123456789" not in bytes_of(db)


def test_a_check_that_is_a_key_is_not_told(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    refused = memory(db, "import", written(tmp_path / "in", check=KEY))
    assert (refused.exit_code, "has no policy check" in refused.output) == (2, True)
    assert KEY not in refused.output


@pytest.mark.parametrize("named", ["begin", "import"])
def test_no_memory_is_named_by_a_key(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    file = written(tmp_path / "in")
    how = ("begin", "--name") if named == "begin" else ("import", file, "--bank")
    refused = memory(db, *how, f"x{KEY}")
    assert (refused.exit_code, "contains a secret key that is in use" in refused.output) == (
        2,
        True,
    )
    assert KEY not in refused.output
    assert KEY.encode() not in bytes_of(db)


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("text", ["- Domain: {}\n", "## {}\n", "# odd\n# {}\n"])
def test_what_is_wrong_with_a_file_is_told_without_a_key(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, made: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    if made:
        done(db, "begin")
    file = tmp_path / f"{KEY}.md"
    file.write_text(f"# odd\n- Tool: {EXCHANGE}\n{text.format(KEY)}## Trigger\nx\n")
    refused = memory(db, "import", file)
    assert refused.exit_code == 2
    assert KEY not in refused.output


def test_a_domain_is_told_on_one_line(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"# a\n- Tool: {EXCHANGE}\n- Domain: {'⠀ ' * 9_000}\n## Trigger\nx\n")
    refused = memory(db, "import", file)
    assert refused.exit_code == 2
    assert "⠀" not in refused.output
    assert len(refused.output) < 400
