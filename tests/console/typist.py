"""Hands, a terminal and an event loop that stands still at times, before a key guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from console.widgets.key_guard import TICK, KeyGuard, Meaning
from console.widgets.press_log import Kind, PressLog

MEANS: dict[str, Meaning] = {"a": "decides", "r": "opens", "c": "opens", "k": "opens", "x": "opens"}
OPENS_FIELD = frozenset("rck")
ARROW, ENTER = "↑", "\n"
HANDLING = 0.001


@dataclass(frozen=True)
class Standstill:
    """A time in which nothing runs: the loop alone, or the whole program (then keys are stamped
    late as well)."""

    begins: float
    lasts: float
    whole: bool

    @property
    def ends(self) -> float:
        return self.begins + self.lasts

    def covers(self, moment: float) -> bool:
        return self.begins <= moment < self.ends


@dataclass
class Typist:
    """PressLog keys before a card that is painted at `painted`; says which of them decided."""

    keys: Sequence[tuple[float, str]]
    """When each was really pressed, in order."""

    painted: float
    standstills: Sequence[Standstill] = ()
    notes_first: bool = True
    """Whether a batch of keys is noted whole before the first of them is handled, or each apart."""

    approved: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    """When keys were really pressed that approved, or sent the words of a field."""

    closed: float = 0.0
    """When Enter was last pressed for something else, handled before the card was painted."""

    def run(self) -> None:
        self._presses = PressLog()
        self._guard = KeyGuard(self._presses, 0.0)
        self._field: Literal["closed", "open"] = "closed"
        self._words = 0
        waiting = [(*self._times(at, n), at, key) for n, (at, key) in enumerate(self.keys)]
        end = max((each[1] for each in waiting), default=self.painted) + 6
        now = 0.0
        while now < end and not self.approved and not self.sent:
            batch = [each for each in waiting if each[1] <= now]
            waiting = waiting[len(batch) :]
            self._handle(batch, now)
            waiting = self._tick(waiting, now)
            now = self._next_tick(now)

    def _times(self, at: float, number: int) -> tuple[float, float]:
        """When a key is stamped and when the loop handles it."""
        order = number * 1e-6
        for still in self.standstills:
            if still.covers(at):
                stamped = still.ends + order if still.whole else at
                return stamped, still.ends + HANDLING + order
        return at, at + HANDLING

    def _next_tick(self, now: float) -> float:
        tick = now + TICK
        for still in self.standstills:
            if still.covers(tick):
                return still.ends
        return tick

    def _handle(self, batch: Sequence[tuple[float, float, float, str]], now: float) -> None:
        if self.notes_first:
            for stamped, _, _, key in batch:
                self._presses.note(stamped, kind(key))
        for stamped, handled, at, key in batch:
            if not self.notes_first:
                self._presses.note(stamped, kind(key))
            if self._guard.is_shown:
                self._hear(key, stamped, max(handled, now), at)
            elif key == ENTER:
                self.closed = at

    def _hear(self, key: str, stamped: float, now: float, at: float) -> None:
        if self._field == "open":
            if key != ENTER:
                self._words += key != ARROW
            elif self._guard.hear_enter(stamped, now, empty=not self._words):
                self._watched = at
        elif key == ARROW:
            self._guard.try_accept(stamped, now, "moves")
        elif self._guard.try_accept(stamped, now, MEANS.get(key, "stray")):
            self._watched = at
            if key in OPENS_FIELD:
                self._field = "open"
                self._guard.open_field(stamped, now)

    def _tick(
        self, waiting: list[tuple[float, float, float, str]], now: float
    ) -> list[tuple[float, float, float, str]]:
        if not self._guard.is_shown and now >= self.painted:
            self._guard.show(now)
        self._guard.beat(now)
        if self._guard.stands(now):  # then all that was read is noted before anything is done
            read = [each for each in waiting if each[0] <= now]
            self._handle(read, now)
            waiting = waiting[len(read) :]
            if self._guard.stands(now):
                (self.sent if self._field == "open" else self.approved).append(self._watched)
        if self._guard.stands(now) is False:
            self._guard.release()
        return waiting


def kind(key: str) -> Kind:
    if key == ENTER:
        return "enter"
    return "other" if key == ARROW else "letter"


def typed(text: str, begins: float, pace: float) -> list[tuple[float, str]]:
    """A text typed at an even pace, in seconds a key."""
    return [(begins + number * pace, key) for number, key in enumerate(text)]
