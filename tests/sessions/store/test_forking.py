from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    Labelled,
    ModelChanged,
    Noted,
    Reviewed,
    Scored,
    SessionEnded,
    SessionForked,
)
from sessions.scoring import records_of
from sessions.store.errors import AlreadyRecorded, StoreError
from sessions.store.forking import CannotFork, count_inherited, settings_changed
from sessions.store.store import Store
from sessions.views import status, transcript
from tests.effort import tries
from tests.sessions.store.test_laws import EVENTS
from tests.sessions.toy import CANCEL, applied, decided, shown, started, toy, used

WORDS = CustomerSaid(text="hello", turn=1)
SCORED = Scored(scenario="one", reward=1, records_match=True, communicated=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "sessions.db") as opened:
        yield opened


def recorded(store: Store, *events: AnyEvent) -> str:
    session = store.start(started())[0].session
    store.append(session, events)
    return session


def a_write(store: Store) -> str:
    """Events 2 to 6: words, card, yes, consent, write."""
    domain = toy()
    session = store.start(started(domain))[0].session
    written = applied(domain.records(), "a", CANCEL)
    store.append(session, [WORDS, shown("a"), decided("a", "approve"), used("a"), written])
    return session


@settings(max_examples=tries(60), deadline=None)
@given(st.lists(EVENTS, max_size=12), st.data())
def test_a_fork_has_its_parents_first_events_to_the_letter_and_a_chain_of_its_own(
    events: list[AnyEvent], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        session = store.start(started())[0].session
        for event in events:
            try:
                store.append(session, [event])
            except AlreadyRecorded:
                continue
        parent = store.read(session)
        at = data.draw(st.integers(1, len(parent)))
        fork = store.fork(session, at)
        end = count_inherited(fork)
        assert end <= at
        assert not any(isinstance(each.event, SessionEnded) for each in fork)
        told = [(each.seq, each.at, each.event) for each in fork]
        assert told[:-1] == [(each.seq, each.at, each.event) for each in parent[:end]]
        assert fork[-1].event == SessionForked(parent=session, seq=end)
        assert {each.session for each in fork} == {fork[0].session} != {session}
        assert fork[0].hash != parent[0].hash
        assert store.read(fork[0].session) == fork
        assert store.read(session) == parent
        assert store.verify() == []


def test_a_fork_can_be_forked_and_says_what_it_shares_with_its_own_parent(store: Store) -> None:
    session = recorded(store, WORDS, AgentSaid(text="hi"))
    first = store.fork(session, 2)[0].session
    store.append(first, [AgentSaid(text="hello")])
    second = store.fork(first, 4)
    assert count_inherited(second) == 4
    row = store.session(second[0].session)
    assert (row.parent, row.fork_seq, row.turns, row.head_seq) == (first, 4, 1, 5)
    assert [each.id for each in store.family()] == sorted([session, first, row.id])


def test_a_session_without_forks_is_in_no_family(store: Store) -> None:
    recorded(store, WORDS)
    assert store.family() == []


@pytest.mark.parametrize("at", [4, 6, None])
def test_a_fork_of_a_session_that_has_ended_is_open(store: Store, at: int | None) -> None:
    ended: list[AnyEvent] = [SessionEnded(reason="customer"), SCORED, Noted(text="after")]
    session = recorded(store, WORDS, AgentSaid(text="hi"), *ended)
    fork = store.fork(session, at)
    assert count_inherited(fork) == 3
    row = store.session(fork[0].session)
    assert (row.status, row.ended, row.reward) == ("open", None, None)


def test_no_fork_begins_between_a_consent_and_its_write(store: Store) -> None:
    session = a_write(store)
    with pytest.raises(CannotFork, match=r"made only at event 6.* before \(4\) or after \(6\)"):
        store.fork(session, 5)
    assert [each.id for each in store.sessions()] == [session]


def test_no_fork_tears_a_consent_from_its_write_where_somebody_judged_between(
    store: Store,
) -> None:
    domain = toy()
    judged: list[AnyEvent] = [
        Labelled(verdict="wrong", by="ann"),
        Reviewed(card_id="a", decision="reject", by="bob"),
    ]
    written = applied(domain.records(), "a", CANCEL)
    events = [WORDS, shown("a"), decided("a", "approve"), used("a"), *judged, written, *judged[:1]]
    session = recorded(store, *events)
    for at in (5, 6, 7):
        with pytest.raises(CannotFork, match=rf"{at} an .* event 8: .* \(4\) or after \(8\)"):
            store.fork(session, at)
    assert [count_inherited(store.fork(session, at)) for at in (4, 8, 9)] == [4, 8, 9]


def test_a_consent_that_a_crash_left_without_a_write_can_be_forked_after(store: Store) -> None:
    session = recorded(store, WORDS, shown("a"), decided("a", "approve"), used("a"))
    assert count_inherited(store.fork(session, 5)) == 5


@pytest.mark.parametrize("at", [0, -1, 7])
def test_a_fork_begins_at_an_event_that_there_is(store: Store, at: int) -> None:
    session = a_write(store)
    with pytest.raises(CannotFork, match="1 to 6"):
        store.fork(session, at)


def test_there_is_no_fork_of_a_session_that_was_deleted(store: Store) -> None:
    with pytest.raises(StoreError, match="There is no session"):
        store.fork("01M7YW8AX11W8CW9JXAVKHNCHM")


@pytest.mark.parametrize(("at", "coming"), [(3, "pending"), (4, "pending"), (6, "cancelled")])
def test_a_forks_records_are_its_prefixs(store: Store, at: int, coming: str) -> None:
    fork = store.fork(a_write(store), at)
    record = records_of(toy(), fork).get("orders", "#W1")
    assert record is not None
    assert record["status"] == coming


def test_a_waiting_card_waits_in_the_fork_and_a_decided_one_does_not(store: Store) -> None:
    session = a_write(store)
    waiting = status(store.fork(session, 3)).waiting_card
    assert waiting is not None
    assert waiting.id == "a"
    assert status(store.fork(session, 4)).waiting_card is None


def test_what_a_fork_is_held_with_is_recorded_with_it(store: Store) -> None:
    session = recorded(store, WORDS)
    now = status(store.read(session))
    off = now.safeguards.model_copy(update={"gate": False})
    changes = settings_changed(now, model="other", safeguards=off)
    fork = store.fork(session, 2, changes)
    then = status(fork)
    assert (then.model, then.safeguards) == ("other", off)
    assert store.session(fork[0].session).model == "other"
    assert settings_changed(then, model="other", safeguards=off) == []


def test_changes_that_cannot_be_recorded_leave_no_fork_behind(store: Store) -> None:
    session = a_write(store)
    with pytest.raises(AlreadyRecorded):
        store.fork(session, 6, [ModelChanged(model="m"), used("a")])
    assert [each.id for each in store.sessions()] == [session]


def test_a_fork_says_in_its_transcript_whose_copy_it_is(store: Store) -> None:
    session = recorded(store, WORDS)
    texts = [getattr(item, "text", "") for item in transcript(store.fork(session, 2))]
    assert texts == ["hello", f"A copy of session {session} up to event 2."]


def test_a_fork_costs_no_more_turns_and_cards_than_its_prefix_had(store: Store) -> None:
    row = store.session(store.fork(a_write(store), 6)[0].session)
    assert (row.turns, row.cards, row.writes) == (1, 1, 1)
    times = [each.at for each in store.read(row.id)]
    assert all(one <= other for one, other in pairwise(times))
