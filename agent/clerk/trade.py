"""What the clerk has to know of a line of business; everything else is shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.clerk.state.steps import Answer, Ask, Call, Tell
from agent.clerk.state.task import Task
from agent.models.protocol import Message

Skill = Callable[[Task, Any, str], "Call | Ask | Tell"]
"""The next step for a task, by the conversation and the policy's text: a look-up, a change, a
question or an answer; may raise Settled with it."""


NextStep = Callable[[Any, str], Call | Answer]
"""What is done next in a dialogue, after a message."""

Mistake = Callable[[Call | Answer, Any, NextStep], Call | Answer]
"""Spoils a step of a dialogue; the last argument tells what would be done in another one."""


def no_conflict(call: Call, queue: list[Task], talk: Any) -> Call | Ask | None:
    """Nothing that is still to come stands in the way of a call."""
    return None


@dataclass(frozen=True)
class Trade:
    """A line of business: its own conversation, and its skills."""

    tools: frozenset[str]
    """Names of tools that only this trade has; by them it is recognised."""

    writes: frozenset[str]
    """Names of the tools that change records."""

    begin: Callable[[list[Message]], Any]
    """A conversation in which nothing was said yet; the messages are there to look ahead in."""

    identify: Callable[[Any], Call | Answer | None]
    """How to find out who speaks; None once the customer is known."""

    skills: Mapping[str, Skill]
    """The skills by intent."""

    what_if: Skill
    """What is told of a change that was only asked about."""

    rank: Callable[[Task, list[Task]], float]
    """When a task's turn comes among the open ones: the lowest is served first."""

    can_do: str
    sayings: Mapping[str, str]
    """What is said to what is not served; it counts as refused."""

    mistakes: Mapping[str, Mistake]
    """The mistakes that can be made in this trade alone."""

    card_topics: Mapping[str, Callable[[Any], str]]
    """What can be told about a card that waits, by the topic that a question is about."""

    asked_of_cards: Mapping[str, tuple[str, ...]]
    """Words of a question about a card, by its topic."""

    conflict: Callable[[Call, list[Task], Any], Call | Ask | None] = no_conflict
    """What has to be settled before a call because of the tasks that are still to come."""
