from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.headless.pacing import LONGEST_REST, Pace, PacedModel
from agent.headless.run import Run
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelFault, ModelRequest, Piece
from sessions.events import CustomerSaid, ModelFailed
from sessions.store.store import Store
from tests.agent.headless.plans import Taker, many_tasks, plan
from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS
from tests.agent.models.litellm.wire_protocol import Call, Exchange, Reply, play
from tests.agent.models.litellm.wire_server import WireServer


@given(
    most=st.integers(1, 6),
    holds=st.lists(st.integers(0, 3), min_size=1, max_size=20),
    slow_after=st.integers(0, 20),
)
def test_never_more_are_under_way_than_allowed_and_all_come_through(
    most: int, holds: list[int], slow_after: int
) -> None:
    async def story() -> tuple[int, int]:
        pace, under_way, peak, through = Pace(most), 0, 0, 0

        async def one(hold: int) -> None:
            nonlocal under_way, peak, through
            async with pace.slot():
                under_way += 1
                peak = max(peak, under_way)
                for _ in range(hold):
                    await asyncio.sleep(0)
                under_way -= 1
                through += 1
                if through == slow_after:
                    pace.slow_down(0.001)

        await asyncio.gather(*map(one, holds))
        return peak, through

    peak, through = asyncio.run(story())
    assert peak <= most
    assert through == len(holds)


async def test_too_many_halves_the_number_for_as_long_as_was_asked() -> None:
    pace = Pace(8)
    for _ in range(8):
        await pace._enter()
    pace.slow_down(0.15)
    assert pace.capacity == 4
    pace.slow_down(0.05)
    assert pace.capacity == 2
    await asyncio.sleep(0.2)
    assert pace.capacity == 8


async def test_one_is_always_let_through_and_nobody_is_waited_for_for_ever() -> None:
    pace = Pace(1)
    pace.slow_down(1e9)
    assert pace.capacity == 1
    assert pace._until <= time.monotonic() + LONGEST_REST


async def test_who_gives_up_waiting_leaves_no_place_taken() -> None:
    pace = Pace(1)

    async def wait() -> None:
        async with pace.slot():
            pass

    async with pace.slot():
        waiting = [asyncio.ensure_future(wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
    waiting[1].cancel()
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in ended[:2]] == [asyncio.CancelledError] * 2
    async with asyncio.timeout(1), pace.slot():
        pass


def test_a_pace_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one request"):
        Pace(0)


async def test_no_more_sessions_are_under_way_than_was_asked_for(tmp_path: Path) -> None:
    taker = Taker(pause=0.005)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        run = Run(store, plan(many_tasks(12)), concurrency=3, model_of=lambda _: taker)
        seen: list[int] = []
        run.on_progress = lambda progress: seen.append(progress.under_way)
        progress = await run.play()
    assert progress.succeeded == 12
    assert taker.most <= max(seen) == 3


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def test_a_429_over_the_wire_slows_all_sessions_down(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, most, resting = 0, [0], False

    async def limited_at_fifth(exchange: Exchange) -> None:
        nonlocal under_way, resting
        if exchange.hit == 5:
            await exchange.error(429, "Too often.", headers={"retry-after": "0.6"})
            resting = True
            most.append(0)
            return
        under_way += 1
        await asyncio.sleep(0.05)
        most[-1] = max(most[-1], under_way)
        under_way -= 1
        if any(each["role"] == "tool" for each in exchange.request.body["messages"]):
            await play(exchange, Reply("seven are left"))
        else:
            await play(exchange, Reply(calls=(Call("take", {"jar": "red", "coins": 3}, "c"),)))

    monkeypatch.setitem(BEHAVIOURS, "paced", limited_at_fifth)

    def model_of(name: str) -> LiteLLMModel:
        return LiteLLMModel("openai/paced", api_base=server.base, api_key="none")

    what = plan(many_tasks(8), model="openai/paced")
    with Store.open(tmp_path / "sessions.sqlite") as store:
        progress = await Run(store, what, concurrency=4, model_of=model_of).play()
        logs = [store.read(row.id) for row in store.sessions()]
    assert (progress.succeeded, progress.faults, progress.lost) == (8, 0, [])
    assert resting
    assert most[0] > 2
    failed = [each.event for log in logs for each in log if isinstance(each.event, ModelFailed)]
    assert [each.fault for each in failed] == ["rate_limit"]


async def test_a_fault_of_that_kind_lowers_what_all_sessions_may_ask_at_once() -> None:
    pace = Pace(4)
    limited = Taker(fault=ModelFault("rate_limit", "Later.", retryable=True, retry_after=0.2))
    with pytest.raises(ModelFault):
        async for _ in PacedModel(limited, pace).stream(ModelRequest([], [])):
            pass
    assert pace.capacity == 1
    broken = Taker(fault=ModelFault("server", "Broken."))
    other = Pace(4)
    with pytest.raises(ModelFault):
        async for _ in PacedModel(broken, other).stream(ModelRequest([], [])):
            pass
    assert other.capacity == 4


class Relenting(Taker):
    """Fails once."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        if self.asked == 1:
            self.fault = None
        async for piece in super().stream(request):
            yield piece


def relenting() -> Relenting:
    return Relenting(fault=ModelFault("rate_limit", "Later.", retryable=True, retry_after=0.05))


async def test_a_provider_that_asks_for_minutes_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.models.retries.LONGEST_WAIT", 0.01)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        progress = await Run(store, plan(many_tasks(1)), model_of=lambda _: relenting()).play()
    assert (progress.succeeded, progress.faults) == (1, 0)


async def test_a_turn_goes_on_after_a_fault_and_the_customer_does_not_say_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.models.retries.LONGEST_WAIT", 0.01)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        await Run(store, plan(many_tasks(1)), model_of=lambda _: relenting()).play()
        (row,) = store.sessions()
        log = [each.event for each in store.read(row.id)]
    assert [each.fault for each in log if isinstance(each, ModelFailed)] == ["rate_limit"]
    said = [each.text for each in log if isinstance(each, CustomerSaid)]
    assert len(set(said)) == len(said)
