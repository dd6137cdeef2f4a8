"""When keys were pressed, wherever they went: what tells a lone key from a typed one.

Times are seconds of the clock that Textual stamps its events with, taken in the thread that reads
the terminal: the moment of the press, however late the loop gets round to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Kind = Literal["letter", "command", "enter", "click", "other"]
"""``letter``: whatever could be part of a sentence, pasted text included; ``command``: a letter
that a card took for one of its keys."""

Place = tuple[float, float]

KEPT = 64
RECENT = 30.0
"""Seconds for which somebody's speed of typing is remembered."""

PAUSE = 2.0
"""Seconds: what is longer lies between sentences and tells nothing of the speed of typing."""

GAPS = 12
"""Of how many gaps the speed is taken."""


@dataclass(frozen=True, slots=True)
class Press:
    """One key, click or paste."""

    at: float
    kind: Kind
    place: Place | None = None
    """Of a click, the column and the row on the screen."""


class Presses:
    """The latest presses of one program, in time order."""

    def __init__(self) -> None:
        """Nothing was pressed yet."""
        self._latest: deque[Press] = deque(maxlen=KEPT)

    def note(self, at: float, kind: Kind, place: Place | None = None) -> None:
        """Remember a press."""
        self._latest.append(Press(at, kind, place))

    def click_at(self, place: Place) -> float | None:
        """When the mouse was last pressed there."""
        clicks = (each.at for each in self._latest if each.kind == "click" and each.place == place)
        return max(clicks, default=None)

    def mark_understood(self, at: float) -> None:
        """What was pressed then was no letter of a word, but one of a card's keys."""
        for index, press in enumerate(self._latest):
            if press.at == at and press.kind == "letter":
                self._latest[index] = Press(at, "command")

    def is_click(self, at: float) -> bool:
        """Whether what was pressed then was a button of the mouse."""
        return any(each.at == at and each.kind == "click" for each in self._latest)

    def was_letter(self, at: float) -> bool:
        """Whether what was pressed then could be part of a sentence, whatever came with it."""
        return any(each.at == at and each.kind == "letter" for each in self._latest)

    def before(self, at: float) -> Press | None:
        """The last press before this moment."""
        return max((each for each in self._latest if each.at < at), key=_time, default=None)

    def after(self, at: float) -> Press | None:
        """The first press after this moment, or with it and not the same."""
        same = [each for each in self._latest if each.at == at]
        later = (each for each in self._latest if each.at > at)
        return same[1] if len(same) > 1 else min(later, key=_time, default=None)

    def last_open_letter(self, at: float) -> float | None:
        """When the last letter before this moment was pressed, unless Enter closed its sentence."""
        for press in reversed(self._latest):
            if press.at <= at and press.kind in ("letter", "enter"):
                return press.at if press.kind == "letter" else None
        return None

    def gaps(self, at: float) -> list[float]:
        """Seconds between the letters typed one after the other not long before this moment."""
        return list(self._gaps(at))[-GAPS:]

    def _gaps(self, at: float) -> Iterator[float]:
        recent = (each for each in self._latest if at - RECENT <= each.at <= at)
        for first, second in pairwise(recent):
            if first.kind == second.kind == "letter" and second.at - first.at <= PAUSE:
                yield second.at - first.at


def _time(press: Press) -> float:
    return press.at
