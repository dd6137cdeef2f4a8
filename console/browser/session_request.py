"""The request of a screen that the app do something with a recorded session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.message import Message

SessionAction = Literal["replay", "open", "fork", "what if", "tree", "compare", "browse"]


@dataclass
class SessionRequest(Message):
    """The person wants to see, continue, fork or compare recorded sessions."""

    what: SessionAction
    session: str = ""
    at: int | None = None
    """The event after which to fork, or at which to begin a replay."""

    draft: str = ""
    """The text that the fork's composer holds at first."""

    other: str = ""
    """The session to compare with."""
