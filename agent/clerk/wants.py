"""What every domain's requests, and messages that make them, have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from agent.clerk.identity import Identity


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


W = TypeVar("W", bound=Want)


@dataclass
class Heard(Generic[W]):
    """One customer message, understood without its context."""

    text: str
    requests: list[W]
    loose: W
    """Details that belong to no request in this message."""

    aside: str
    """The words that ask for nothing themselves, a line for each sentence."""

    identity: Identity
    correction: bool = False
    only: bool = False
    also: bool = False
    nothing: bool = False
    yes: bool = False
    no: bool = False
    forget: bool = False
    anything: bool = False
    cut: bool = False
    """Whether it was longer than the clerk reads."""

    unread: list[str] = field(default_factory=list)
    """Clauses that wish or ask for something which is not understood, as far as one can tell."""

    ordinals: list[int] = field(default_factory=list)
