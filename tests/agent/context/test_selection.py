from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.context.block import CONDITION
from agent.context.blocks import blocks_of
from agent.context.messages import GATE_NOTE, messages_for
from agent.context.selection import AT_ONCE, CONDITIONS, NEAR_MISSES, PATIENCE, assemble
from agent.models.protocol import Message
from sessions.events import (
    AnyEvent,
    BlockSummarised,
    ContextAssembled,
    Logged,
    Safeguards,
    ToolReturned,
)
from tests.agent.happenings import (
    answered,
    card_shown,
    customer,
    decided,
    logged,
    returned,
    said,
)

POLICY = "# Jars\n\n- Only take coins from your own jar.\n"


class FakeRanker:
    """Finds texts the closer the more words they share with the query; remembers deadlines."""

    def __init__(self, ready: bool = True, gives_up: str = "") -> None:
        self.ready = ready
        self.trouble = ""
        self.gives_up = gives_up
        self.deadlines: list[float] = []

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        self.deadlines.append(deadline)
        await asyncio.sleep(0)
        if self.gives_up:
            self.trouble = self.gives_up
            return None
        words = set(query.split())
        return [len(words & set(text.split())) / max(1, len(words)) for text in texts]


def small_talk(turns: int, first: int = 1) -> list[AnyEvent]:
    """Turns in which nothing happens that would pin them."""
    return [
        event
        for turn in range(first, first + turns)
        for event in (customer(turn, f"about topic{turn}"), said(f"answer {turn}"))
    ]


async def assembled(
    events: Sequence[AnyEvent], ranker: FakeRanker | None = None, **settings: object
) -> ContextAssembled:
    safeguards, log = Safeguards.model_validate(settings), logged(events)
    return await assemble(blocks_of(log, ""), log, POLICY, safeguards, ranker, turn=99)


def turns(uses: ContextAssembled) -> list[int]:
    return list(uses.sent)


def why(uses: ContextAssembled, turn: int) -> str:
    return uses.why(turn)


def messages(events: Sequence[Logged], *, gate: bool = True) -> list[Message]:
    return messages_for(blocks_of(events, "m"), events, POLICY, gate=gate)


def contents(events: Sequence[Logged]) -> list[str]:
    return [str(message["content"]) for message in messages(events)]


async def test_the_closest_blocks_are_sent_with_the_pinned_ones_in_time_order() -> None:
    events = [said("Hi!"), *small_talk(9), customer(10, "back to topic2 and topic5")]
    found = await assembled(events, FakeRanker(), blocks=2)
    assert turns(found) == [0, 2, 5, 8, 9, 10]
    assert found.near_misses == (1, 3, 4, 6, 7)
    assert found.blocks == 11
    assert (found.retrieval, found.budget, found.turn) == ("embedding", 2, 99)
    assert why(found, 2) == "similar: 1 of 2"
    assert why(found, 8) == "pinned: recent"
    assert why(found, 10) == "current turn"
    assert why(found, 1) == "less similar than the 2 sent"
    assert found.similarity[2] == pytest.approx(1 / 5)
    assert 10 not in found.similarity


async def test_what_identifies_the_customer_and_what_is_unfinished_is_never_left_out() -> None:
    events: list[AnyEvent] = [
        customer(1, "i am ann"),
        answered("", "c1", name="find_user_id_by_email"),
        ToolReturned(call_id="c1", name="find_user_id_by_email", text="ann", customer="ann"),
        customer(2, "take one"),
        answered("", "c2"),
        card_shown("k", "c2"),
        decided("k", "reject"),
        *small_talk(8, first=3),
    ]
    found = await assembled(events, FakeRanker(), blocks=0)
    assert turns(found) == [1, 2, 8, 9, 10]
    assert why(found, 1) == "pinned: identifies the customer"
    assert why(found, 2) == "pinned: unfinished request"


async def test_while_everything_fits_ranking_only_informs_and_nobody_waits_for_it() -> None:
    events = small_talk(5)
    ready = FakeRanker()
    found = await assembled(events, ready)
    assert (turns(found), found.near_misses) == ([1, 2, 3, 4, 5], ())
    assert (found.retrieval, ready.deadlines) == ("embedding", [AT_ONCE])
    assert 1 in found.similarity
    loading = FakeRanker(ready=False)
    found = await assembled(events, loading)
    assert (found.retrieval, loading.deadlines) == ("not needed: everything fits", [])
    assert found.similarity == {}


async def test_where_a_choice_must_be_made_the_embedder_is_waited_for_then_the_newest_go() -> None:
    slow = FakeRanker(ready=False, gives_up="the embedder was still loading after 20 s")
    found = await assembled(small_talk(9), slow, blocks=2)
    assert slow.deadlines == [PATIENCE]
    assert turns(found) == [5, 6, 7, 8, 9]
    assert found.retrieval == "most recent: the embedder was still loading after 20 s"
    assert why(found, 4) == "older than the 2 sent"
    found = await assembled(small_talk(9), None, blocks=0)
    assert turns(found) == [7, 8, 9]
    assert found.retrieval == "most recent: no embedder in this run"


