"""The ids of all calls in a conversation, so that none is assigned twice."""

from __future__ import annotations

from collections.abc import Iterator, Set

from sessions.events import Logged, ModelAnswered
from sessions.log import Log


class CallIds(Set[str]):
    """Follows a log and holds the ids of all its calls, including those in blocks not sent now.

    A later turn may send those blocks again, and providers reject a conversation in which two calls
    share an id.
    """

    def __init__(self, log: Log) -> None:
        self._ids: set[str] = set()
        for logged in log.events:
            self._on_event(logged)
        log.subscribe(self._on_event)

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def _on_event(self, logged: Logged) -> None:
        if isinstance(logged.event, ModelAnswered):
            self._ids.update(call.id for call in logged.event.calls)
