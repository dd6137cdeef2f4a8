from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.session.replay import Replay
from domains.core.records import RecordsMismatch
from sessions.events import CardShown, Logged, WriteApplied
from sessions.scoring import records_of
from sessions.views import status, transcript
from tests.agent.recorded import TURNS, Turn, recorded
from tests.effort import tries
from tests.toy import toy_domain

STORY: tuple[Turn, ...] = (
    ("red", "approve", 3), ("blue", "ask: why?", 2), ("red", "reject: no", 1), ("red", "approve", 4)
)  # fmt: skip


@cache
def log(turns: tuple[Turn, ...] = STORY) -> list[Logged]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(recorded(Path(folder), turns, end=True))


def seen(replay: Replay) -> tuple[object, ...]:
    return (
        replay.place, replay.status, replay.items, replay.log.events, replay.records.digest,
        replay.card,
    )  # fmt: skip


def fresh(events: Sequence[Logged], place: int) -> tuple[object, ...]:
    replay = Replay(toy_domain(), events)
    replay.go_to(place)
    return seen(replay)


@settings(max_examples=tries(25), deadline=None)
@given(TURNS, st.data())
def test_at_every_place_it_shows_what_the_views_make_of_that_prefix(
    turns: list[Turn], data: st.DataObject
) -> None:
    events = log(tuple(turns))
    replay = Replay(toy_domain(), events)
    for place in data.draw(st.lists(st.integers(1, len(events)), min_size=1, max_size=8)):
        replay.go_to(place)
        prefix = events[:place]
        assert replay.place == place
        assert replay.log.events == prefix
        assert replay.status == status(prefix)
        assert replay.items == transcript(prefix)
        assert replay.records.digest == records_of(toy_domain(), prefix).digest
        assert replay.records.diff() == records_of(toy_domain(), prefix).diff()


@settings(max_examples=tries(60), deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=30))
def test_having_gone_back_is_as_if_one_had_never_gone_on(steps: list[int]) -> None:
    replay = Replay(toy_domain(), log())
    for step in steps:
        replay.step(step)
    assert seen(replay) == fresh(log(), replay.place)


def test_a_write_that_is_new_comes_after_those_before_it_though_one_had_gone_back() -> None:
    events = log((("red", "approve", 3), ("blue", "approve", 2)))
    replay = Replay(toy_domain(), events)
    first, _ = (each.seq for each in events if isinstance(each.event, WriteApplied))
    for place in (first, 1, len(events)):
        replay.go_to(place)
    assert seen(replay) == fresh(events, len(events))


def test_it_stays_between_the_first_event_and_the_last() -> None:
    replay = Replay(toy_domain(), log())
    assert replay.step(-5) == 1
    assert replay.go_to(10_000) == len(log()) == replay.length
    assert replay.status.ended == "customer"


def test_next_and_previous_find_cards_and_writes_in_turn() -> None:
    replay = Replay(toy_domain(), log())
    for kind in (CardShown, WriteApplied):
        wanted = [each.seq for each in log() if isinstance(each.event, kind)]
        replay.go_to(1)
        found = []
        while (place := replay.next_of(kind)) is not None:
            found.append(replay.go_to(place))
        assert found == wanted
        replay.go_to(replay.length)
        back = []
        while (place := replay.next_of(kind, -1)) is not None:
            back.append(replay.go_to(place))
        assert back == wanted[::-1]


def test_a_card_stands_as_it_stood_until_it_is_settled() -> None:
    replay = Replay(toy_domain(), log())
    told = []
    for place in range(1, replay.length + 1):
        replay.go_to(place)
        if (card := replay.card) is not None:
            decision = card.decision.decision if card.decision else "waits"
            told.append((replay.now.event.type, decision, card.applied is not None))
    first = [
        ("card_shown", "waits", False), ("decision_made", "approve", False),
        ("consent_used", "approve", False), ("write_applied", "approve", True),
    ]  # fmt: skip
    assert told[:4] == first
    asked = told[4 : told.index(("decision_made", "approve", False), 4)]
    assert ("decision_made", "waits", False) in asked
    assert all(decision == "waits" for _, decision, _ in asked)
    assert ("decision_made", "reject", False) in told


def test_other_records_than_the_sessions_are_refused() -> None:
    with pytest.raises(RecordsMismatch):
        Replay(toy_domain(coins=11), log())


def test_it_needs_no_scenario_and_no_model() -> None:
    replay = Replay(replace(toy_domain(), read_scenarios=lambda _: ()), log())
    assert replay.scenario is None
    assert replay.go_to(5) == 5
