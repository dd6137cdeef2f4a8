"""Asks a model that is not part of the agent, and logs what it costs before its answer is used."""

from __future__ import annotations

import asyncio
import time

from agent.models.assembly import Answer
from agent.models.protocol import ChatModel, ModelFault, ModelRequest
from agent.models.retries import answer_with_retries
from agent.session.shielding import run_shielded
from sessions.cleaning import clean
from sessions.events import OtherModelAsked, OtherPurpose, Record, Usage
from sessions.log import Log


class Recorder:
    """Records events in the log of a session that is opened only after the recorder is created."""

    log: Log | None = None

    async def __call__(self, event: OtherModelAsked) -> None:
        """Record the event. Raises RuntimeError if there is no log yet."""
        if self.log is None:
            raise RuntimeError(f"{event.model} was asked before there was a session")
        await self.log.append(event)


async def ask_other(
    model: ChatModel,
    request: ModelRequest,
    purpose: OtherPurpose,
    record: Record,
    *,
    attempts: int = 4,
    first_wait: float = 1.0,
) -> Answer:
    """One complete answer, requested up to ``attempts`` times; ``first_wait`` is in seconds.

    Raises the last ModelFault. An answer, a fault and a cancellation are all recorded first.
    """
    began, failed = time.monotonic(), 0

    async def again(fault: ModelFault, attempt: int, seconds: float) -> None:
        nonlocal failed
        failed = attempt

    def event_of_asking(usage: Usage, fault: str = "") -> OtherModelAsked:
        return OtherModelAsked(
            model=clean(model.name),
            purpose=purpose,
            usage=usage,
            attempts=failed + 1,
            fault=clean(fault),
            milliseconds=round((time.monotonic() - began) * 1000),
        )

    try:
        answer = await answer_with_retries(
            model, request, on_piece=_unheard, on_retry=again,
            attempts=attempts, first_wait=first_wait,
        )  # fmt: skip
    except ModelFault as fault:
        await record(event_of_asking(Usage(), fault.kind))
        raise
    except asyncio.CancelledError:
        await run_shielded(_record_event(record, event_of_asking(Usage(), "cancelled")))
        raise
    await run_shielded(_record_event(record, event_of_asking(answer.usage)))
    return answer


async def _record_event(record: Record, event: OtherModelAsked) -> None:
    await record(event)


def _unheard(piece: object) -> None:
    """Ignore a piece of the answer: no one watches it arrive."""
