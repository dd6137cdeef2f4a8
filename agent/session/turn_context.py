"""What the loop works with during a turn: the log, the records, the model, the operator."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from agent.comparison import Talk
from agent.context.blocks import GrowingBlocks
from agent.context.selection import Ranker
from agent.control.latch import Latch
from agent.control.seen_so_far import SessionSeen
from agent.gate.operator import AutoApprover, Operator
from agent.memory.bank import Bank
from agent.models.call_ids import CallIds
from agent.models.protocol import ChatModel, Piece
from agent.session.identity import Identity
from agent.session.limits import Spending
from agent.session.wording import wording_of
from domains.core.domain import Domain, Scenario
from domains.core.records import Records
from domains.core.wording import Wording
from sessions.events import Limits, RequestSettings, Safeguards
from sessions.log import Log


@dataclass
class TurnContext:
    """The working parts of one conversation.

    What happened is kept in the log and nowhere else; everything here that depends on it is derived
    from the log as it grows.
    """

    domain: Domain
    log: Log
    records: Records
    model: ChatModel
    operator: Operator
    safeguards: Safeguards
    max_turns: int = 30
    limits: Limits = field(default_factory=Limits)
    ranker: Ranker | None = None
    auxiliary: ChatModel | None = None
    """The model that words cards and reminders and judges tools (SABER, section 4.2)."""

    requests: RequestSettings = field(default_factory=RequestSettings)
    """How requests to the agent's model and the auxiliary one are made."""

    on_piece: Callable[[Piece | None], None] | None = None
    """Called with each piece of the running answer, or with None to start over. Not part of the
    log."""

    scenario: Scenario | None = field(default=None, init=False)
    """The scenario being played; None in free play."""

    memory: Bank | None = field(default=None, init=False)
    """The memory of earlier conversations that the agent can read."""

    answer: asyncio.Future[None] | None = field(default=None, init=False)
    """The running answer to a question about a card, until the model has finished it."""

    identity: Identity = field(init=False)
    talk: Talk = field(init=False)
    latch: Latch = field(init=False)
    seen: SessionSeen = field(init=False)
    spending: Spending = field(init=False)
    call_ids: CallIds = field(init=False)
    blocks: GrowingBlocks = field(init=False)

    def __post_init__(self) -> None:
        self.spending = Spending(self.log)
        self.identity = Identity.following(self.domain, self.log)
        self.talk = Talk.following(self.log)
        self.latch = Latch.following(self.log)
        self.seen = SessionSeen.following(self.log)
        self.call_ids = CallIds(self.log)
        self.blocks = GrowingBlocks(self.log.events)

    @cached_property
    def wording(self) -> Wording:
        """How the agent's model is told about its job and its tools."""
        return wording_of(self.domain, self.requests)

    @property
    def customer(self) -> str | None:
        """The id of the customer that this conversation's look-ups found."""
        return self.identity.customer

    @property
    def approver(self) -> Operator:
        """The operator who decides on cards now; with the gate off, one that always says yes."""
        return self.operator if self.safeguards.gate else AutoApprover()

    def has_been_shown(self, call_id: str) -> bool:
        """Whether a card for this call has been shown, so that only the person may decide on it."""
        return self.safeguards.gate and call_id in self.log.turn.cards

    def pass_on_piece(self, piece: Piece | None) -> None:
        """Pass on a piece of the running answer, if anything is listening."""
        if self.on_piece is not None:
            self.on_piece(piece)
