"""The ids of a conversation's calls, so that none is given twice."""

from __future__ import annotations

from collections.abc import Iterator, Set

from sessions.events import Logged, ModelAnswered
from sessions.log import Log


class CallIds(Set[str]):
    """Follows a log; holds the ids of all its calls, also of blocks that are not sent just now.

    A later turn may send those again, and two calls of one id are no conversation to a provider.
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
