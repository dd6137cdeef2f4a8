"""A wire server in a process of its own, so that it takes no time from the one that it answers.

A module that serves calls :func:`serve` when it is run, and hands its name to :func:`process_of`.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from tests.agent.models.litellm.wire_behaviours import Behaviour
from tests.agent.models.litellm.wire_server import WireServer


def serve(behaviours: Mapping[str, Behaviour]) -> None:
    """Print the address and serve until the input ends."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(behaviours))


async def _serve(behaviours: Mapping[str, Behaviour]) -> None:
    async with WireServer(behaviours=dict(behaviours)) as server:
        print(server.base, flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextmanager
def process_of(module: str) -> Iterator[str]:
    """The server that a module runs, while it is needed; gives its address."""
    with subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
