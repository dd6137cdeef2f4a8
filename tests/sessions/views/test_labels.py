from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.events import (
    AnyEvent,
    CustomerSaid,
    Imported,
    Labelled,
    Logged,
    ModelChanged,
    Reviewed,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
)
from sessions.store import rebuilding
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find_all
from sessions.store.listing import columns_set_by, tag
from sessions.store.store import Store
from sessions.views import decision_rows, label_lines, labels, reflections, status, transcript
from sessions.views.labels import labels_by_place
from tests.effort import tries
from tests.sessions.toy import decided, log_of, shown, started
from tests.sessions.views.test_views import STORY

TAGS = ("late", "Late", " wrong  item", "item", "")
PLACES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({"about": "session"}),
    st.integers(1, 3).map(lambda seq: {"about": "event", "seq": seq}),
    st.sampled_from(["k1", "k2"]).map(lambda card: {"about": "card", "card_id": card}),
)
LABELS = st.builds(
    lambda place, **more: Labelled(**place, **more),
    place=PLACES,
    verdict=st.sampled_from(["right", "wrong", "unclear"]),
    tags=st.lists(st.sampled_from(TAGS), max_size=2).map(tuple),
    note=st.sampled_from(["", "look"]),
    by=st.sampled_from(["ann", "bob"]),
)
OTHERS: st.SearchStrategy[AnyEvent] = st.sampled_from(
    [
        CustomerSaid(text="a mug", turn=1),
        decided("k", "ask", "why?"),
        ModelChanged(model="other"),
        SafeguardsChanged(safeguards=Safeguards(gate=False)),
        SessionEnded(reason="customer"),
        Scored(scenario="one", reward=1, records_match=True, communicated=True),
        SessionForked(parent="01M7YW8AX11W8CW9JXAVKHNCHM", seq=1),
    ]
)
LOGS = st.lists(LABELS | OTHERS, max_size=12)
IMPORTED = Imported(source="tau2", file="runs.json", original="1", digest="d", task={})


@contextmanager
def opened() -> Iterator[Store]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "sessions.sqlite") as store,
    ):
        yield store


def recorded(store: Store, steps: Sequence[Sequence[AnyEvent]]) -> str:
    session = store.start(started())[0].session
    for step in steps:
        store.append(session, step)
    return session


def plainly(log: Sequence[Logged]) -> list[Logged]:
    """Labels after which neither the same person said another word of it nor the session forked."""
    found = []
    for place, entry in enumerate(log):
        label, later = entry.event, [each.event for each in log[place + 1 :]]
        if not isinstance(label, Labelled):
            continue
        again = any(
            isinstance(each, Labelled) and (each.by, each.place) == (label.by, label.place)
            for each in later
        )
        left = label.about == "session" and any(isinstance(each, SessionForked) for each in later)
        found += [] if again or left else [entry]
    return found


@given(LOGS)
@settings(max_examples=tries(300), deadline=None)
def test_the_labels_that_hold_are_those_that_nothing_later_replaced(events: list[AnyEvent]) -> None:
    log = log_of(started(), *events)
    assert labels(log) == plainly(log)
    found = labels_by_place(log)
    assert {place: [each.by for each in given] for place, given in found.items()} == {
        place: [each.by for each in _given(log) if each.place == place] for place in found
    }
    assert sum(map(len, found.values())) == len(label_lines(log)) == len(plainly(log))


def _given(log: Sequence[Logged]) -> list[Labelled]:
    return [each.event for each in plainly(log) if isinstance(each.event, Labelled)]


