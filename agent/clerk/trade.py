"""What the clerk has to know of a line of business; everything else is shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agent.clerk.dialogue import Dialogue
from agent.clerk.steps import Answer, Call
from agent.models.protocol import Message

T = TypeVar("T", bound=Dialogue[Any, Any])


@dataclass(frozen=True)
class Understood:
    """What a message was taken for."""

    intents: frozenset[str] = frozenset()
    offered: frozenset[str] = frozenset()
    """The intents among which the customer is asked to choose."""


def nothing_understood(talk: Any) -> Understood:
    """For a trade that does not tell."""
    return Understood()


@dataclass(frozen=True)
class Trade(Generic[T]):
    """A line of business: its own conversation, and how that goes on."""

    tools: frozenset[str]
    """Names of tools that only this trade has; by them it is recognised."""

    writes: frozenset[str]
    """Names of the tools that change records."""

    begin: Callable[[list[Message]], T]
    """A conversation in which nothing was said yet; the messages are there to look ahead in."""

    hear: Callable[[T, str], None]
    """Take in what the customer typed."""

    next_step: Callable[[T, str], Call | Answer]
    """What to do now, by the conversation and the policy's text; leaves both as they are."""

    mistakes: Mapping[str, Callable[[Call | Answer, T], Call | Answer]]
    """The mistakes that can be made in this trade alone, each spoiling a step."""

    card_topics: Mapping[str, Callable[[Any], str]]
    """What can be told about a card that waits, by the topic that a question is about."""

    topics: Callable[[str], list[str]]
    """The topics that a customer's question about a card is about."""

    understood: Callable[[T], Understood] = nothing_understood
    """What the last message was taken for, for those who measure it."""
