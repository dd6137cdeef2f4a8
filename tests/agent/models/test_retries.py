from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from agent.models.assembly import Answer
from agent.models.protocol import CallPiece, Finish, ModelFault, ModelRequest, Piece, TextPiece
from agent.models.retries import answer_with_retries

REQUEST = ModelRequest([], [])
BUSY = ModelFault("server", "It is busy.", retryable=True)
NO_KEY = ModelFault("no_key", "There is no key.")


class Flaky:
    """A model that fails in the given ways, then answers; it counts streams left open."""

    name = "flaky"

    def __init__(self, *faults: ModelFault, words_before: str = "") -> None:
        self.faults = list(faults)
        self.words_before = words_before
        self.attempts = 0
        self.open = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.attempts += 1
        self.open += 1
        try:
            if self.faults:
                if self.words_before:
                    yield TextPiece(self.words_before)
                raise self.faults.pop(0)
            yield TextPiece("whole")
            yield CallPiece(0, "c1", "f", "{}")
            yield Finish("stop")
        finally:
            self.open -= 1


class Listener:
    def __init__(self) -> None:
        self.told: list[tuple[str, int, float]] = []
        self.heard: list[Piece] = []

    async def on_retry(self, fault: ModelFault, attempt: int, seconds: float) -> None:
        self.told.append((fault.kind, attempt, seconds))


async def ask(model: Flaky, listener: Listener, first_wait: float = 0.001) -> Answer:
    return await answer_with_retries(
        model,
        REQUEST,
        on_piece=listener.heard.append,
        on_retry=listener.on_retry,
        used_ids={"c1"},
        first_wait=first_wait,
    )


async def test_a_fault_that_passes_is_asked_again_and_told_each_time() -> None:
    model, listener = Flaky(BUSY, BUSY, words_before="half \x1b"), Listener()
    answer = await ask(model, listener)
    assert answer.text == "whole"
    assert answer.calls[0].id != "c1"
    assert [(kind, attempt) for kind, attempt, _ in listener.told] == [("server", 1), ("server", 2)]
    assert listener.heard[0] == TextPiece("half ")
    assert (model.attempts, model.open) == (3, 0)


async def test_a_fault_that_stays_is_raised_after_the_last_attempt() -> None:
    model, listener = Flaky(*[BUSY] * 9), Listener()
    with pytest.raises(ModelFault) as raised:
        await ask(model, listener)
    assert raised.value is BUSY
    assert (model.attempts, len(listener.told)) == (4, 3)


async def test_a_fault_that_cannot_pass_is_raised_at_once() -> None:
    model, listener = Flaky(NO_KEY), Listener()
    with pytest.raises(ModelFault, match="no key"):
        await ask(model, listener)
    assert (model.attempts, listener.told) == (1, [])


async def test_a_provider_is_waited_for_as_long_as_it_asks() -> None:
    limited = ModelFault("rate_limit", "Wait.", retryable=True, retry_after=0.15)
    model, listener = Flaky(limited), Listener()
    begun = time.monotonic()
    await ask(model, listener)
    assert time.monotonic() - begun >= 0.15
    assert listener.told == [("rate_limit", 1, 0.15)]


async def test_a_provider_that_asks_for_an_hour_is_not_waited_for() -> None:
    limited = ModelFault("rate_limit", "Wait.", retryable=True, retry_after=3600)
    model, listener = Flaky(limited), Listener()
    with pytest.raises(ModelFault):
        await ask(model, listener)
    assert (model.attempts, listener.told) == (1, [])


async def test_waits_grow() -> None:
    model, listener = Flaky(BUSY, BUSY, BUSY), Listener()
    await ask(model, listener, first_wait=0.01)
    for number, (_, _, seconds) in enumerate(listener.told):
        assert 0.01 * 2**number <= seconds <= 0.01 * 2**number + 0.01


async def test_the_wait_is_over_the_moment_it_is_cancelled() -> None:
    limited = ModelFault("rate_limit", "Wait.", retryable=True, retry_after=30)
    model, listener = Flaky(limited), Listener()
    task = asyncio.create_task(ask(model, listener))
    await asyncio.wait({task}, timeout=0.1)
    assert listener.told
    begun = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 0.2
    assert model.attempts == 1


async def test_an_answer_without_an_end_is_asked_for_again() -> None:
    class Cutting(Flaky):
        async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
            self.attempts += 1
            yield TextPiece("half")
            if self.attempts > 1:
                yield Finish("stop")

    model, listener = Cutting(), Listener()
    assert (await ask(model, listener)).text == "half"
    assert [kind for kind, *_ in listener.told] == ["cut"]


async def test_a_mistake_of_the_programs_own_is_not_hidden_by_retries() -> None:
    class Broken(Flaky):
        async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
            self.attempts += 1
            yield TextPiece("x")
            raise KeyError("a bug")

    model, listener = Broken(), Listener()
    with pytest.raises(KeyError):
        await ask(model, listener)
    assert model.attempts == 1


async def test_the_stream_is_closed_when_what_listens_to_it_fails() -> None:
    class Fails(Listener):
        def hear(self, piece: Piece) -> None:
            raise KeyError("a bug")

    model, listener = Flaky(), Fails()
    with pytest.raises(KeyError) as raised:
        await answer_with_retries(
            model, REQUEST, on_piece=listener.hear, on_retry=listener.on_retry
        )
    assert model.open == 0, raised
