"""From chat messages to the conversation: every answer starts by reading them all again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agent.chat import Message
from agent.clerk.hearing import hear
from agent.clerk.memory import DECLINED, NOT_DONE, WRITES, Asked, Memory
from agent.clerk.planning import next_step
from agent.clerk.talk import Talk

REMINDER = "Reminder before this change:"
NOTE = "Console note:"
"""How messages begin that stand among the customer's but are not theirs."""

CARD_WAITS = "A card is waiting"
CARD_SETTLED = "on the card, this change was then"
ABOUT_CARD = "About the card: "
"""How the clerk's own answers begin that are about a card that waits."""

KEPT = 400
"""Messages that are read; a conversation has at most a few dozen."""


def fold(messages: list[Message]) -> Talk:
    """The conversation as it stands after the last message."""
    messages = messages[-KEPT:]
    talk = Talk(names=_names(messages))
    policy = policy_of(messages)
    for message in _without_asides(messages):
        _take(talk, message, policy)
    return talk


def _without_asides(messages: list[Message]) -> list[Message]:
    """The messages without what was asked and answered while a card waited."""
    asides: set[int] = set()
    for place, message in enumerate(messages):
        text = text_of(message)
        if message.get("role") == "assistant" and text.startswith(ABOUT_CARD):
            asides |= {place - 1, place}
        elif text.startswith(NOTE) and CARD_SETTLED in text:
            asides.update(_back_to_call(messages, place))
    return [message for place, message in enumerate(messages) if place not in asides]


def _back_to_call(messages: list[Message], place: int) -> Iterator[int]:
    """The places of the words between a card's call and the note that it was settled."""
    for earlier in range(place - 1, -1, -1):
        message = messages[earlier]
        if message.get("role") not in {"user", "assistant"} or message.get("tool_calls"):
            return
        yield earlier


def _take(talk: Talk, message: Message, policy: str) -> None:
    role, text = message.get("role"), text_of(message)
    if text.startswith((REMINDER, NOTE)):
        return
    if role == "user" and text.strip():
        hear(talk, text)
    elif role == "tool":
        _result(talk, str(message.get("tool_call_id", "")), text)
    elif role == "assistant":
        asked = list(calls_of(message))
        if asked or text.strip():
            _answered(talk, asked, text, policy)


def _answered(talk: Talk, asked: list[Asked], text: str, policy: str) -> None:
    """An assistant message is read against the step that the clerk takes at that point."""
    if not asked:
        talk.said(next_step(talk, policy), text)
        return
    step = next_step(talk, policy) if any(each.name in WRITES for each in asked) else None
    for each in asked:
        if step is not None and each.name in WRITES:
            talk.propose(each, step)
        else:
            talk.proposals[each.id] = (each, None, ())


def _result(talk: Talk, call_id: str, text: str) -> None:
    found = talk.proposals.get(call_id)
    if text.startswith(NOT_DONE):
        if text.startswith(DECLINED):
            talk.decline(call_id)
        return
    if found is None:
        return
    asked = found[0]
    talk.memory.read(asked, text)
    if asked.name in WRITES:
        if text.startswith("Error"):
            talk.failed(call_id, text)
        else:
            talk.carry_out(call_id)


def text_of(message: Message) -> str:
    """A message's words; content in parts is joined."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return " ".join(str(each.get("text", "")) for each in content if isinstance(each, dict))
    return ""


def calls_of(message: Message) -> Iterator[Asked]:
    """The calls in an assistant message; arguments that are no JSON object count as none."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            arguments = _arguments(function.get("arguments"))
            yield Asked(str(call.get("id", "")), str(function.get("name", "")), arguments)


def _arguments(text: Any) -> dict[str, Any]:
    if isinstance(text, dict):
        return text
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def policy_of(messages: list[Message]) -> str:
    """The text of the first system message."""
    return next((text_of(each) for each in messages if each.get("role") == "system"), "")


def _names(messages: list[Message]) -> tuple[str, ...]:
    """Product names in any result, so that what was typed earlier is read with them too."""
    memory = Memory()
    asked: dict[str, Asked] = {}
    for message in messages:
        if message.get("role") == "assistant":
            asked.update({each.id: each for each in calls_of(message)})
        elif message.get("role") == "tool":
            call = asked.get(str(message.get("tool_call_id", "")))
            if call is not None and not text_of(message).startswith(NOT_DONE):
                memory.read(call, text_of(message))
    return memory.product_names
