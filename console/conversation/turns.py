"""Run turns in a worker, one at a time, so that no key ever waits for the engine (law 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from textual.screen import Screen
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from agent.session.conversation import Conversation
from console import crash, garbage_collection
from console.faults import user_message

GROUP = "turn"
PAUSE = 0.5
"""Seconds after a turn before its garbage is collected; its last words are drawn meanwhile."""

Work = Callable[[], Coroutine[Any, Any, None]]


class Turns:
    """Runs the engine's work for one screen."""

    def __init__(
        self,
        screen: Screen[Any],
        conversation: Conversation,
        *,
        on_fault: Callable[[str], object],
    ) -> None:
        """`on_fault` gets a sentence; a turn's end reaches the screen as Worker.StateChanged."""
        self._screen = screen
        self._conversation = conversation
        self._on_fault = on_fault

    @property
    def running(self) -> list[Worker[Any]]:
        """The workers that have not finished: a turn, and the end that was asked for meanwhile."""
        own = (each for each in self._screen.workers if each.group == GROUP)
        return [each for each in own if not each.is_finished]

    def say(self, words: str) -> None:
        """Run a turn: the customer speaks, and the agent works until it has answered."""
        self._run(partial(self._conversation.say, words))

    def go_on(self) -> None:
        """Continue a turn that was cut short."""
        self._run(self._conversation.go_on)

    def end(self, then: Callable[[], object]) -> None:
        """Stop whatever runs, end the session and score it, then call `then`."""
        self._run(partial(self._end, then))

    def stop(self) -> None:
        """Stop the agent; recorded events stay, and a waiting card is settled as declined."""
        self._screen.workers.cancel_group(self._screen, GROUP)

    async def stop_and_wait(self) -> None:
        """Stop the agent and wait until that is recorded."""
        running = self.running
        self.stop()
        for worker in running:
            with suppress(WorkerCancelled, WorkerFailed):
                await worker.wait()

    async def _end(self, then: Callable[[], object]) -> None:
        await self._conversation.end("customer")
        then()

    def _run(self, work: Work) -> None:
        self._screen.run_worker(self._run_guarded(work), group=GROUP, exclusive=True)

    async def _run_guarded(self, work: Work) -> None:
        """Run the work; report an error as a sentence, and an unforeseen one also in a file."""
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._on_fault(user_message(error) or crash.record_crash(error))
        finally:
            self._screen.set_timer(PAUSE, garbage_collection.collect_after_turn)
