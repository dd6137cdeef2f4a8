"""What every domain's requests have in common: enough to keep a conversation about them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Protocol


class Want(Protocol):
    """One thing that the customer wants, as far as the shared machinery looks into it."""

    text: str
    """The customer's words."""

    closed: bool
    outcome: str
    """``done``, ``refused``, ``answered`` or ``dropped``."""

    wait: str
    """``revise`` where a declined proposal must change first; the tool's words where it failed."""

    give_up: bool
    """The customer said to leave it where it is not possible."""

    otherwise: list[Any]
    """What to do instead where this turns out to be impossible."""

    @property
    def intent(self) -> StrEnum | None:
        """What kind of request it is; None while that is open."""
        ...
