"""The log of key presses, wherever they went, used to tell a lone key from a typed one.

Times are in seconds of the clock that Textual stamps its events with. They are taken in the thread
that reads the terminal, so they are the moment of the press, however late the loop handles it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Kind = Literal["letter", "command", "enter", "click", "other"]
"""The kind of a press.

``letter``: anything that could be part of a sentence, including pasted text; ``command``: a letter
that a card accepted as one of its keys.
"""

Place = tuple[float, float]

KEPT = 64
RECENT = 30.0
"""Seconds for which the typing speed is remembered."""

PAUSE = 2.0
"""Seconds; a longer gap lies between sentences and says nothing about the typing speed."""

GAPS = 12
"""The number of gaps from which the typing speed is taken."""


@dataclass(frozen=True, slots=True)
class Press:
    """One key press, click or paste."""

    at: float
    kind: Kind
    place: Place | None = None
    """The column and the row of a click on the screen."""


class PressLog:
    """The latest presses of one program, in time order."""

    def __init__(self) -> None:
        """Start with an empty log."""
        self._latest: deque[Press] = deque(maxlen=KEPT)

    def note(self, at: float, kind: Kind, place: Place | None = None) -> None:
        """Add a press to the log."""
        self._latest.append(Press(at, kind, place))

    def click_at(self, place: Place) -> float | None:
        """When the mouse was last pressed at that place; None if it was not."""
        clicks = (each.at for each in self._latest if each.kind == "click" and each.place == place)
        return max(clicks, default=None)

    def mark_understood(self, at: float) -> None:
        """Record that the letter pressed at that time was accepted as a key of a card."""
        for index, press in enumerate(self._latest):
            if press.at == at and press.kind == "letter":
                self._latest[index] = Press(at, "command")

    def is_click(self, at: float) -> bool:
        """Whether a mouse button was pressed at that time."""
        return any(each.at == at and each.kind == "click" for each in self._latest)

    def was_letter(self, at: float) -> bool:
        """Whether a letter was among what was pressed at that time."""
        return any(each.at == at and each.kind == "letter" for each in self._latest)

    def before(self, at: float) -> Press | None:
        """The last press before this time."""
        return max((each for each in self._latest if each.at < at), key=_time, default=None)

    def after(self, at: float) -> Press | None:
        """The first press after this time, or a second press with the same time."""
        same = [each for each in self._latest if each.at == at]
        later = (each for each in self._latest if each.at > at)
        return same[1] if len(same) > 1 else min(later, key=_time, default=None)

    def last_open_letter(self, at: float) -> float | None:
        """The time of the last letter up to this time, unless Enter ended the text after it."""
        for press in reversed(self._latest):
            if press.at <= at and press.kind in ("letter", "enter"):
                return press.at if press.kind == "letter" else None
        return None

    def gaps(self, at: float) -> list[float]:
        """The seconds between consecutive letters typed shortly before this time."""
        return list(self._gaps(at))[-GAPS:]

    def _gaps(self, at: float) -> Iterator[float]:
        recent = (each for each in self._latest if at - RECENT <= each.at <= at)
        for first, second in pairwise(recent):
            if first.kind == second.kind == "letter" and second.at - first.at <= PAUSE:
                yield second.at - first.at


def _time(press: Press) -> float:
    return press.at
