"""What a pane needs of a session: a running conversation, or a replay at some moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent.context.blocks import GrowingBlocks
    from agent.memory.bank import Bank
    from domains.core.domain import Domain, Scenario
    from domains.core.records import Records
    from sessions.events import Logged
    from sessions.views import SessionStatus


class Events(Protocol):
    """A log, or the first part of one."""

    @property
    def events(self) -> list[Logged]:
        """The events so far, in order. Callers must not change the list."""
        ...


class SessionView(Protocol):
    """A running conversation, or a session being replayed."""

    @property
    def domain(self) -> Domain:
        """The domain of the session."""
        ...

    @property
    def scenario(self) -> Scenario | None:
        """The scenario being played; None in free play."""
        ...

    @property
    def memory(self) -> Bank | None:
        """The memory bank the agent reads from; None if it has none or it is not in this file."""
        ...

    @property
    def log(self) -> Events:
        """The events so far."""
        ...

    @property
    def blocks(self) -> GrowingBlocks:
        """The conversation as blocks that can be sent to a model."""
        ...

    @property
    def records(self) -> Records:
        """The records as of this moment. Callers must not change them."""
        ...

    @property
    def status(self) -> SessionStatus:
        """The state of the session as of this moment."""
        ...
