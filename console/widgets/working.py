"""That the agent is at work, for how long, and how to stop it."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from console.widgets.plain import MUTED

FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
EVERY = 0.2
"""Seconds between frames: enough to look alive, too seldom to cost anything."""


class Working(Widget):
    """One line above the composer; its clock stands still while a card waits for the person."""

    DEFAULT_CSS = "Working { height: 1; }"
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self) -> None:
        """At rest, to begin with."""
        super().__init__(id="working")
        self._doing = ""
        self._elapsed = 0.0
        self._since: float | None = None
        self._ticks = 0
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """The clock ticks only while it is needed."""
        self._timer = self.set_interval(EVERY, self._tick, pause=True)

    def begin(self, doing: str) -> None:
        """A turn begins."""
        self._elapsed = 0.0
        self._doing = doing
        self.go_on()

    def doing(self, what: str) -> None:
        """What the agent is doing now."""
        if what != self._doing:
            self._doing = what
            self.refresh()

    def pause(self) -> None:
        """The person is asked: the time is theirs now."""
        self._elapsed = self.seconds
        self._since = None
        self._set_ticking(False)

    def go_on(self) -> None:
        """The agent works again."""
        self._since = monotonic()
        self._set_ticking(True)

    def rest(self) -> None:
        """The turn is over."""
        self.pause()
        self._doing = ""
        self.refresh()

    @property
    def seconds(self) -> float:
        """How long the agent has worked on this turn."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return self._elapsed + running

    def render(self) -> Content:
        """A turning mark, what is being done, the seconds, and the way out."""
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
        """With the seconds that the agent has worked; the person's own are nobody's business."""
        worked = "" if self._since is None else f"{self.seconds:.0f}s · "
        return f"{worked}Esc to {'leave it' if self._since is None else 'stop'}"

    def _set_ticking(self, ticking: bool) -> None:
        if self._timer is not None:
            self._timer.resume() if ticking else self._timer.pause()
        self.refresh()

    def _tick(self) -> None:
        self._ticks += 1
        self.refresh()
