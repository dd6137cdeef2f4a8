from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.events import (
    AgentSaid,
    ContextAssembled,
    CustomerSaid,
    ReflectionWritten,
    Scored,
    SessionEnded,
)
from sessions.exporting import Row, rows, write_jsonl
from sessions.store.errors import ExportError, StoreError
from sessions.store.store import Store
from tests.sessions.toy import CANCEL, applied, decided, shown, started, toy, used

CALL = {"name": "cancel", "arguments": {"order_id": "#W1"}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "sessions.db") as opened:
        yield opened


@pytest.fixture
def session(store: Store) -> str:
    domain = toy()
    session = store.start(started(domain, scenario="one"))[0].session
    reminder = ReflectionWritten(
        call_id="c1",
        call_name="cancel",
        arguments=dict(CANCEL.arguments),
        text="Think of ann@example.com.",
        policy_lines=("Ask first.",),
    )
    context = ContextAssembled(
        turn=1, sent=(1,), similarity={1: 0.5}, blocks=1, budget=9, tokens=3, retrieval="embedding"
    )
    said = CustomerSaid(text="cancel it", turn=1)
    store.append(session, [AgentSaid(text="Hi"), said, context, reminder, shown("a")])
    store.append(session, [decided("a", "ask", "why?"), decided("a", "reject", "wrong\nitem é")])
    store.append(session, [shown("b"), decided("b", "approve"), used("b")])
    store.append(session, [applied(domain.records(), "b"), SessionEnded(reason="customer")])
    scored = Scored(scenario="one", reward=1.0, records_match=True, communicated=True)
    store.append(session, [scored])
    return session


def lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_card_is_one_row_with_all_that_bore_on_it(store: Store, session: str) -> None:
    first, second = rows(store)
    log = store.read(session)
    assert first["call"] == first["next_call"] == CALL
    assert (first["session"], first["seq"], first["turn"]) == (session, 6, 1)
    assert (first["domain"], first["scenario"], first["model"]) == ("toy", "one", "clerk")
    assert first["card"]["sentence"] == "Cancel order #W1."
    assert first["card"]["closes"] == ["It cannot be taken back."]
    assert first["preconditions"][0]["verdict"] == "holds"
    assert first["effects"] == ["order #W1: pending → cancelled"]
    assert first["reflection"] == {
        "text": "Think of ann@example.com.", "policy_lines": ["Ask first."], "call_before": CALL
    }  # fmt: skip
    assert first["retrieved"] == {
        "retrieval": "embedding",
        "everything": False,
        "blocks": 1,
        "sent": [{"turn": 1, "words": "cancel it", "similarity": 0.5, "why": "everything fits"}],
        "near_misses": [],
    }
    assert (first["decision"], first["reason"], first["by"]) == (
        "reject", "wrong\nitem é", "person"
    )  # fmt: skip
    assert (first["time_to_decide_ms"], first["questions"]) == (900, ["why?"])
    assert (first["applied"], first["consented"]) == (None, False)
    assert (second["decision"], second["consented"]) == ("approve", True)
    assert second["applied"]["error"] is False
    assert second["next_call"] is None
    assert second["outcome"]["reward"] == 1.0
    assert second["hashes"] == {
        "card": log[8].hash, "decision": log[9].hash, "session": log[-1].hash
    }  # fmt: skip


def test_a_card_that_was_never_decided_is_a_row_all_the_same(store: Store) -> None:
    session = store.start(started())[0].session
    store.append(session, [CustomerSaid(text="x", turn=1), shown("a")])
    (row,) = rows(store, [session])
    assert [row[name] for name in ("decision", "reason", "by", "applied", "outcome")] == [None] * 5
    assert (row["reflection"], row["retrieved"]) == (None, None)


def test_a_card_that_a_fork_shares_with_its_parent_is_one_row(store: Store, session: str) -> None:
    decided_in_parent = store.fork(session, 8)[0].session
    assert [row["card"]["id"] for row in rows(store, [decided_in_parent])] == []
    waits = store.fork(session, 9)[0].session
    assert list(rows(store, [waits])) == []
    after = len(store.read(waits))
    store.append(waits, [decided("b", "reject", "no")], after=after)
    (row,) = rows(store, [waits])
    assert (row["card"]["id"], row["decision"]) == ("b", "reject")


def test_an_export_is_the_same_bytes_every_time_oldest_session_first(
    store: Store, session: str, tmp_path: Path
) -> None:
    later = store.start(started())[0].session
    store.append(later, [shown("z")])
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    assert [write_jsonl(rows(store), each) for each in files] == [3, 3]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [row["session"] for row in lines(files[0])] == [session, session, later]
    stream = io.StringIO()
    assert write_jsonl(rows(store), stream) == 3
    assert stream.getvalue() == files[0].read_text()


def test_every_text_of_a_row_passes_through_the_redaction(store: Store, session: str) -> None:
    exported = json.dumps(list(rows(store, redact=lambda text: text.replace("ann@", "[who]@"))))
    assert "ann@" not in exported
    assert "[who]@example.com" in exported


def test_a_file_that_is_there_is_not_overwritten_unless_forced(
    store: Store, session: str, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("precious")
    with pytest.raises(ExportError, match="exists already"):
        write_jsonl(rows(store), target)
    assert target.read_text() == "precious"
    write_jsonl(rows(store), target, force=True)
    assert len(lines(target)) == 2


def test_an_export_that_fails_leaves_what_was_there(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "out" / "out.jsonl"
    with pytest.raises(ExportError, match="cannot be written: No such file"):
        write_jsonl(rows(store), target)
    target.parent.mkdir()
    target.write_text("precious")
    with pytest.raises(StoreError):
        write_jsonl(rows(store, ["none"]), target, force=True)
    assert [each.name for each in target.parent.iterdir()] == ["out.jsonl"]
    assert target.read_text() == "precious"
