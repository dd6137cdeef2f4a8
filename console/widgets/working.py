"""The line that says what the agent is doing, for how long, and how to stop it."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from console.widgets.plain import MUTED

FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
EVERY = 0.2
"""Seconds between frames: enough to look alive, and rare enough to cost almost nothing."""


class Working(Widget):
    """Shows one line above the composer; its clock stops while a card waits for the user."""

    DEFAULT_CSS = "Working { height: 1; }"
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self) -> None:
        """Start at rest."""
        super().__init__(id="working")
        self._doing = ""
        self._elapsed = 0.0
        self._since: float | None = None
        self._ticks = 0
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """Create the timer; it only runs while the agent is working."""
        self._timer = self.set_interval(EVERY, self._tick, pause=True)

    def begin(self, doing: str) -> None:
        """Start the clock for a new turn."""
        self._elapsed = 0.0
        self._doing = doing
        self.go_on()

    def doing(self, what: str) -> None:
        """Show what the agent is doing now."""
        if what != self._doing:
            self._doing = what
            self.refresh()

    def pause(self) -> None:
        """Stop the clock while the user is asked."""
        self._elapsed = self.seconds
        self._since = None
        self._set_ticking(False)

    def go_on(self) -> None:
        """Restart the clock, because the agent is working again."""
        self._since = monotonic()
        self._set_ticking(True)

    def rest(self) -> None:
        """Clear the line, because the turn is over."""
        self.pause()
        self._doing = ""
        self.refresh()

    @property
    def seconds(self) -> float:
        """How long the agent has worked on this turn, in seconds."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return self._elapsed + running

    def render(self) -> Content:
        """A spinner, what is being done, the seconds, and how to stop it."""
        if not self._doing:
            return Content("")
        mark = FRAMES[self._ticks % len(FRAMES)] if self._since is not None else "◦"
        if self.app.animation_level == "none" and self._since is not None:
            mark = "•"
        return Content.assemble(
            (f"{mark} ", "$primary"),
            self._doing,
            (f"  {self._way_out}", MUTED),
        )

    @property
    def _way_out(self) -> str:
        """How to stop, with the seconds the agent has worked; the user's own time is not shown."""
        worked = "" if self._since is None else f"{self.seconds:.0f}s · "
        return f"{worked}Esc to {'leave it' if self._since is None else 'stop'}"

    def _set_ticking(self, ticking: bool) -> None:
        if self._timer is not None:
            self._timer.resume() if ticking else self._timer.pause()
        self.refresh()

    def _tick(self) -> None:
        self._ticks += 1
        self.refresh()
