"""What a pane reads: a session as it stands, or as it stood at some moment of a replay."""

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
    """A log, or its beginning."""

    @property
    def events(self) -> list[Logged]:
        """What has happened, in order; to read only."""
        ...


class Held(Protocol):
    """A conversation, or what is replayed of one."""

    @property
    def domain(self) -> Domain:
        """What it is held on."""
        ...

    @property
    def scenario(self) -> Scenario | None:
        """What is played in it, if anything."""
        ...

    @property
    def memory(self) -> Bank | None:
        """What the agent can read of what was learned before; None where it is not here."""
        ...

    @property
    def log(self) -> Events:
        """What has happened."""
        ...

    @property
    def blocks(self) -> GrowingBlocks:
        """What it can be sent to a model as."""
        ...

    @property
    def records(self) -> Records:
        """The records as they stand then; to read only."""
        ...

    @property
    def status(self) -> SessionStatus:
        """Where the session stands then."""
        ...
