"""Ranks texts through the embedding process, without ever blocking the event loop.

The process is a plain subprocess with its own pipes, because ``multiprocessing`` cannot spawn from
inside a running Textual app. Requests are numbered, so a reply that nothing waits for any more is
dropped and the next reply still finds its request.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

WORKER = "agent.context.embedding_worker"
LONGEST_LINE = 1 << 24
"""The largest reply, in bytes."""

LIVES = 2
"""How often the process is started: once, and once more if it dies."""

NOT_STARTED = "the embedder was not started"
STOPPED = "the embedder was stopped"


Request = Callable[[], dict[str, Any]]
"""Builds a request at the moment it is sent, since a restarted process knows none of the texts."""


class EmbedderGone(Exception):
    """No process is running and none will be started; the message says why."""


class _Died(Exception):
    """The process ended while a request was pending."""


class Embedder:
    """The client of one embedding process; `start` returns at once, `ready` is true later."""

    def __init__(self, cache: Path | None = None, *, module: str = WORKER) -> None:
        """`cache` is the file that keeps vectors between runs; None keeps them in memory only."""
        self._command = [sys.executable, "-P", "-m", module, *([str(cache)] if cache else [])]
        self._task: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._known: dict[str, int] = {}
        """The number by which the process knows each text that it was sent."""

        self._numbers = itertools.count(1)
        self._ready = False
        self._gone = NOT_STARTED
        self._settled = asyncio.Event()
        self._settled.set()
        self.trouble = ""
        """Why the last request had no answer; empty if it had one."""

    @property
    def ready(self) -> bool:
        """Whether the process has loaded its model and accepts requests."""
        return self._ready

    def start(self) -> None:
        """Start the process in the background, unless it was started already.

        Needs a running event loop.
        """
        if self._task is None:
            self._gone = ""
            self._settled.clear()
            self._task = asyncio.create_task(self._live(), name="embedder")

    async def stop(self) -> None:
        """End the process and wait until it is gone; it may be started again."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        self._give_up(STOPPED)

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        """The cosine of each text to the query; None, with `trouble` set, if not in time."""
        reply = await self._answer(partial(self._ranking, query, texts), deadline)
        return None if reply is None else [float(each) for each in reply["similarities"]]

    async def stats(self, deadline: float = 5.0) -> dict[str, int] | None:
        """The encoder's counts: calls (``encode_calls``) and texts it was given (``encoded``)."""
        reply = await self._answer(lambda: {"op": "stats"}, deadline)
        return None if reply is None else {key: reply[key] for key in ("encode_calls", "encoded")}

    def _ranking(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """The request; each text is sent once per process, and by its number from then on."""
        fresh = (text for text in dict.fromkeys(texts) if text not in self._known)
        new = {text: number for number, text in enumerate(fresh, len(self._known))}
        self._known |= new
        named = [(number, text) for text, number in new.items()]
        return {"op": "rank", "query": query, "new": named, "of": [self._known[t] for t in texts]}

    async def _answer(self, request: Request, deadline: float) -> dict[str, Any] | None:
        try:
            async with asyncio.timeout(deadline):
                reply = await self._ask(request)
        except TimeoutError:
            doing = "took longer than" if self._ready else "was still loading after"
            self.trouble = f"the embedder {doing} {deadline:g} s"
            return None
        except EmbedderGone as gone:
            self.trouble = str(gone)
            return None
        self.trouble = str(reply.get("error", ""))
        if self.trouble:
            self._known = {}  # the process may not have stored the texts it was sent
        return None if self.trouble else reply

    async def _ask(self, request: Request) -> dict[str, Any]:
        """One reply; the request is repeated if the process died and was replaced."""
        while True:
            await self._settled.wait()
            if self._gone:
                raise EmbedderGone(self._gone)
            with suppress(_Died):
                return await self._exchange(request)

    async def _exchange(self, request: Request) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None:
            raise _Died
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(json.dumps({**request(), "id": number}).encode() + b"\n")
            with suppress(ConnectionError):  # the reader notices that the process has ended
                await process.stdin.drain()
            return await self._waiting[number]
        finally:
            del self._waiting[number]

    async def _live(self) -> None:
        """Keep a process running; once that is hopeless, tell everyone who waits."""
        for _ in range(LIVES):
            try:
                refusal = await self._one_life()
            except (OSError, ValueError) as error:
                refusal = f"the embedding process cannot be used: {error}"
            if refusal:
                self._give_up(refusal)
                return
        self._give_up("the embedding process ended unexpectedly, twice")

    async def _one_life(self) -> str:
        """Run one process from start to end; return the reason if a restart would not help."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_LINE,
            env=_environment(),
            start_new_session=True,
        )
        self._process = process
        self._known = {}
        try:
            return await self._read(process)
        finally:
            self._bury()
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _read(self, process: Process) -> str:
        """Hand replies to whoever waits for them, until the process ends or refuses to work."""
        assert process.stdout is not None
        async for line in process.stdout:
            reply = json.loads(line)
            if "refused" in reply:
                return str(reply["refused"])
            if "ready" in reply:
                self._ready = True
                self._settled.set()
            waiting = self._waiting.get(reply.get("id"))
            if waiting is not None and not waiting.done():
                waiting.set_result(reply)
        return ""

    def _bury(self) -> None:
        """Fail all pending requests after the process has ended."""
        self._ready = False
        self._process = None
        self._settled.clear()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(_Died())

    def _give_up(self, reason: str) -> None:
        self._gone = self._gone or reason
        self._settled.set()


def _environment() -> dict[str, str]:
    """The environment with this program first on the path, whatever the current folder is."""
    root = str(Path(__file__).resolve().parents[2])
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, *([others] if others else [])])}
