"""Runs work that must be completed once begun, even if its task is cancelled meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def run_shielded(work: Coroutine[Any, Any, T]) -> T:
    """Run the work to completion; a cancellation that arrived meanwhile is raised afterwards.

    Raises what the work raises, even if it was cancelled too: a write that could not be recorded
    must not be mistaken for one that was merely interrupted.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    result = task.result()
    if cancelled is not None:
        raise cancelled
    return result
