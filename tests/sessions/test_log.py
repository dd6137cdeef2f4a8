from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sessions.events import AgentSaid, AnyEvent, CustomerSaid, Labelled, Logged, Reviewed
from sessions.log import Log
from sessions.store.errors import AlreadyRecorded, SessionBusy, StoreError
from sessions.store.store import Store
from tests.sessions.toy import started, used

WORDS = CustomerSaid(text="hello", turn=1)


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    with Store.open(tmp_path / "sessions.db") as store:
        yield await Log.start(store, started())


def recorded(log: Log) -> list[Logged]:
    return log.store.read(log.session)


def holding(log: Log) -> threading.Event:
    """Keep the writing thread busy until the event that is returned is set."""
    release = threading.Event()
    log.store.submit(lambda _: release.wait(10))
    return release


async def test_a_log_that_is_opened_again_is_the_same_log(log: Log) -> None:
    await log.append(WORDS, AgentSaid(text="Hi"))
    again = await Log.open(log.store, log.session)
    assert again.events == log.events == recorded(log)
    await again.append(AgentSaid(text="more"))
    assert [each.seq for each in again.events] == [1, 2, 3, 4]


async def test_subscribers_hear_each_event_once_in_order_and_after_it_is_durable(log: Log) -> None:
    heard: list[Logged] = []

    def hear(logged: Logged) -> None:
        assert logged in recorded(log)
        assert logged in log.events
        heard.append(logged)

    stop = log.subscribe(hear)
    await asyncio.gather(*(log.append(AgentSaid(text=str(n)), WORDS) for n in range(10)))
    stop()
    await log.append(WORDS)
    assert heard == log.events[1:21] == recorded(log)[1:21]


async def test_a_subscriber_that_fails_is_reported_and_keeps_nothing_from_the_others(
    log: Log,
) -> None:
    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
    heard: list[Logged] = []

    def fail(logged: Logged) -> None:
        raise RuntimeError("a broken pane")

    log.subscribe(fail)
    log.subscribe(heard.append)
    await log.append(WORDS)
    assert len(heard) == len(reports) == 1
    assert str(reports[0]["exception"]) == "a broken pane"


async def test_cancelling_a_write_that_was_handed_over_waits_for_its_outcome(log: Log) -> None:
    heard: list[Logged] = []
    log.subscribe(heard.append)
    release = holding(log)
    writing = asyncio.create_task(log.append(WORDS))
    for _ in range(5):
        await asyncio.sleep(0.01)
        writing.cancel()
    await asyncio.sleep(0.01)
    assert not writing.done()
    assert heard == []
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert len(log.events) == 2
    assert heard == log.events[1:] == recorded(log)[1:]


async def test_what_others_say_of_a_session_meanwhile_does_not_stop_it(log: Log) -> None:
    heard: list[Logged] = []
    log.subscribe(heard.append)
    judgements: list[AnyEvent] = [
        Labelled(verdict="wrong", by="bob"),
        Reviewed(card_id="c", decision="reject", by="bob"),
    ]
    log.store.append(log.session, judgements)
    await log.append(WORDS, AgentSaid(text="Hi"))
    assert log.events == recorded(log)
    assert [each.event for each in heard] == [*judgements, WORDS, AgentSaid(text="Hi")]


async def test_a_cancellation_is_not_lost_where_others_judged_meanwhile(log: Log) -> None:
    log.store.append(log.session, [Labelled(verdict="wrong", by="bob")])
    release = holding(log)
    writing = asyncio.create_task(log.append(WORDS))
    await asyncio.sleep(0.01)
    writing.cancel()
    await asyncio.sleep(0)
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert WORDS not in [each.event for each in recorded(log)]


