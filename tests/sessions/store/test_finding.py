from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    Noted,
    RunPlace,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    ToolReturned,
)
from sessions.store.excerpts import Excerpt
from sessions.store.finding import (
    RESULTS,
    SearchResult,
    SessionFilter,
    find,
    find_all,
    to_fts_query,
)
from sessions.store.store import Store
from tests.effort import tries
from tests.sessions.toy import decided, shown, started

ENDED = SessionEnded(reason="customer")


def scored(reward: float) -> Scored:
    return Scored(scenario="one", reward=reward, records_match=True, communicated=True)


def hello(text: str = "hello") -> CustomerSaid:
    return CustomerSaid(text=text, turn=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "sessions.sqlite") as opened:
        yield opened


def recorded(store: Store, *events: AnyEvent, **more: Any) -> str:
    session = store.start(started(**more))[0].session
    store.append(session, events)
    return session


def ids(store: Store, words: str = "", **more: Any) -> list[str]:
    return [each.row.id for each in find(store, SessionFilter(words=words, **more)).found]


def excerpt(store: Store, words: str) -> Excerpt:
    (found,) = find(store, SessionFilter(words=words)).found
    assert found.excerpt is not None
    return found.excerpt


def test_everybodys_words_are_found_with_what_fits_marked(store: Store) -> None:
    recorded(
        store,
        hello("I want to RETURN the café mug"),
        shown("k"),
        decided("k", "ask", "why so late?"),
        AgentSaid(text="Two mugs were returned."),
    )
    assert excerpt(store, "cafe") == Excerpt(
        2, "customer", (("I want to RETURN the ", False), ("café", True), (" mug", False))
    )
    assert excerpt(store, "cancel").speaker == "card"
    assert excerpt(store, "LATE why").speaker == "decision"
    last = excerpt(store, "return mug")
    assert (last.seq, last.speaker) == (5, "agent")
    assert [text for text, matched in last.parts if matched] == ["mugs", "returned"]


def test_what_a_tool_said_and_what_was_noted_is_not_what_was_said(store: Store) -> None:
    tool = ToolReturned(call_id="c", name="n", text="secret")
    recorded(store, tool, Noted(text="secret"), hello())
    assert ids(store, "secret") == []


def test_a_waiting_card_is_found_once_the_conversation_has_gone_on(store: Store) -> None:
    session = recorded(store, hello())
    store.append(session, [shown("k")])
    assert ids(store, "cancel") == []
    store.append(session, [decided("k", "reject", "no")])
    store.append(session, [AgentSaid(text="I have left it.")])
    assert ids(store, "cancel") == [session]


def test_words_together_and_beginnings(store: Store) -> None:
    session = recorded(store, hello("a refundable ticket to Lisbon"))
    for words in (
        '"ticket to lisbon"',
        "refund",
        "refundab*",
        "lisbon tic",
        "#lisbon!",
        '"to Lisbon',
    ):
        assert ids(store, words) == [session], words
    for words in ('"lisbon ticket"', '"lisb"', "isbon", "ticket porto", "- ! *", "NEAR(ticket)"):
        assert ids(store, words) == [], words


@given(st.text(max_size=30))
@settings(max_examples=tries(300), deadline=None)
def test_nothing_that_is_typed_is_an_error(words: str) -> None:
    with opened() as store:
        find(store, SessionFilter(words=words))
        find(store, SessionFilter(words=words, domain="toy"))


@given(st.lists(st.text(st.characters(categories=("L", "N")), min_size=1), min_size=1, max_size=5))
@settings(max_examples=tries(100), deadline=None)
def test_a_query_asks_for_every_word_literally(words: list[str]) -> None:
    assert to_fts_query(" ".join(words)) == " ".join(f'"{each}" *' for each in words)
    assert to_fts_query(" ".join(f'"{each}"' for each in words)) == " ".join(
        f'"{w}"' for w in words
    )


def opened() -> Any:
    return _SHARED


class _Shared:
    """One file for all examples: what is asked does not change it."""

    store: Store | None = None

    def __enter__(self) -> Store:
        if self.store is None:
            self.store = Store.open(Path(tempfile.mkdtemp()) / "sessions.sqlite")
            recorded(self.store, hello("hello there, order #W1"))
        return self.store

    def __exit__(self, *_: object) -> None:
        pass


_SHARED = _Shared()


def test_every_filter_leaves_what_it_names_and_all_of_them_what_each_leaves(store: Store) -> None:
    off = Safeguards(gate=False)
    first = recorded(store, hello(), ENDED, scored(1), scenario="one", domain="air")
    second = recorded(store, hello(), ENDED, scored(0.5), model="gpt", safeguards=off)
    third = recorded(store, hello(), ENDED, run=RunPlace(name="night"))
    fourth = recorded(store, hello(), SafeguardsChanged(safeguards=off), scenario="one")
    each: dict[tuple[str, Any], list[str]] = {
        ("domain", "air"): [first],
        ("model", "gpt"): [second],
        ("scenario", "one"): [fourth, first],
        ("run", "night"): [third],
        ("result", "right"): [first],
        ("result", "wrong"): [second],
        ("result", "unscored"): [third],
        ("result", "open"): [fourth],
        ("on", ("gate",)): [third, first],
        ("off", ("gate",)): [fourth, second],
        ("on", ("reflection", "context")): [fourth, third, second, first],
        ("words", "hello"): [fourth, third, second, first],
        ("words", "nothing"): [],
    }
    for (name, value), fit in each.items():
        assert ids(store, **{name: value}) == fit, name
    for ((one, a), left), ((two, b), right) in product(each.items(), repeat=2):
        if one != two:
            both = [session for session in left if session in right]
            assert ids(store, **{one: a, two: b}) == both, (one, two)
    assert {row.result for row in store.sessions()} == set(RESULTS)


