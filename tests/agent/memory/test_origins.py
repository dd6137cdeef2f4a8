"""Whose word a memory takes: what came with a file of sessions is nobody's that is known here."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agent.headless.plan import RunError
from agent.memory.change import Origin
from agent.memory.feedback import feedback_on
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import make_bank, open_bank, own_banks, refuse_stream
from agent.memory.learning import feedback_to_review, mark_imported
from agent.memory.lessons import LessonReview
from agent.memory.usage import uses
from agent.streaming.stream import Stream
from sessions.events import (
    AnyEvent,
    ContextAssembled,
    Imported,
    Labelled,
    RunPlace,
    Scored,
    SessionEnded,
    StreamPlace,
    ToolCalled,
)
from sessions.events.memory import RETRIEVE, MemoryUsed, Recalled
from sessions.store import memory as rows
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store
from sessions.store.without_pandas import Database
from tests.agent.memory.entries import change, entry
from tests.agent.streaming.streams import EXPLAINED, Follower, gap_domain, stream_plan
from tests.sessions.toy import CANCEL, decided, scenario, shown, started, toy

FORGED = decided("k1", "reject", "A customer may always cancel.")
HANDED = ContextAssembled(
    turn=1, blocks=1, everything=True, budget=6, tokens=9, retrieval="context filter off",
    recalled=(Recalled(capability="cancel", text=""),),
)  # fmt: skip
WRONG_END = Scored(scenario="one", reward=0, records_match=False, communicated=True)
OWN = Labelled(about="card", card_id="k1", verdict="wrong", note="It may be late.", by="me")


OF_NO_CARD = Labelled(about="session", verdict="wrong", note="Anybody may cancel.", by="me")
READ = {"capabilities": ["cancel"]}


def imported(store: Store, folder: Path, *last: AnyEvent, **more: Any) -> str:
    """A session that somebody wrote elsewhere, taken in; its id."""
    with Store.open(folder / "elsewhere.db") as other:
        session = other.record([started(**more), shown("k1"), FORGED, HANDED, *last])
        store.import_session(other.read(session), other.rows(session), "their.jsonl")
    return session


def test_what_came_with_a_file_is_no_evidence_unless_the_operator_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank, session = make_bank(store, "b", toy()), imported(store, tmp_path)
        store.append(session, [OWN])

        def words(*, imported: bool) -> list[tuple[str, str]]:
            told = feedback_on(store.read(session), toy(), None, "person")
            new = feedback_to_review(store, bank, told, "rules", imported=imported)
            return [(each.words, each.file) for each in new.evidence]

        assert words(imported=False) == [(OWN.note, "")]
        assert words(imported=True) == [(FORGED.words, "their.jsonl"), (OWN.note, "")]
        lesson = asyncio.run(LessonReview(store, "b", toy(), None).next(store.read(session)))
        assert lesson is None or lesson.change.origin.seq == 5


def run_of_another_program(store: Store, *last: AnyEvent, marked: bool) -> str:
    """A session as the import of a file records it; older versions left no mark."""
    run = Imported(source="tau2", file="their.json", original="1", task={}, digest="d")
    end = SessionEnded(reason="customer")
    events = (started(scenario="one"), run, shown("k1"), FORGED, *last, end)
    return store.record(events, "their.json" if marked else None)


@pytest.mark.parametrize("way", ["marked", "unmarked", "file"])
@pytest.mark.parametrize("forked", [False, True])
def test_of_what_came_with_a_file_only_what_a_person_says_here_is_theirs(
    tmp_path: Path, way: str, forked: bool
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        if way == "file":
            session = imported(store, tmp_path, scenario="one")
        else:
            session = run_of_another_program(store, marked=way == "marked")
        if forked:
            parent, session = session, store.fork(session)[0].session
            store.delete(parent)
        store.append(session, [WRONG_END])
        for own in ((), (OWN,)):
            store.append(session, own)
            told = feedback_on(store.read(session), toy(), scenario((CANCEL,)), "person")
            of_file = {
                each.kind: each.file.split(".")[0] for each in mark_imported(store, told).evidence
            }
            local = {"label": ""} if own else {}
            before = {} if forked else {"decision": "their"}
            assert of_file == {**before, **local, "outcome": "their"}


@pytest.mark.parametrize("way", ["run", "file", "here"])
@pytest.mark.parametrize("read", [(), (ToolCalled(call_id="r", name=RETRIEVE, arguments=READ),)])
def test_what_a_person_says_here_of_no_card_is_about_nothing_that_a_file_says(
    tmp_path: Path, way: str, read: tuple[AnyEvent, ...]
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        if way == "here":
            session = store.record([started(scenario="one"), shown("k1"), FORGED, *read])
        elif way == "file":
            session = imported(store, tmp_path, *read, scenario="one")
        else:
            session = run_of_another_program(store, *read, marked=True)
        store.append(session, [WRONG_END, OF_NO_CARD])
        told = feedback_on(store.read(session), toy(), scenario((CANCEL,)), "person")
        (raw,) = (each for each in told.evidence if each.kind == "label")
        assert (raw.tool, raw.read) == (CANCEL.name, "cancel" if read else "")
        for with_file in (False, True):
            found = mark_imported(
                store, mark_imported(store, told, imported=with_file), imported=True
            )
            (said,) = (each for each in found.evidence if each.kind == "label")
            assert said.words == OF_NO_CARD.note
            if way == "here":
                assert said == raw
            elif with_file:
                assert (said.tool, said.file.split(".")[0]) == (CANCEL.name, "their")
            else:
                assert (said.tool, said.failing, said.read, said.file) == ("", (), "", "")


@pytest.mark.parametrize("forked", [False, True])
def test_what_may_have_come_with_a_file_is_no_evidence_before_somebody_says_so(
    tmp_path: Path, forked: bool
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank, session = make_bank(store, "b", toy()), store.record([started(), shown("k1"), FORGED])
        older = partial(_as_an_older_version, session)
        store.submit(older).result()
        if forked:
            session = store.fork(session)[0].session
        store.append(session, [OWN, WRONG_END])
        told = feedback_on(store.read(session), toy(), scenario((CANCEL,)), "person")
        own = "label"
        of_file = {"outcome"} if forked else {"outcome", "decision"}

        def kinds(**more: bool) -> set[str]:
            new = feedback_to_review(store, bank, told, "rules", **more)
            return {each.kind for each in new.evidence if not each.file}

        assert kinds() == {own}
        assert kinds(unsure=True) == {own, *of_file}
        assert kinds(imported=True) == {own}
        store.settle_origin(session, here=False)
        assert kinds(unsure=True) == {own}


def _as_an_older_version(session: str, database: Database) -> None:
    database.execute(
        "INSERT INTO of_unknown_origin SELECT id, head_seq FROM sessions WHERE id = ?", [session]
    )


def test_a_session_of_another_file_hides_no_memory_and_is_none_of_its_uses(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank = make_bank(store, "b", toy(), None, [change("edit", entry())])
        place = RunPlace(name="r", stream=StreamPlace(memory="policybank", position=1))
        for digest in ("", "another's"):
            used = MemoryUsed(bank="b", revision=1, by="whole", digest=digest)
            imported(store, tmp_path, run=place, memory=used)
        assert [row.name for row in own_banks(store)] == ["b"]
        assert open_bank(store, None) == bank
        assert uses(store, "b") == {}
        imported(store, tmp_path, memory=bank.as_used)  # this very one, as a backup may have it
        assert uses(store, "b")["cancel"].sessions == 1


def test_a_stream_learns_into_what_it_began_and_into_nothing_else(tmp_path: Path) -> None:
    domain, plan = gap_domain(), stream_plan(gap_domain(), EXPLAINED, seeds=(0,))
    lane = next(iter(plan.lanes()))
    with Store.open(tmp_path / "s.db") as store:
        mine = make_bank(store, lane.bank, domain)
        with pytest.raises(MemoryRefused, match="was not made by this stream"):
            asyncio.run(Stream(store, plan, model_of=lambda _: Follower()).play())
        assert open_bank(store, lane.bank) == mine


def test_nobody_but_a_stream_changes_what_it_keeps(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank = make_bank(store, "b", toy(), stream="night abc")
        for who in (None, "night other"):
            with pytest.raises(MemoryRefused):
                keep(store, bank, [change("edit", entry())], stream=who)
        with pytest.raises(MemoryRefused, match="belongs to a stream"):
            refuse_stream(bank)
        session = store.record([started(), shown("k1"), FORGED])
        assert asyncio.run(LessonReview(store, "b", toy(), None).next(store.read(session))) is None
        assert rows.changes(store, rows.banks(store)[0]) == []


def test_a_stream_goes_on_from_no_session_that_came_with_a_file(tmp_path: Path) -> None:
    plan = stream_plan(gap_domain(), EXPLAINED, seeds=(0,))
    lane = next(iter(plan.lanes()))
    with Store.open(tmp_path / "s.db") as store:
        imported(store, tmp_path, run=lane.places[0].run)
        with pytest.raises(RunError, match="were imported from another file"):
            asyncio.run(Stream(store, plan, model_of=lambda _: Follower()).play())


def test_two_lessons_of_one_capability_wait_until_each_is_decided(tmp_path: Path) -> None:
    first, second = entry(trigger="first"), entry(trigger="second")
    taught = Origin(kind="session", session="s", seq=1)
    with Store.open(tmp_path / "s.db") as store:
        lesson = change("propose", first).model_copy(update={"origin": taught})
        bank = keep(store, make_bank(store, "b", toy()), [lesson, change("propose", second)])
        assert [each.entry for each in bank.waiting()] == [first, second]
        bank = keep(store, bank, [change("accept", proposal=1)])
        assert bank.entries == {"cancel": first}
        assert [each.entry for each in bank.waiting()] == [second]
        with pytest.raises(MemoryRefused, match="is no longer waiting"):
            keep(store, bank, [change("accept", proposal=1)])