def test_labels_are_told_where_they_belong_the_session_first() -> None:
    log = log_of(
        started(),
        shown("k1"),
        Labelled(about="card", card_id="k2", verdict="wrong", by="ann", tags=("late", "x y")),
        shown("k2"),
        Labelled(about="event", seq=4, verdict="right", by="bob", note="as\nasked"),
        Labelled(about="card", card_id="gone", verdict="unclear", by="bob"),
        Labelled(verdict="unclear", by="bob"),
    )
    assert label_lines(log) == [
        "the session: unclear (labelled by bob)",
        "card gone: unclear (labelled by bob)",
        "event 4: right (labelled by bob): as asked",
        "card 2: wrong (labelled by ann) #late #x y",
    ]


@given(st.lists(st.lists(LABELS | OTHERS, max_size=4), max_size=4))
@settings(max_examples=tries(100), deadline=None)
def test_a_row_kept_up_while_appending_is_the_one_that_a_migration_makes(
    steps: list[list[AnyEvent]],
) -> None:
    with opened() as store:
        recorded(store, [[shown("k"), IMPORTED], *steps])
        kept = store.sessions()
        assert store.verify() == []
        assert store._writer is not None
        store._writer.submit(_forget_when).result()
        store._writer.submit(rebuilding.rebuild).result()
        assert store.sessions() == kept


def _forget_when(database: Any) -> None:
    database.execute("UPDATE sessions SET updated_at = ''")


@pytest.mark.parametrize(
    "judgement",
    [
        Labelled(verdict="wrong", by="ann"),
        Reviewed(card_id="k", decision="reject", by="ann"),
    ],
    ids=["label", "review"],
)
def test_the_session_used_last_is_the_one_that_was_gone_on_with_last(judgement: AnyEvent) -> None:
    with opened() as store:
        words = CustomerSaid(text="a mug", turn=1)
        judged, used = recorded(store, [[shown("k"), words]]), recorded(store, [[words]])
        before = store.session(judged).updated_at
        store.append(judged, [judgement])
        assert [each.id for each in store.unfinished_sessions()] == [used, judged]
        store.append(judged, [words, judgement.model_copy(update={"by": "bob"})])
        assert [each.id for each in store.unfinished_sessions()] == [judged, used]
        assert store.session(judged).updated_at == store.read(judged)[4].at > before
        assert store.verify() == []


@given(st.lists(LOGS, max_size=5), st.sampled_from(["right", "wrong", "unclear", None]),
       st.sampled_from([*TAGS, "LATE", None]))  # fmt: skip
@settings(max_examples=tries(100), deadline=None)
def test_what_is_found_by_label_and_tag_is_what_a_plain_reading_of_every_log_finds(
    logs: list[list[AnyEvent]], verdict: Any, wanted: str | None
) -> None:
    with opened() as store:
        sessions = [recorded(store, [events]) for events in logs]
        expected = []
        for session in reversed(sessions):
            given_ = _given(store.read(session))
            tags = {" ".join(one.split()).lower() for each in given_ for one in each.tags} - {""}
            fits = verdict is None or any(each.verdict == verdict for each in given_)
            if fits and (wanted is None or " ".join(wanted.split()).lower() in tags):
                expected.append(session)
        found = find_all(store, SessionFilter(label=verdict, tag=wanted))
        assert [each.row.id for each in found] == expected


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("wrong item", True), ("Wrong  ITEM ", True), ("item", False), ("wrong", False), ("", False)],
)
def test_a_tag_is_a_whole_one(wanted: str, found: bool) -> None:
    with opened() as store:
        recorded(store, [[]])
        session = recorded(store, [[Labelled(verdict="wrong", by="ann", tags=("Wrong item",))]])
        rows = [each.row.id for each in find_all(store, SessionFilter(tag=wanted))]
        assert rows == ([session] if found else [])


