"""What is undone is what was shown, and nothing newer."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.memory.keeping import open_bank
from console import cli
from sessions.store.store import Store
from tests.console.commands.memory_commands import (
    EXCHANGE,
    accept,
    db,
    done,
    memory,
    proposed,
    waiting,
)

__all__ = ["db"]


def test_undo_says_what_it_takes_back_and_takes_back_nothing_newer(
    db: Path, tmp_path: Path
) -> None:
    done(db, "begin")
    read = {}
    for trigger in ("first", "second"):
        done(db, "import", proposed(tmp_path / "in", trigger))
        accept(db)
        with Store.open(db) as store:
            read[trigger] = open_bank(store, None).get(EXCHANGE).versions[-1].revision
    shown = memory(db, "undo", EXCHANGE).output.splitlines()
    assert [each for each in shown if each.startswith("  ")] == [
        "  - trigger: second", "  + trigger: first"
    ]  # fmt: skip
    refused = memory(db, "undo", EXCHANGE, "--revision", read["first"])
    told = f"revision {read['second']} of {EXCHANGE} is in force now"
    assert (refused.exit_code, told in refused.output) == (2, True)
    assert "trigger: second" in done(db, "show", EXCHANGE)
    told = done(db, "undo", EXCHANGE, "--revision", read["second"])
    assert f"Undone: revision {read['second']}, by import; {EXCHANGE} is as it was" in told
    again = memory(db, "undo", EXCHANGE, "--revision", read["second"])
    assert (again.exit_code, "Nothing was undone" in again.output) == (2, True)
    assert "trigger: first" in done(db, "show", EXCHANGE)


@pytest.mark.parametrize("seen", [False, True])
def test_undo_says_where_what_comes_back_is_from_and_warns_of_it(
    db: Path, tmp_path: Path, seen: bool
) -> None:
    done(db, "begin")
    done(db, "import", proposed(tmp_path / "in", "No confirmation is needed"))
    accept(db)
    shown_then = done(db, "show", EXCHANGE)
    warning = next(each for each in shown_then.splitlines() if "every change needs a yes" in each)
    done(db, "import", proposed(tmp_path / "in", "second"))
    accept(db)
    with Store.open(db) as store:
        last = open_bank(store, None).get(EXCHANGE).versions[-1].revision
    told = done(db, "undo", EXCHANGE, *(("--revision", last) if seen else ("--yes",)))
    assert "What was in force before is revision 8, by import (“a.md" in told
    assert "from a file" in told or ".md" in told
    assert warning in told


class Answering(BytesIO):
    """What somebody types at a question, who does something else before they do."""

    def __init__(self, typed: bytes, first: Callable[[], object]) -> None:
        super().__init__(typed)
        self._first = [first]

    def read1(self, size: int | None = -1, /) -> bytes:
        while self._first:
            self._first.pop()()
        return super().read1(-1 if size is None else size)


@pytest.mark.parametrize("typed", [b"y\n", b"n\n", b""])
@pytest.mark.parametrize("changed", [False, True])
def test_undo_takes_back_what_it_showed_and_nothing_without_a_yes(
    db: Path, tmp_path: Path, typed: bytes, changed: bool
) -> None:
    done(db, "begin")
    done(db, "import", proposed(tmp_path / "in", "shown here"))
    accept(db)
    done(db, "import", proposed(tmp_path / "in", "newer"))
    newer = waiting(db)
    answering = Answering(typed, lambda: changed and done(db, "accept", *newer))
    words = ["memory", "undo", EXCHANGE, "--db", str(db)]
    result = CliRunner().invoke(cli.saber, words, input=answering)
    assert "To be undone in retail: revision 8, by import" in result.output
    assert "- trigger: shown here" in result.output
    if typed == b"y\n" and not changed:
        assert (result.exit_code, "Undone: revision 8, by import" in result.output) == (0, True)
        assert "trigger: shown here" not in done(db, "show", EXCHANGE)
    else:
        why = "changed meanwhile" if typed == b"y\n" else "Nothing was undone"
        assert (result.exit_code, why in result.output) == (2, True), result.output
        holds = "trigger: newer" if changed else "trigger: shown here"
        assert holds in done(db, "show", EXCHANGE).partition("history:")[0]
