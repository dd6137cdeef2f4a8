"""What a screen asks the app to do with a recorded session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.message import Message

What = Literal["replay", "open", "fork", "what if", "tree", "compare", "browse"]


@dataclass
class HistoryWanted(Message):
    """The person wants to see a session again, or to go another way from it."""

    what: What
    session: str = ""
    at: int | None = None
    """The event after which it is forked."""

    draft: str = ""
    """What stands in the fork's composer to begin with."""

    other: str = ""
    """What it is compared with."""
