from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import domains
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    Labelled,
    Noted,
    Reviewed,
    SessionEnded,
)
from sessions.exporting import raw, write_jsonl
from sessions.importing import import_sessions
from sessions.store.chain import GENESIS, Row, seal
from sessions.store.errors import ImportRefused, StoreError
from sessions.store.store import Store
from tests.effort import tries
from tests.sessions.recorded import record
from tests.sessions.toy import decided, shown, started, used

Line = dict[str, Any]


def export(store: Store, path: Path) -> Path:
    write_jsonl(raw.lines(store, [each.id for each in reversed(store.sessions())]), path)
    return path


def exported(tmp_path: Path, *sessions: list[AnyEvent]) -> Path:
    with Store.open(tmp_path / "first.db") as store:
        for events in sessions:
            store.record(events)
        return export(store, tmp_path / "first.jsonl")


SHORT: list[AnyEvent] = [
    started(),
    CustomerSaid(text="Hi", turn=1),
    SessionEnded(reason="customer"),
]


def test_export_import_export_is_byte_identical(tmp_path: Path) -> None:
    retail = domains.load("retail")
    with Store.open(tmp_path / "first.db") as store:
        record(store, retail, retail.scenarios[:3])
        session = store.record([started(), CustomerSaid(text="unfinished", turn=1), shown("a")])
        label = Labelled(about="card", card_id="a", verdict="wrong", tags=("late",), by="ann")
        store.append(session, [label, Reviewed(card_id="a", decision="approve", by="bob")])
        first = export(store, tmp_path / "first.jsonl")
        lists = store.sessions()
    with Store.open(tmp_path / "second.db") as store:
        report = import_sessions(store, first)
        second = export(store, tmp_path / "second.jsonl")
        assert store.verify() == []
        assert [(each.id, each.title, each.reward, each.labels) for each in store.sessions()] == [
            (each.id, each.title, each.reward, each.labels) for each in lists
        ]
    assert lists[0].labels == "1 wrong"
    assert len(report.sessions) == 4
    assert first.read_bytes() == second.read_bytes()


text = st.text(max_size=40)
event = st.one_of(
    st.builds(AgentSaid, text=text),
    st.builds(Noted, text=text),
    st.builds(CustomerSaid, text=text, turn=st.integers(0, 2**60)),
    st.builds(
        Labelled,
        about=st.sampled_from(["session", "event", "card"]),
        seq=st.none() | st.integers(1, 3),
        card_id=st.none() | text,
        verdict=st.sampled_from(["right", "wrong", "unclear"]),
        tags=st.lists(text, max_size=3).map(tuple),
        note=text,
        by=text,
    ),
)