async def test_what_is_held_while_something_else_is_written_is_recorded_with_the_next(
    log: Log,
) -> None:
    release = holding(log)
    writing = asyncio.create_task(log.append(WORDS))
    await asyncio.sleep(0.01)
    log.hold(AgentSaid(text="held"))
    release.set()
    await writing
    await log.append(AgentSaid(text="next"))
    found = [WORDS, AgentSaid(text="held"), AgentSaid(text="next")]
    assert [each.event for each in recorded(log)[1:]] == found


async def test_cancelling_before_a_write_is_handed_over_records_nothing(log: Log) -> None:
    release = holding(log)
    first = asyncio.create_task(log.append(WORDS))
    second = asyncio.create_task(log.append(AgentSaid(text="never")))
    await asyncio.sleep(0.01)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    release.set()
    await first
    assert [each.event for each in recorded(log)[1:]] == [WORDS]


async def test_memory_and_file_agree_however_appends_are_cancelled(log: Log) -> None:
    for round_ in range(60):
        tasks = [asyncio.create_task(log.append(WORDS, WORDS)) for _ in range(3)]
        for _ in range(round_ % 6):
            await asyncio.sleep(0)
        if round_ % 3:
            await asyncio.sleep(0.0005 * (round_ % 5))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    assert log.events == recorded(log)
    assert len(log.events) % 2 == 1


async def test_a_write_that_fails_leaves_nothing_shown_and_the_log_usable(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Logged] = []
    log.subscribe(heard.append)
    pages = "PRAGMA max_page_count = 20"
    log.store.submit(lambda db: db.execute(pages).fetchone()).result()
    big: list[AnyEvent] = [AgentSaid(text="x" * 100_000)]
    with pytest.raises(StoreError, match="The disk is full"):
        await log.append(WORDS, *big)
    assert heard == []
    assert len(log.events) == len(recorded(log)) == 1
    log.store.submit(lambda db: db.execute("PRAGMA max_page_count = 9999").fetchone()).result()
    await log.append(WORDS, *big)
    assert len(heard) == 2


async def test_what_is_held_is_nobodys_until_it_is_recorded_with_what_follows(log: Log) -> None:
    heard: list[Logged] = []
    log.subscribe(heard.append)
    log.hold(WORDS)
    log.hold(AgentSaid(text="held"))
    assert [each.event for each in log.with_held[1:]] == [WORDS, AgentSaid(text="held")]
    assert [each.seq for each in log.with_held] == [1, 2, 3]
    assert log.events == recorded(log) == log.with_held[:1]
    assert not heard
    await log.append(AgentSaid(text="next"))
    assert [each.event for each in heard[1:]] == [AgentSaid(text="held"), AgentSaid(text="next")]
    assert log.with_held == log.events == recorded(log) == [recorded(log)[0], *heard]
    assert await log.append() == []


async def test_what_is_held_waits_for_a_write_that_works(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.hold(WORDS)
    with monkeypatch.context() as broken:
        broken.setattr(log.store, "append_soon", _refused)
        with pytest.raises(StoreError):
            await log.append(AgentSaid(text="next"))
    assert log.events == recorded(log)
    assert [each.event for each in log.with_held[1:]] == [WORDS]
    log.store.append(log.session, [Labelled(verdict="wrong", by="bob")])
    await log.append()
    assert [each.event for each in recorded(log)[2:]] == [WORDS]
    assert log.events == recorded(log)


def _refused(*_: object, **__: object) -> None:
    raise StoreError("no room")


async def test_what_happens_once_cannot_be_recorded_twice(log: Log) -> None:
    await log.append(used("k"))
    with pytest.raises(AlreadyRecorded):
        await log.append(used("k"))
    assert len(log.events) == 2


async def test_a_log_that_another_program_went_on_with_says_so_and_records_nothing(
    log: Log,
) -> None:
    other = await Log.open(log.store, log.session)
    await other.append(WORDS)
    with pytest.raises(SessionBusy, match="Open it again"):
        await log.append(WORDS)
    assert len(log.events) == 1
    with suppress(SessionBusy):
        await log.append(WORDS)
    assert len(recorded(log)) == 2
