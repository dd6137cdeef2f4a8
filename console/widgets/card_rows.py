"""The distribution of a card's rows, so that what matters is visible at every screen size."""

from __future__ import annotations

from dataclasses import dataclass

SHARE = 0.75
"""The share of the conversation's height that a card may take on a large screen."""

SMALLEST = 16
"""The rows that a card may always take, even if that is the whole conversation."""

AIRY = 20
"""The rows inside the card from which its parts are separated by blank rows."""

TIGHT = 13
"""The rows inside the card, without a note, below which the body gets only one row.

The rest goes to the head, so that objections are not cut.
"""

BELOW = 2
"""The rows of the buttons, or of the input line, and of the hint below."""

BORDER = 2
LEAST_HEAD = 3


@dataclass(frozen=True, slots=True)
class CardRows:
    """The rows available to each part of a card."""

    inside: int
    """The rows of all parts together, without the border."""

    head: int
    """The most rows of the head; rows it does not use go to the body."""

    note: int
    """The rows of a note or of the agent's answer, which scrolls."""

    airy: bool
    """Whether there is a blank row before each part."""

    def middle(self, head: int) -> int:
        """The rows left for the body, which scrolls, next to a head of `head` rows."""
        blank = (2 + (self.note > 0)) if self.airy else 0
        return max(1, self.inside - BELOW - head - self.note - blank)


def divide_rows(available: int, note: int = 0) -> CardRows:
    """Divide `available` rows among the parts of a card with a note of `note` rows."""
    inside = max(6, min(available, max(SMALLEST, int(available * SHARE))) - BORDER)
    airy = inside >= AIRY
    rest = inside - BELOW - (3 if airy else 0)
    note = min(note, max(1, rest // 3))
    middle = 1 if inside - note < TIGHT else max(1, (rest - note) // 3)
    return CardRows(inside, max(LEAST_HEAD, rest - note - middle), note, airy)
