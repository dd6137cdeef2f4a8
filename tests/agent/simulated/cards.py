"""Cards, and what a customer heard, without a session behind them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from agent.simulated.customer import CardPut
from domains.core.domain import Role, Scenario
from domains.core.tool import ToolCall
from sessions.events import Card, Precondition


def card(tool: str, *, closes: tuple[str, ...] = (), failing: str = "", **arguments: Any) -> Card:
    """A card for a call; `failing` names a check of the policy that does not hold."""
    before = (Precondition(name=failing, source="policy", verdict="fails"),) if failing else ()
    return Card(
        id=uuid4().hex,
        call_id="call",
        tool=tool,
        arguments=arguments,
        sentence=f"Do {tool}.",
        before=before,
        after=(),
        closes=closes,
        call_digest="",
        state_digest="",
    )


def put(shown: Card, choice: Any = "approve", words: str = "") -> CardPut:
    """A card that was answered."""
    return CardPut(shown, choice, words)


def scenario(*ends: tuple[ToolCall, ...], role: Role | None = None) -> Scenario:
    """One to play, with these acceptable ends; nobody wrote a script for it."""
    return Scenario("toy", "Toy", role or Role("You are Ann."), ends=ends)


def call(tool: str, **arguments: Any) -> ToolCall:
    """A call of an end."""
    return ToolCall(tool, arguments)
