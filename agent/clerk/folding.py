"""From chat messages to the conversation: every answer starts by reading them all again."""

from __future__ import annotations

from typing import Any

from agent.clerk.deciding.serving import next_step
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.messages import (
    NOTE,
    REMINDER,
    calls_of,
    is_handed,
    policy_of,
    text_of,
    without_asides,
)
from agent.clerk.state.records import DECLINED, HAND_OVER, NOT_DONE, Asked
from agent.clerk.tracking.hearing import hear
from agent.clerk.trade import Trade
from agent.models.protocol import Message

KEPT = 400
"""Messages that are read; a conversation has at most a few dozen."""


def fold(messages: list[Message], trade: Trade, *, remembers: bool = False) -> Any:
    """The conversation as it stands after the last message, with a memory or without one."""
    messages = messages[-KEPT:]
    talk = trade.begin(messages)
    talk.memory.learned.there = remembers
    for message in messages:
        if is_handed(message):
            talk.memory.learned.take_handed(text_of(message))
    policy = policy_of(messages)
    for message in without_asides(messages):
        _take(talk, message, policy, trade)
    return talk


def _take(talk: Dialogue, message: Message, policy: str, trade: Trade) -> None:
    role, text = message.get("role"), text_of(message)
    if text.startswith((REMINDER, NOTE)):
        return
    if role == "user" and text.strip():
        before = len(talk.requests)
        hear(talk, text)
        talk.batch = before if len(talk.requests) > before else talk.batch
    elif role == "tool":
        _take_result(talk, str(message.get("tool_call_id", "")), text, trade)
    elif role == "assistant":
        asked = list(calls_of(message))
        if asked or text.strip():
            _take_answer(talk, asked, text, policy, trade)


def _take_answer(talk: Dialogue, asked: list[Asked], text: str, policy: str, trade: Trade) -> None:
    """An assistant message is read against the step that the clerk takes at that point."""
    if not asked:
        talk.take_words(next_step(talk, policy, trade), text)
        return
    writes = any(each.name in trade.writes for each in asked)
    step = next_step(talk, policy, trade) if writes else None
    for each in asked:
        if step is not None and each.name in trade.writes:
            talk.propose(each, step)
        else:
            talk.proposals[each.id] = (each, None)


def _take_result(talk: Dialogue, call_id: str, text: str, trade: Trade) -> None:
    found = talk.proposals.get(call_id)
    if text.startswith(NOT_DONE):
        if text.startswith(DECLINED):
            talk.decline(call_id)
        return
    if found is None:
        return
    asked = found[0]
    if asked.name == HAND_OVER and not text.startswith("Error"):
        for task in talk.open:
            task.closed, task.outcome = True, "done"
    talk.memory.read(asked, text)
    if asked.name in trade.writes:
        if text.startswith("Error"):
            talk.take_failure(call_id, text)
        else:
            talk.carry_out(call_id)