@given(LOGS)
@settings(max_examples=tries(60), deadline=None)
def test_the_files_own_view_has_every_label_and_knows_which_hold(events: list[AnyEvent]) -> None:
    with opened() as store:
        session = recorded(store, [events])
        log = store.read(session)
        with store.reading() as database:
            database.execute("PRAGMA trusted_schema=ON")
            rows = list(database["labels"].rows)
        assert [row["seq"] for row in rows] == [
            each.seq for each in log if isinstance(each.event, Labelled)
        ]
        assert [row["seq"] for row in rows if row["holds"]] == [each.seq for each in plainly(log)]
        for row in rows:
            label = log[row["seq"] - 1].event
            assert isinstance(label, Labelled)
            assert (row["session"], row["by"], row["verdict"]) == (session, label.by, label.verdict)
            assert (row["about"], row["event"], row["card"]) == (
                label.about, label.seq, label.card_id
            )  # fmt: skip
            assert (tuple(json.loads(row["tags"])), row["note"]) == (label.tags, label.note)


def test_a_fork_has_the_labels_of_what_it_shares_and_none_of_its_parent_as_a_whole() -> None:
    with opened() as store:
        whole, event = Labelled(verdict="wrong", by="ann"), CustomerSaid(text="hello", turn=1)
        part = Labelled(about="event", seq=2, verdict="right", by="ann", tags=("polite",))
        parent = recorded(store, [[event, whole, part]])
        fork = store.fork(parent)
        assert [each.event for each in labels(fork)] == [part]
        row = store.session(fork[0].session)
        assert (row.labels, row.tags) == ("1 right", "polite")
        assert store.verify() == []


@given(st.integers(1, len(STORY)))
def test_what_is_said_of_a_session_changes_nothing_that_it_shows(cut: int) -> None:
    log = log_of(*STORY)
    judging: list[AnyEvent] = [
        Labelled(verdict="wrong", by="ann"),
        Reviewed(card_id="a", decision="approve", by="bob"),
    ]
    said = [
        Logged(session=log[0].session, seq=900 + n, at=log[cut - 1].at, event=event, hash="h")
        for n, event in enumerate(judging)
    ]
    judged = [*log[:cut], *said, *log[cut:]]
    assert transcript(judged) == transcript(log)
    assert decision_rows(judged) == decision_rows(log)
    assert (status(judged), reflections(judged)) == (status(log), reflections(log))


def test_an_ended_session_is_labelled_and_stays_as_it_stood() -> None:
    with opened() as store:
        ended, scored = SessionEnded(reason="customer"), Scored(
            scenario="one", reward=1, records_match=True, communicated=True
        )  # fmt: skip
        session = recorded(store, [[ended, scored], [Labelled(verdict="unclear", by="ann")]])
        row = store.session(session)
        assert (row.status, row.result, row.labels) == ("ended", "right", "1 unclear")


def test_a_list_that_says_another_label_than_its_log_is_noticed() -> None:
    with opened() as store:
        session = recorded(store, [[Labelled(verdict="wrong", by="ann")]])

        def forge(database: Any) -> None:
            database.execute("UPDATE sessions SET labels = '1 right'")

        assert store._writer is not None
        store._writer.submit(forge).result()
        assert store.verify() == [
            f"The list entry of session {session} differs from its log in: labels."
        ]


def test_nothing_is_added_to_labels_that_were_changed_in_the_file() -> None:
    with opened() as store:
        session = recorded(store, [[Labelled(verdict="wrong", by="ann")]])

        def forge(database: Any) -> None:
            database.execute("DROP TRIGGER events_are_never_changed")
            database.execute("UPDATE events SET payload = replace(payload, 'wrong', 'right')")

        assert store._writer is not None
        store._writer.submit(forge).result()
        with pytest.raises(StoreError, match="changed"):
            store.append(session, [Labelled(verdict="wrong", by="bob")])


@given(st.text())
@settings(deadline=None)
def test_a_tag_is_one_line_in_small_letters_however_often_it_is_made(text: str) -> None:
    made = tag(text)
    assert tag(made) == made
    assert "\n" not in made
    assert tag(f" {text.upper()}\n") == tag(text.upper())
    told = columns_set_by([Labelled(verdict="right", by="ann", tags=(text,))])
    assert told["tags"] == made
