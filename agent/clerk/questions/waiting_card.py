"""A card that waits for the customer's decision, as the clerk knows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_LINES = {
    "The card says": "sentence",
    "Afterwards": "after",
    "Afterwards no longer possible": "closes",
}


@dataclass
class WaitingCard:
    """A waiting card as described by the console's note, with the dialogue before it."""

    dialogue: Any
    """The dialogue before the card."""

    question: str = ""
    """The customer's question about the card."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    """The customer's words for other changes that are still to come."""

    told: dict[str, list[str]] = field(default_factory=dict)
    """The card's sentence, its effects and what it rules out, keyed by the values of ``_LINES``."""

    def take_line(self, line: str) -> None:
        """Take in a line of the console's note."""
        name, _, words = line.partition(": ")
        if name in _LINES:
            self.told.setdefault(_LINES[name], []).append(words.strip())

    @property
    def sentence(self) -> str:
        """The sentence that says what is about to happen."""
        return " ".join(self.told.get("sentence", ()))

    @property
    def after(self) -> list[str]:
        """What will be so afterwards."""
        return self.told.get("after", [])

    @property
    def closes(self) -> list[str]:
        """What will no longer be possible."""
        return self.told.get("closes", [])

    @property
    def moves_money(self) -> bool:
        """Whether the card mentions money that is paid or refunded."""
        return "$" in self.sentence or any("$" in each for each in self.after)
