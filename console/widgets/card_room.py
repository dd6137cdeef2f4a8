"""How the rows of a card are shared out, so that what decides is on screen at every size."""

from __future__ import annotations

from dataclasses import dataclass

SHARE = 0.75
"""How much of the conversation's height a card may take where the screen is large."""

SMALLEST = 16
"""Rows that a card may take in any case, the whole conversation if need be."""

AIRY = 20
"""Rows inside the card from which on its parts have a blank row between them."""

TIGHT = 13
"""Rows inside the card, beside a note, below which its middle has one: what speaks against it is
not to be cut."""

BELOW = 2
"""Rows of the buttons, or of the line to type in, and of the hint below."""

BORDER = 2
LEAST_HEAD = 3


@dataclass(frozen=True, slots=True)
class Room:
    """Rows for the parts of a card."""

    inside: int
    """All of them together, the border left out."""

    head: int
    """At most; what the head leaves is the middle's."""

    note: int
    """For a note, or for the agent's answer, which scrolls in it."""

    airy: bool
    """Whether there is a blank row before each part."""

    def middle(self, head: int) -> int:
        """What is left for the middle, which scrolls, beside a head of so many rows."""
        blank = (2 + (self.note > 0)) if self.airy else 0
        return max(1, self.inside - BELOW - head - self.note - blank)


def room_for(available: int, note: int = 0) -> Room:
    """The rooms in a conversation of so many rows, with a note that would take so many."""
    inside = max(6, min(available, max(SMALLEST, int(available * SHARE))) - BORDER)
    airy = inside >= AIRY
    rest = inside - BELOW - (3 if airy else 0)
    note = min(note, max(1, rest // 3))
    middle = 1 if inside - note < TIGHT else max(1, (rest - note) // 3)
    return Room(inside, max(LEAST_HEAD, rest - note - middle), note, airy)
