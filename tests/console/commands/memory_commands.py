"""What the tests of `saber memory` share: the commands as typed, and what they are about."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import domains
from agent.memory.keeping import open_bank
from console import cli
from sessions.events import DecisionMade
from sessions.store.store import Store
from tests.sessions.toy import shown, started

EXCHANGE = "exchange_delivered_order_items"
REASON = "No. A broken item may be exchanged for the identical item."


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.sqlite"
    Store.open(path).close()
    return path


def memory(db: Path, *arguments: object) -> Result:
    words = ["memory", *map(str, arguments), "--db", str(db)]
    return CliRunner().invoke(cli.saber, words)


def done(db: Path, *arguments: object) -> str:
    result = memory(db, *arguments)
    assert result.exit_code == 0, result.output
    return result.output


def accept(db: Path, *capabilities: str, bank: str | None = None) -> str:
    """Accept by their ids what waits of these capabilities, or all of it."""
    with Store.open(db, read_only=True) as store:
        waiting = open_bank(store, bank).waiting()
    ids = [
        each.id
        for each in waiting
        if each.entry.capability in (capabilities or [each.entry.capability])
    ]
    return done(db, "accept", *ids, *(() if bank is None else ("--bank", bank)))


def saber(*arguments: object) -> Result:
    return CliRunner().invoke(cli.saber, [str(each) for each in arguments])


def rejected(db: Path, by: str = "person", words: str = REASON) -> str:
    held = domains.load("retail")
    with Store.open(db) as store:
        card = shown("k1")
        of_exchange = card.model_copy(
            update={"card": card.card.model_copy(update={"tool": EXCHANGE})}
        )
        return store.record(
            [
                started(held, domain="retail"),
                of_exchange,
                DecisionMade(card_id="k1", decision="reject", words=words, by=by, milliseconds=1),
            ]
        )


def waiting(db: Path) -> list[str]:
    with Store.open(db, read_only=True) as store:
        return [each.id for each in open_bank(store, None).waiting()]


def proposed(folder: Path, trigger: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_text(
        f"# {EXCHANGE}\n- Tool: {EXCHANGE}\n- Domain: retail\n## Trigger\n{trigger}\n"
    )
    return folder
