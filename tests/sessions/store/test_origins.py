"""Of which sessions it is not known whether they were recorded in their file."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sessions.events import CustomerSaid
from sessions.store.store import Store
from tests.sessions.store.test_schema import EARLIER, as_made_by
from tests.sessions.toy import started


def unknown(store: Store) -> dict[str, int]:
    """How many events of unknown origin each session has, where it has any."""
    found = {row.id: store.events_of_unknown_origin(row.id) for row in store.sessions()}
    return {session: events for session, events in found.items() if events}


@pytest.mark.parametrize("version", EARLIER)
def test_what_an_older_version_left_is_of_unknown_origin_but_for_what_tells_its_own(
    tmp_path: Path, version: int
) -> None:
    with Store.open(as_made_by(version, tmp_path / "sessions.sqlite")) as store:
        rows = store.sessions()
        told = [each.id for each in rows if store.foreign_origin(each.id)]
        assert len(told) == (version >= 2) + (version >= 5)  # a run, what was marked
        assert unknown(store) == {
            each.id: len(store.rows(each.id)) for each in rows if each.id not in told
        }
        new = store.start(started())[0].session
        assert new not in unknown(store)


def test_a_file_that_began_with_the_version_that_marks_knows_them_all(tmp_path: Path) -> None:
    path = as_made_by(5, tmp_path / "sessions.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE _sqlite_migrations SET applied_at = (SELECT max(applied_at) FROM "
                       "_sqlite_migrations)")  # fmt: skip
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert unknown(store) == {}


@pytest.mark.parametrize("here", [True, False])
def test_a_fork_has_what_its_parent_had_and_a_person_settles_it(tmp_path: Path, here: bool) -> None:
    with Store.open(as_made_by(1, tmp_path / "sessions.sqlite")) as store:
        session, events = next(iter(unknown(store).items()))
        store.append(session, [CustomerSaid(text="hello", turn=9)])
        assert store.events_of_unknown_origin(session) == events
        fork = store.fork(session, 1)[0].session
        assert store.events_of_unknown_origin(fork) == 1
        store.settle_origin(session, here=here)
        assert session not in unknown(store)
        found = store.foreign_origin(session)
        assert (found and found.events) == (None if here else events)
        assert store.events_of_unknown_origin(fork) == 1
        store.delete(session)
        assert store.check() == store.verify() == []
