"""What is accepted is what was shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.memory.bank import Bank
from agent.memory.entry import Entry
from agent.memory.keeping import open_bank
from console import cli
from sessions.store.store import Store
from tests.console.commands.memory_commands import EXCHANGE, db, done, memory, proposed, waiting

__all__ = ["db"]


def test_what_was_shown_is_accepted_and_what_came_since_is_shown(db: Path, tmp_path: Path) -> None:
    done(db, "begin")
    done(db, "import", proposed(tmp_path / "in", "seen"))
    (seen,) = waiting(db)
    assert seen in done(db, "list")
    assert seen in done(db, "show", EXCHANGE)
    done(db, "import", proposed(tmp_path / "in", "never shown"))
    told = done(db, "accept", seen)
    assert "Proposed since then and not decided yet:" in told
    assert "+ trigger: never shown" in told
    with Store.open(db) as store:
        bank = open_bank(store, None)
    assert bank.entries[EXCHANGE].trigger == "seen"
    assert [each.entry.trigger for each in bank.waiting()] == ["never shown"]
    refused = memory(db, "accept", seen)
    assert (refused.exit_code, f"No proposal for “{seen}” waits" in refused.output) == (2, True)


@pytest.mark.parametrize("how", [("--all",), (EXCHANGE,)])
@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_what_is_not_named_by_its_id_is_shown_and_asked(
    db: Path, tmp_path: Path, how: tuple[str], answer: str
) -> None:
    done(db, "begin")
    done(db, "import", proposed(tmp_path / "in", "shown here"))
    words = ["memory", "accept", *how, "--db", str(db)]
    result = CliRunner().invoke(cli.saber, words, input=f"{answer}\n" if answer else "")
    assert "A file wants to change what is remembered" in result.output
    assert "+ trigger: shown here" in result.output
    assert (result.exit_code, waiting(db) == []) == ((0, True) if answer == "y" else (2, False))


@pytest.mark.parametrize("how", ["ids", "--all", EXCHANGE])
def test_of_two_of_one_capability_each_is_shown_against_what_it_would_replace(
    db: Path, tmp_path: Path, how: str
) -> None:
    done(db, "begin")
    done(db, "import", proposed(tmp_path / "in", "first"))
    done(db, "import", proposed(tmp_path / "in", "second"))
    first, second = waiting(db)
    names = (first, second) if how == "ids" else (how,)
    words = ["memory", "accept", *names, "--db", str(db)]
    refused = CliRunner().invoke(cli.saber, words, input="y\n" * 9)
    assert refused.exit_code == 2
    assert f"{first}, {second} are all about {EXCHANGE}" in refused.output
    assert waiting(db) == [first, second]
    told = done(db, "accept", second)
    assert "Proposed before that and not decided yet:" in told
    assert "- trigger: second" in told
    assert "+ trigger: first" in told
    assert f"Accepted: {EXCHANGE}.\n" in done(db, "accept", first)
    both = done(db, "undo", EXCHANGE, "--yes")
    assert "as it was before" in both
    assert "trigger: second" in done(db, "show", EXCHANGE)


def calls(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[str]:
    """One for each time that a method is called from here on."""
    made: list[str] = []
    method = getattr(owner, name)

    def count(*arguments: object) -> object:
        made.append(name)
        return method(*arguments)

    monkeypatch.setattr(owner, name, count)
    return made


def test_many_are_looked_up_without_comparing_each_with_every_other(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many, folder = 60, tmp_path / "in"
    folder.mkdir()
    for number in range(many):
        (folder / f"{number}.md").write_text(
            f"# c{number}\n- Tool: {EXCHANGE}\n- Domain: retail\n## Trigger\nx\n"
        )
    done(db, "import", folder)
    compared = calls(monkeypatch, Entry, "__eq__")
    assert f"{many} there already" in done(db, "import", folder)
    assert len(compared) <= 4 * many
    ids, looked = waiting(db), calls(monkeypatch, Bank, "waiting")
    done(db, "accept", *ids)
    assert len(looked) <= 10
