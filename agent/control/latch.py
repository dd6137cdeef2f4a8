"""Whether a session is held to be coupled: a fold of its log, which never goes back.

(Difficulty-routed control, section 3.1, the latch.)
"""

from __future__ import annotations

from sessions.events import Logged, RouteDecided
from sessions.log import Log


class Latch:
    """Hears what happens in a session, and remembers since when it is coupled."""

    def __init__(self) -> None:
        self.since: int | None = None
        """The turn from which on it is; None while it is routine."""

        self._routed = 0

    @classmethod
    def following(cls, log: Log) -> Latch:
        """The latch of a log, now and as it grows."""
        latch = cls()
        for logged in log.events:
            latch.hear(logged)
        log.subscribe(latch.hear)
        return latch

    def hear(self, logged: Logged) -> None:
        """Take the next event in."""
        if isinstance(logged.event, RouteDecided):
            self._routed = logged.event.turn
            if logged.event.latched and self.since is None:
                self.since = logged.event.turn

    @property
    def is_closed(self) -> bool:
        """Whether the session is coupled from here on."""
        return self.since is not None

    def was_routed(self, turn: int) -> bool:
        """Whether that turn, the last one, has been routed."""
        return self._routed >= turn
