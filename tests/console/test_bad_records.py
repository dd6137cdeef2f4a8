from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent.gate.operator import AutoApprover
from agent.session.conversation import Conversation
from console import cli
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, call
from tests.console.forked_saber import in_terminal
from tests.console.stage import FIND, PLAIN
from tests.domains.retail.test_quirks import store as small_store
from tests.toy import toy_domain


def without_users(content: dict[str, Any]) -> None:
    del content["users"]


def of_a_wrong_type(content: dict[str, Any]) -> None:
    content["orders"]["#W1"]["items"] = "m1"


def of_nobody(content: dict[str, Any]) -> None:
    content["orders"]["#W1"]["user_id"] = "bob"


def priceless(content: dict[str, Any]) -> None:
    content["products"]["mug"]["variants"]["m1"]["price"] = float("nan")


def spoilt(folder: Path, spoil: Callable[[dict[str, Any]], None] | None) -> str:
    (folder / "policy.md").write_text("# Policy", encoding="utf-8")
    with (folder / "db.json").open("w", encoding="utf-8") as file:
        if spoil is None:
            file.truncate(200 * 1024**2)
        else:
            content = small_store()
            spoil(content)
            json.dump(content, file)
    return str(folder)


BAD = {
    "missing table": (without_users, "does not hold a retail store: users: field required"),
    "wrong type": (of_a_wrong_type, "orders.#W1.items: input should be a valid list"),
    "dangling reference": (of_nobody, "orders.#W1.user_id: users has no 'bob'"),
    "NaN price": (priceless, "products.mug.variants.m1.price: input should be a finite number"),
    "200 MB of junk": (None, "db.json is larger than 32 MB"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_command_on_bad_records_ends_with_a_sentence_and_exit_code_2(
    tmp_path: Path, kind: str
) -> None:
    spoil, told = BAD[kind]
    done = CliRunner().invoke(cli.saber, ["scenarios", "--data", spoilt(tmp_path, spoil)])
    assert done.exit_code == 2
    assert told in done.output
    assert len(done.output.splitlines()) == 1


@pytest.fixture
async def recorded(tmp_path: Path) -> Path:
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        model = ScriptedModel(*FIND, call("take", jar="red", coins=3), "Seven are left.")
        held = await Conversation.start(
            store, toy_domain(), model, AutoApprover(), safeguards=PLAIN
        )
        await held.say("three coins")
    return db


@pytest.mark.parametrize("kind", ["NaN price", "200 MB of junk"])
def test_playing_on_bad_records_leaves_a_sentence_and_the_session_file_as_it_was(
    tmp_path: Path, recorded: Path, kind: str
) -> None:
    spoil, told = BAD[kind]
    before = recorded.read_bytes()
    output, code = in_terminal("play", "--data", spoilt(tmp_path, spoil), "--db", str(recorded))
    assert told in " ".join(output.split())
    assert "Traceback" not in output
    assert code == 2
    assert recorded.read_bytes() == before