@settings(max_examples=tries(25))
@given(events=st.lists(event, max_size=8))
def test_whatever_was_said_comes_back_to_the_byte(
    events: list[AnyEvent], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    first = exported(folder, [started(), *events])
    with Store.open(folder / "second.db") as store:
        import_sessions(store, first)
        assert export(store, folder / "second.jsonl").read_bytes() == first.read_bytes()
        assert store.verify() == []


def test_a_session_that_is_here_stays_as_it_is(tmp_path: Path) -> None:
    first = exported(tmp_path, SHORT)
    with Store.open(tmp_path / "first.db") as store:
        report = import_sessions(store, first)
        assert (report.sessions, report.already) == ([], 1)
        session = store.sessions()[0].id
        store.append(session, [Noted(text="mine")])
        with pytest.raises(StoreError, match="already exists here with a different log"):
            import_sessions(store, first)
        assert len(store.read(session)) == 4


def damaged(path: Path, change: Callable[[list[Line]], Any]) -> Path:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


DAMAGES: dict[str, tuple[str, Callable[[list[Line]], Any]]] = {
    "a changed word": ("has been changed", lambda lines: lines[3]["payload"].update(text="No")),
    "a dropped event": ("has been changed", lambda lines: lines.pop(3)),
    "a dropped end": ("has been changed", lambda lines: lines.pop()),
    "no events": ("has no events", lambda lines: lines.__delitem__(slice(2, None))),
    "no header": ("first line is not their header", lambda lines: lines[0].update(format="x")),
    "a newer version": ("newer version", lambda lines: lines[0].update(version=2)),
    "a path for an id": ("not a session id", lambda lines: lines[1].update(session="../../x")),
    "no session": ("belongs to no session", lambda lines: lines.pop(1)),
    "a number as text": ("is not an event", lambda lines: lines[2].update(seq="1")),
    "a list as payload": ("is not an event", lambda lines: lines[2].update(payload=[])),
    "the wrong key": ("has been changed", lambda lines: lines[3].update(key="k")),
    "no end": ("does not say where it ends", lambda lines: lines[1].pop("head")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_whole_is_refused_and_nothing_is_kept(
    damage: str, tmp_path: Path
) -> None:
    sentence, change = DAMAGES[damage]
    path = damaged(exported(tmp_path, SHORT), change)
    with Store.open(tmp_path / "second.db") as store:
        with pytest.raises(ImportRefused, match=sentence):
            import_sessions(store, path)
        assert store.sessions() == []


def resealed(lines: list[Line]) -> None:
    """Make the hashes fit again, as somebody who forges a file would."""
    last = GENESIS
    for line in lines[2:]:
        line["prev_hash"] = last
        payload = json.dumps(line["payload"], separators=(",", ":"))
        row = Row(lines[1]["session"], line["seq"], line["type"], line["key"], line["v"],
                  line["at"], payload, last, "")  # fmt: skip
        last = line["hash"] = seal(row.values)
    lines[1].update(head=last, events=len(lines) - 2)


def _with_another_word(lines: list[Line]) -> None:
    lines[3]["payload"].update(text="No")
    resealed(lines)


def _with_another_key(lines: list[Line]) -> None:
    lines[-1]["key"] = None
    resealed(lines)


def _twice(lines: list[Line]) -> None:
    lines.append({**lines[-1], "seq": len(lines) - 1})
    resealed(lines)


def _without_a_start(lines: list[Line]) -> None:
    lines.pop(2)
    for seq, line in enumerate(lines[2:], 1):
        line["seq"] = seq
    resealed(lines)


def _of_another_kind(lines: list[Line]) -> None:
    lines[3]["type"] = "DROP TABLE sessions"
    resealed(lines)


FORGERIES: dict[str, Callable[[list[Line]], None]] = {
    "the wrong key": _with_another_key,
    "happens twice": _twice,
    "does not begin with a session_started event": _without_a_start,
    "cannot read": _of_another_kind,
}


@pytest.mark.parametrize("sentence", FORGERIES)
def test_hashes_that_fit_do_not_get_a_forged_log_in(sentence: str, tmp_path: Path) -> None:
    events: list[AnyEvent] = [*SHORT[:2], shown("a"), decided("a", "approve"), used("a")]
    path = damaged(exported(tmp_path, events), FORGERIES[sentence])
    with Store.open(tmp_path / "second.db") as store:
        with pytest.raises(ImportRefused, match=sentence):
            import_sessions(store, path)
        assert store.sessions() == []


def test_a_second_session_that_is_damaged_keeps_the_first_out_too(tmp_path: Path) -> None:
    path = damaged(exported(tmp_path, SHORT, SHORT), lambda lines: lines.pop())
    with Store.open(tmp_path / "second.db") as store:
        with pytest.raises(ImportRefused):
            import_sessions(store, path)
        assert store.sessions() == []


def test_another_log_of_the_same_length_is_not_taken_for_the_one_that_is_here(
    tmp_path: Path,
) -> None:
    path = damaged(exported(tmp_path, SHORT), _with_another_word)
    with Store.open(tmp_path / "first.db") as store:
        with pytest.raises(StoreError, match="already exists here with a different log"):
            import_sessions(store, path)
        assert store.read(store.sessions()[0].id)[1].event == SHORT[1]
