"""The zoo's server, in a process of its own so that it takes no time from the one it attacks.

python -m tests.agent.hostile.serving        serves until its input ends; prints its address
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.agent.hostile import calls, floods, statuses, streams
from tests.agent.hostile.zoo import ZOO
from tests.agent.models.litellm.wire_server import WireServer

KEEPERS = (floods, statuses, streams, calls)
"""The modules that fill the zoo."""


def model_of(name: str) -> str:
    """The model whose answer it is: no name that litellm would read anything into."""
    return f"hostile-{list(ZOO).index(name)}"


async def _serve() -> None:
    behaviours = {model_of(name): each.answer for name, each in ZOO.items()}
    async with WireServer(behaviours=behaviours) as server:
        print(server.base, flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextmanager
def serving() -> Iterator[str]:
    """The zoo open to visitors; gives its address."""
    command = [sys.executable, "-m", "tests.agent.hostile.serving"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve())
