"""What a session has used so far, and which of its limits it has reached."""

from __future__ import annotations

from datetime import UTC, datetime

from sessions.events import (
    AgentSaid,
    EndReason,
    Labelled,
    Limits,
    Logged,
    ModelAnswered,
    OtherModelAsked,
    Reviewed,
    SessionForked,
    SessionResumed,
    ToolReturned,
    Usage,
    WriteApplied,
)
from sessions.log import Log


class LimitReached(Exception):
    """The session has reached a limit and must not continue; its current turn stays unfinished."""

    def __init__(self, reason: EndReason) -> None:
        super().__init__(reason)
        self.reason: EndReason = reason


class Spending:
    """Follows a log and adds up what its session costs."""

    def __init__(self, log: Log) -> None:
        self.actions = 0
        self.tokens = 0
        self.cost = 0.0
        self._seconds = 0.0
        self._last = datetime.now(UTC)
        self._spoken_to = False
        for place, logged in enumerate(log.events):
            self._on_event(logged, first=place == 0)
        log.subscribe(self._on_event)

    def first_reached(self, limits: Limits) -> EndReason | None:
        """The first limit that is used up, if any."""
        seconds = self._seconds + (datetime.now(UTC) - self._last).total_seconds()
        used: tuple[tuple[EndReason, float, float | None], ...] = (
            ("action_limit", self.actions, limits.actions),
            ("token_limit", self.tokens, limits.tokens),
            ("cost_limit", self.cost, limits.cost),
            ("time_limit", seconds, limits.seconds),
        )
        return next(
            (why for why, so_far, most in used if most is not None and so_far >= most), None
        )

    def _on_event(self, logged: Logged, *, first: bool = False) -> None:
        self._pass_time(logged, first)
        match logged.event:
            case ModelAnswered() as answer:
                self._spend(answer.usage)
                self._spoken_to = True
            case OtherModelAsked() as asked:  # a run also pays for its simulated customer
                self._spend(asked.usage)
            case ToolReturned() | WriteApplied():
                self.actions += 1
            case AgentSaid(about_card=None) if self._spoken_to:  # no model wrote the greeting
                self.actions += 1
            case _:
                pass

    def _spend(self, usage: Usage) -> None:
        self.tokens += usage.prompt + usage.completion
        self.cost += usage.cost or 0.0

    def _pass_time(self, logged: Logged, first: bool) -> None:
        """Count the time up to this event, except while the session was closed or reviewed."""
        if isinstance(logged.event, (Labelled, Reviewed)):
            return
        at = datetime.fromisoformat(logged.at)
        if not first and not isinstance(logged.event, (SessionForked, SessionResumed)):
            self._seconds += max(0.0, (at - self._last).total_seconds())
        self._last = at
