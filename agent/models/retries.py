"""Retries after a fault that may pass: the user sees each one and can stop at any time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from agent.models.assembly import Answer, Assembly
from agent.models.protocol import ChatModel, ModelFault, ModelRequest, Piece

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tenacity import RetryCallState

LONGEST_WAIT = 60.0
"""Seconds. If a provider asks for a longer wait there is no retry, and the user decides what to
do."""

OnPiece = Callable[[Piece], None]
OnRetry = Callable[[ModelFault, int, float], Awaitable[None]]
"""Called with the fault, the number of the failed attempt, and the seconds until the next one."""


async def answer_with_retries(
    model: ChatModel,
    request: ModelRequest,
    *,
    on_piece: OnPiece,
    on_retry: OnRetry,
    used_ids: Collection[str] = (),
    attempts: int = 4,
    first_wait: float = 1.0,
) -> Answer:
    """One complete answer, requested up to ``attempts`` times as long as the fault may pass.

    Each attempt starts from scratch: what an earlier one streamed is not part of the answer.
    ``first_wait`` is in seconds, and doubles. Raises the last ModelFault.
    """
    try:  # most first attempts succeed, so the retry machinery is set up only after a fault
        return await _answer(model, request, on_piece, used_ids)
    except ModelFault as first_fault:
        if not _is_worth_another(first_fault):
            raise
        failed: list[ModelFault] = [first_fault]

    from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

    async def answer() -> Answer:
        if failed:
            raise failed.pop()  # the attempt above counts as the first
        return await _answer(model, request, on_piece, used_ids)

    async def tell(state: RetryCallState) -> None:
        await on_retry(_fault(state), state.attempt_number, state.upcoming_sleep)

    retrying = AsyncRetrying(
        stop=stop_after_attempt(attempts),
        retry=retry_if_exception(_is_worth_another),
        wait=lambda state: _wait(state, first_wait),
        before_sleep=tell,
        reraise=True,
    )
    return await retrying(answer)


async def _answer(
    model: ChatModel, request: ModelRequest, on_piece: OnPiece, used_ids: Collection[str]
) -> Answer:
    """Make one attempt; the stream is closed however it ends."""
    assembly = Assembly(used_ids)
    async with aclosing(_closable(model.stream(request))) as pieces:
        async for piece in pieces:
            assembly.add(piece)
            on_piece(assembly.clean_piece(piece))
    return assembly.answer()


def _closable(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Piece, None]:
    """A model's stream as a generator with ``aclose``; a plain iterator is wrapped in one."""
    if hasattr(pieces, "aclose"):
        return cast("AsyncGenerator[Piece, None]", pieces)

    async def generator() -> AsyncGenerator[Piece, None]:
        async for piece in pieces:
            yield piece

    return generator()


def _is_worth_another(error: BaseException) -> bool:
    return (
        isinstance(error, ModelFault)
        and error.retryable
        and (error.retry_after or 0.0) <= LONGEST_WAIT
    )


def _wait(state: RetryCallState, first: float) -> float:
    """Seconds to wait: what the provider asked for, else exponentially growing with jitter."""
    from tenacity import wait_exponential, wait_random

    asked = _fault(state).retry_after
    if asked is not None:
        return asked
    growing = wait_exponential(multiplier=first, max=LONGEST_WAIT / 2) + wait_random(0, first)
    return growing(state)


def _fault(state: RetryCallState) -> ModelFault:
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, ModelFault):
        raise TypeError(f"asked about a retry after {error!r}")
    return error
