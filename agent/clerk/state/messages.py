"""Reads chat messages: their text, their tool calls, and the console's notes among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.clerk.state.records import RecordedCall, as_object
from agent.models.protocol import Message

REMINDER = "Reminder before this change:"
NOTE = "Console note:"
"""Like ``REMINDER``, a prefix of messages in the user role that the customer did not write."""

HANDED = f"{NOTE} from earlier conversations"
"""How such a note begins if it hands over remembered entries."""

CARD_WAITS = "A card is waiting"
CARD_SETTLED = "on the card, this change was then"
ABOUT_CARD = "About the card: "
"""The prefix of the clerk's own answers about a waiting card."""


def text_of(message: Message) -> str:
    """The text of a message; content in parts is joined."""
    content = message.get("content")
    if isinstance(content, list):
        return " ".join(str(each.get("text", "")) for each in content if isinstance(each, dict))
    return content if isinstance(content, str) else ""


def calls_of(message: Message) -> Iterator[RecordedCall]:
    """Yield the calls in an assistant message; arguments that are no JSON object become empty."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            told: Any = function.get("arguments")
            arguments = as_object(told) if isinstance(told, str) else told
            arguments = arguments if isinstance(arguments, dict) else {}
            yield RecordedCall(str(call.get("id", "")), str(function.get("name", "")), arguments)


def policy_of(messages: list[Message]) -> str:
    """The text of the first system message."""
    return next((text_of(each) for each in messages if each.get("role") == "system"), "")


def without_card_talk(messages: list[Message]) -> list[Message]:
    """The messages without the questions and answers about a card while it waited."""
    asides: set[int] = set()
    for place, message in enumerate(messages):
        text = text_of(message)
        if message.get("role") == "assistant" and text.startswith(ABOUT_CARD):
            asides |= {place - 1, place}
        elif text.startswith(NOTE) and CARD_SETTLED in text:
            asides.update(_back_to_call(messages, place))
    return [message for place, message in enumerate(messages) if place not in asides]


def _back_to_call(messages: list[Message], place: int) -> Iterator[int]:
    """Yield the indices of the messages between a card's call and the note that it was settled."""
    for earlier in range(place - 1, -1, -1):
        message = messages[earlier]
        if message.get("role") not in {"user", "assistant"} or message.get("tool_calls"):
            return
        yield earlier


def announces_card(message: Message) -> bool:
    """Whether a message says that a card is waiting for the customer's decision."""
    text = text_of(message)
    return CARD_WAITS in text and (message.get("role") == "system" or text.startswith(NOTE))


def hands_over_entries(message: Message) -> bool:
    """Whether a message hands over remembered entries that the agent did not ask for."""
    return message.get("role") == "user" and text_of(message).startswith(HANDED)
