"""The latch: remembers that a session is coupled. Once closed, it never opens again.

(Difficulty-routed control, section 3.1, the latch.)
"""

from __future__ import annotations

from sessions.events import Logged, RouteDecided
from sessions.log import Log


class Latch:
    """Follows the events of a session and remembers since when it has been coupled."""

    def __init__(self) -> None:
        self.since: int | None = None
        """The first turn in which the session was coupled; None while it is routine."""

        self._routed = 0

    @classmethod
    def following(cls, log: Log) -> Latch:
        """The latch of a log; it is kept up to date as the log grows."""
        latch = cls()
        for logged in log.events:
            latch.add_logged(logged)
        log.subscribe(latch.add_logged)
        return latch

    def add_logged(self, logged: Logged) -> None:
        """Process the next event."""
        if isinstance(logged.event, RouteDecided):
            self._routed = logged.event.turn
            if logged.event.latched and self.since is None:
                self.since = logged.event.turn

    @property
    def is_closed(self) -> bool:
        """Whether the session is coupled from here on."""
        return self.since is not None

    def was_routed(self, turn: int) -> bool:
        """Whether the given turn, which must be the latest, has been routed."""
        return self._routed >= turn
