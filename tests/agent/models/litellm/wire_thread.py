"""A wire server in a thread of its own, for commands that hold the event loop themselves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.agent.models.litellm.wire_behaviours import BEHAVIOURS, Behaviour
from tests.agent.models.litellm.wire_server import WireServer


@contextmanager
def wire_server(behaviours: Mapping[str, Behaviour] = BEHAVIOURS) -> Iterator[WireServer]:
    """A running server; what it was asked may be looked at while it runs and afterwards."""
    server = WireServer(behaviours=behaviours)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
