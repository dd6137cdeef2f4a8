"""Short ways to write down what happened, for tests that fold logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sessions.events import (
    AgentSaid,
    AnyEvent,
    Card,
    CardShown,
    Choice,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelAnswered,
    ProposedCall,
    ToolReturned,
    WriteApplied,
)


def logged(events: Iterable[AnyEvent]) -> list[Logged]:
    """Events with places in a log."""
    return [
        Logged(session="s", seq=seq, at="2026-01-01T00:00:00.000000", event=event, hash="")
        for seq, event in enumerate(events, start=1)
    ]


def customer(turn: int, text: str | None = None) -> CustomerSaid:
    """The customer begins a turn."""
    return CustomerSaid(text=f"turn {turn}" if text is None else text, turn=turn)


def answered(
    text: str, *call_ids: str, name: str = "take", provider: dict[str, Any] | None = None
) -> ModelAnswered:
    """The model ``m`` answers with words and calls."""
    calls = tuple(ProposedCall(id=each, name=name, arguments='{"n": 1}') for each in call_ids)
    return ModelAnswered(model="m", text=text, calls=calls, provider=provider or {})


def said(text: str, about_card: str | None = None) -> AgentSaid:
    """Words of the agent."""
    return AgentSaid(text=text, about_card=about_card)


def returned(call_id: str, name: str = "look") -> ToolReturned:
    """A look-up's result."""
    return ToolReturned(call_id=call_id, name=name, text=f"result of {call_id}")


def card_shown(card_id: str, call_id: str) -> CardShown:
    """A card for a call of ``take``."""
    card = Card(
        id=card_id,
        call_id=call_id,
        tool="take",
        arguments={"n": 1},
        sentence="Take one.",
        before=(),
        after=(),
        closes=(),
        call_digest="",
        state_digest="",
    )
    return CardShown(card=card, words_digest="")


def decided(card_id: str, decision: Choice, words: str = "") -> DecisionMade:
    """The person's word on a card."""
    return DecisionMade(
        card_id=card_id, decision=decision, words=words, by="person", milliseconds=700
    )


def written(card_id: str, call_id: str) -> WriteApplied:
    """An approved write that was carried out."""
    return WriteApplied(
        card_id=card_id,
        call_id=call_id,
        name="take",
        arguments={"n": 1},
        result=f"done {call_id}",
        patch=[],
        records_digest="",
    )