def test_days_and_moments_bound_when_a_session_began(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for day in ("2026-11-20", "2026-11-21", "2026-11-22"):
        monkeypatch.setattr("sessions.store.chain.datetime", clock(f"{day}T12:30:00.000000+00:00"))
        found.append(recorded(store, hello()))
    first, second, third = found
    assert ids(store, since="2026-11-21") == [third, second]
    assert ids(store, until="2026-11-21") == [second, first]
    assert ids(store, since="2026-11-21", until="2026-11-21", words="hello") == [second]
    assert ids(store, since="2026-11-21T12:31") == [third]
    assert ids(store, until="2026-11-21T12") == [second, first]


def clock(at: str) -> Any:
    class Moment:
        def isoformat(self, timespec: str) -> str:
            return at

    class Clock:
        @staticmethod
        def now(_: object) -> Moment:
            return Moment()

    return Clock


def test_a_clock_that_goes_backwards_changes_no_order(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = recorded(store, hello())
    monkeypatch.setattr("sessions.store.chain.datetime", clock("1999-01-01T00:00:00.000000+00:00"))
    monkeypatch.setattr("ulid.time.time_ns", lambda: 1_000_000_000)
    second = recorded(store, hello())
    store.append(first, [AgentSaid(text="back in time")])
    assert ids(store) == [second, first]
    assert [each.seq for each in store.read(first)] == [1, 2, 3]
    assert store.verify() == store.check() == []


def test_a_session_that_was_deleted_is_found_no_more(store: Store) -> None:
    first, second = recorded(store, hello()), recorded(store, hello())
    store.delete(second)
    assert ids(store, "hello") == [first]
    third = recorded(store, AgentSaid(text="goodbye"))
    assert ids(store, "hello") == [first]
    assert ids(store) == [third, first]
    assert store.check() == []


def test_a_fork_is_found_by_what_it_shares(store: Store) -> None:
    first = recorded(store, hello("unusual words"), AgentSaid(text="indeed"))
    forked = store.fork(first)[0].session
    assert ids(store, "unusual") == [forked, first]
    assert store.check() == store.verify() == []


WORDS = st.sampled_from(["mug", "lamp", "shirt"])
SAID = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=3)
SESSIONS = st.lists(st.tuples(st.sampled_from(["toy", "air"]), SAID), max_size=12)


@given(sessions=SESSIONS, words=st.none() | WORDS, domain=st.none() | st.just("air"),
       size=st.integers(1, 4), few=st.sampled_from([0, 2, 500]), oldest=st.booleans())  # fmt: skip
@settings(max_examples=tries(60), deadline=None)
def test_pages_together_are_what_a_plain_reading_of_every_log_finds(
    sessions: list[tuple[str, list[str]]],
    words: str | None,
    domain: str | None,
    size: int,
    few: int,
    oldest: bool,
) -> None:
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "sessions.sqlite") as store,
    ):
        patch.setattr("sessions.store.finding._FEW", few)
        kept = [
            (recorded(store, *map(hello, said), domain=each), each, said) for each, said in sessions
        ]
        wanted = SessionFilter(words=words or "", domain=domain, oldest_first=oldest)
        expected = [
            session
            for session, each, said in (kept if oldest else reversed(kept))
            if domain in (None, each)
            and (words is None or any(words in text.split() for text in said))
        ]
        assert [each.row.id for each in by_pages(store, wanted, size)] == expected
        assert [each.row.id for each in find_all(store, wanted)] == expected
        assert [each.row.id for each in find_all(store, wanted, size)] == expected[:size]


def by_pages(store: Store, wanted: SessionFilter, size: int) -> Iterator[SearchResult]:
    before = None
    while True:
        page = find(store, wanted, limit=size, before=before)
        assert len(page.found) == size or page.next is None
        yield from page.found
        before = page.next
        if before is None:
            return


def test_the_marks_of_a_match_cannot_be_forged(store: Store) -> None:
    recorded(store, hello("\x02forged\x03 and true"))
    assert excerpt(store, "true").parts == (("forged and ", False), ("true", True))


@pytest.mark.parametrize("few", [0, 500])
@pytest.mark.parametrize("words", ["mug", '"mug"'])
@pytest.mark.parametrize("domain", [None, "toy"])
@pytest.mark.parametrize("oldest", [False, True])
def test_a_session_that_says_a_word_often_is_found_once_with_the_last_time_or_the_first(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    words: str,
    domain: str | None,
    oldest: bool,
) -> None:
    monkeypatch.setattr("sessions.store.finding._FEW", few)
    both = [recorded(store, *[hello(f"mug {each}") for each in range(3)]) for _ in range(2)]
    wanted = SessionFilter(words, domain=domain, oldest_first=oldest)
    first = find(store, wanted, limit=1)
    second = find(store, wanted, limit=1, before=first.next)
    assert [page.found[0].row.id for page in (first, second)] == both[:: 1 if oldest else -1]
    assert [page.next for page in (first, second)] == [1 if oldest else 2, None]
    (found,) = first.found
    assert found.excerpt is not None
    assert found.excerpt.seq == (2 if oldest else 4)
