"""What a person writes into a memory: it fits the domain, and it is not lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.memory import markdown
from agent.memory.change import Change, Origin
from agent.memory.keeping import apply_changes, open_bank
from console import cli
from sessions.store.store import Store
from tests.console.commands.memory_commands import EXCHANGE, db, done, memory, rejected

__all__ = ["db"]

CHECK = "Each new item has different options"
WROTE = "A broken one may be exchanged for the same one."


def written(db: Path, check: str) -> str:
    with Store.open(db) as store:
        text = markdown.write(open_bank(store, None).entries[EXCHANGE], "retail")
    text = text.replace("## Policy", f"## Key insight\n\n{WROTE}\n\n## Policy")
    return f"{text}\n## Check\n\n- Name: {check}\n- Effect: relaxes\n"


def waits(db: Path, folder: Path) -> None:
    """Have an entry wait that the editor begins with."""
    file = folder / "waits.md"
    file.write_text(written(db, CHECK))
    done(db, "import", file)


def in_editor(
    db: Path, monkeypatch: pytest.MonkeyPatch, saved: list[str], *words: str, answers: str = ""
) -> Result:
    """A command whose editor saves these texts, one each time that it is opened."""
    monkeypatch.setattr("click.edit", lambda text, **_: saved.pop(0))
    return CliRunner().invoke(cli.saber, ["memory", *words, "--db", str(db)], input=answers)


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (CHECK.lower(), f"The card spells it “{CHECK}”."),
        (f"{CHECK}.", f"The card spells it “{CHECK}”."),
        ("No such check at all", "has no policy check “No such check at all”"),
        ("The order is delivered", "has no policy check"),  # the tool's own code sees to it
    ],
)
@pytest.mark.parametrize("way", ["--from", "edit", "learn"])
def test_a_check_is_named_as_the_card_names_it(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, check: str, told: str
) -> None:
    done(db, "begin")
    wrong, right = written(db, check), written(db, CHECK)
    if way == "--from":
        file = tmp_path / "a.md"
        file.write_text(wrong)
        refused = memory(db, "edit", EXCHANGE, "--from", file)
        assert (refused.exit_code, told in refused.output) == (2, True), refused.output
        file.write_text(right)
        done(db, "edit", EXCHANGE, "--from", file)
    else:
        waits(db, tmp_path)
        command = ["edit", EXCHANGE] if way == "edit" else ["learn", rejected(db)]
        more = [] if way == "edit" else ["--answer", "edit"]
        made = in_editor(db, monkeypatch, [wrong, right], *command, *more, answers="y\n")
        assert (made.exit_code, told in made.output) == (0, True), made.output
    assert f"check: relaxes “{CHECK}”" in done(db, "show", EXCHANGE)


def test_a_tool_that_the_domain_has_not_is_not_written(db: Path, tmp_path: Path) -> None:
    done(db, "begin")
    file = tmp_path / "a.md"
    file.write_text("# odd\n- Tool: rm_all\n## Trigger\nx\n")
    with Store.open(db) as store:
        refusal = Change(
            does="omit", capability="odd", origin=Origin(kind="person"), by="an older version"
        )
        apply_changes(store, open_bank(store, None), [refusal])
    refused = memory(db, "edit", "odd", "--from", file)
    assert (refused.exit_code, "has no tool “rm_all”" in refused.output) == (2, True)


@pytest.mark.parametrize("answers", ["n\n", ""])
def test_what_nobody_mends_is_given_back(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    done(db, "begin")
    waits(db, tmp_path)
    wrong = written(db, "Made up")
    refused = in_editor(db, monkeypatch, [wrong], "edit", EXCHANGE, answers=answers)
    assert (refused.exit_code, f"\n\n{wrong}" in refused.output) == (2, True), refused.output


@pytest.mark.parametrize("way", ["edit", "learn"])
def test_what_was_written_while_the_memory_changed_is_given_back(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    done(db, "begin")
    waits(db, tmp_path)
    wrote = written(db, CHECK)
    command = ["edit", EXCHANGE] if way == "edit" else ["learn", rejected(db), "--answer", "edit"]

    def edit(text: str, **_: object) -> str:
        with Store.open(db) as store:
            undo = Change(
                does="undo", capability="cancel_pending_order", origin=Origin(kind="person"), by="x"
            )
            apply_changes(store, open_bank(store, None), [undo])
        return wrote

    monkeypatch.setattr("click.edit", edit)
    refused = memory(db, *command)
    assert refused.exit_code == 2
    assert "was changed meanwhile" in refused.output
    assert f"This is what you wrote:\n\n{wrote}" in refused.output