async def test_with_the_filter_off_everything_is_sent() -> None:
    ranker = FakeRanker()
    found = await assembled(small_talk(30), ranker, blocks=1, context=False)
    assert (found.everything, found.sent_count) == (True, 30)
    assert len(messages(logged([*small_talk(30), found]))) == 1 + 30 * 2
    assert (found.retrieval, ranker.deadlines) == ("context filter off", [])


async def test_the_tokens_are_those_of_all_that_is_sent() -> None:
    events = small_talk(9)
    found = await assembled(events, FakeRanker(), blocks=1)
    sent = messages(logged([*events, found]))
    estimate = sum(len(str(message["content"])) for message in sent) / 4
    assert estimate < found.tokens < estimate * 1.6


async def test_a_turn_keeps_its_choice_however_far_it_goes_and_whoever_resumes_it() -> None:
    events: list[AnyEvent] = [*small_talk(9), customer(10, "topic3")]
    choice = await assembled(events, FakeRanker(), blocks=1)
    before = contents(logged([*events, choice]))
    events += [choice, answered("", "c1"), returned("c1")]
    after = contents(logged(events))
    assert after[: len(before)] == before
    assert after[len(before) :] == ["None", "result of c1"]
    assert "about topic3" in after
    assert "about topic4" not in after


async def test_the_next_turn_is_not_bound_by_the_choice_before() -> None:
    events: list[AnyEvent] = [*small_talk(9), customer(10, "topic3")]
    choice = await assembled(events, FakeRanker(), blocks=1)
    assert "about topic4" in contents(logged([*events, choice, customer(11)]))


@given(st.integers(1, 25), st.integers(0, 5), st.booleans())
def test_every_block_is_either_sent_or_left_out_and_the_last_three_are_sent(
    count: int, budget: int, works: bool
) -> None:
    ranker = FakeRanker(gives_up="" if works else "broken")
    found = asyncio.run(assembled(small_talk(count), ranker, blocks=budget))
    left = set(found.near_misses)
    assert not left & set(turns(found))
    assert len(left) == min(NEAR_MISSES, found.blocks - found.sent_count)
    assert found.blocks == count
    assert turns(found) == sorted(turns(found))
    assert set(turns(found)) >= set(range(max(1, count - 2), count + 1))
    assert len(found.sent) == min(count, budget + 3)


async def test_the_policy_comes_first_with_what_the_gate_changes_about_it() -> None:
    events: list[AnyEvent] = small_talk(2)
    first = messages(logged(events))[0]
    assert first["role"] == "system"
    assert first["content"].startswith("# Jars\n")
    assert first["content"].endswith(GATE_NOTE)


async def test_without_the_gate_the_policy_stands_alone_and_asks_in_words() -> None:
    assert messages(logged(small_talk(1)), gate=False)[0]["content"] == POLICY


async def test_what_is_stable_comes_first_from_turn_to_turn() -> None:
    earlier = messages(logged(small_talk(3)))
    later = messages(logged(small_talk(5)))
    assert later[: len(earlier)] == earlier


async def test_blocks_that_are_not_pinned_can_be_sent_as_a_line_each() -> None:
    told = BlockSummarised(turn=3, text="wanted topic3")
    before = [customer(1, "if topic1 is gone, leave it"), said("yes"), *small_talk(6, first=2)]
    events = [*before, told, customer(8, "about topic3")]
    found = await assembled(events, FakeRanker(), blocks=3, blocks_as="summaries")
    assert found.summarised == tuple(turn for turn in found.sent if turn not in found.pinned)
    assert len(found.summarised) == 3
    sent = contents(logged([*events, found]))
    notes = "\n".join(each for each in sent if each.startswith("Console note: earlier"))
    assert notes.count("- turn ") == 3
    assert "- turn 3: wanted topic3" in notes
    assert (sent[1], sent[-1]) == ("if topic1 is gone, leave it", "about topic3")


async def test_conditions_stay_in_view_the_newest_ones_at_least() -> None:
    before = [
        event
        for turn in range(1, 8)
        for event in (customer(turn, f"if not, then topic{turn}"), said("noted"))
    ]
    found = await assembled([*before, *small_talk(4, first=8)], FakeRanker(), blocks=0)
    pinned = [turn for turn, reason in found.pinned.items() if CONDITION in reason]
    assert sorted(pinned) == list(range(8 - CONDITIONS, 8))


async def test_blocks_may_be_ranked_by_their_summaries_instead_of_their_text() -> None:
    told = BlockSummarised(turn=3, text="topic7 in short", by="aux")
    events = [said("Hi!"), *small_talk(8), told, customer(9, "topic7")]
    assert 7 in turns(await assembled(events, FakeRanker(), blocks=1, blocks_by="text"))
    by_summary = await assembled(events, FakeRanker(), blocks=1, blocks_by="summary")
    ranked = {turn: by_summary.similarity[turn] for turn in (3, 7) if turn in by_summary.similarity}
    assert ranked[3] == 1.0
    assert 3 in turns(by_summary)
