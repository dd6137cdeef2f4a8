"""What leaves for a provider, without any key that there is.

A log may hold what became a key only later, a policy or a record anything: whatever a message is
made of, no key that is in use or in the environment goes over the wire in it.
"""

from __future__ import annotations

from typing import Any

from agent.models.protocol import Message
from agent.models.redaction import hide, known_secrets

_OF_THE_PROTOCOL = frozenset({"role", "type"})
"""Fields of which every value is the protocol's own word."""

_SIGNED = "thinking_blocks"
"""What a provider takes back only as it signed it."""


def without_keys(messages: list[Message]) -> list[Message]:
    """The messages without any key; signed thinking that has one is left out whole."""
    known = known_secrets()
    return [_message_without_keys(each, known) for each in messages] if known else messages


def tools_without_keys(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools without any key in what they say of themselves."""
    known = known_secrets()
    return [_hide(each, known) for each in tools] if known else tools


def _message_without_keys(message: Message, known: tuple[str, ...]) -> Message:
    told: Message = _hide(message, known)
    if told.get(_SIGNED) != message.get(_SIGNED):
        del told[_SIGNED]
    return told


def _hide(value: Any, known: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_hide(each, known) for each in value]
    if isinstance(value, dict):
        return {
            name: each if name in _OF_THE_PROTOCOL and isinstance(each, str) else _hide(each, known)
            for name, each in value.items()
        }
    return hide(known, value) if isinstance(value, str) else value
