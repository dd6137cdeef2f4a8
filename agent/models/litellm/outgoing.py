"""Removes every known key from what is sent to a provider.

A log may contain text that became a key only later, and a policy or a record may contain anything.
So no key that is in use or in the environment is sent in any part of a message, field names
included. Two things are exempt, recognised by their place: the protocol's own words, and the names
of tools, since a call of ``[redacted]`` would reach no tool.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agent.models.protocol import Message
from agent.models.redaction import hide_secrets, known_secrets, without_secrets_json

_PROTOCOL_PLACES = frozenset(
    {
        ("role",),
        ("type",),
        ("content", "type"),
        ("content", "cache_control", "type"),
        ("tool_calls", "type"),
        ("thinking_blocks", "type"),
    }
)
"""Where the protocol puts its own words, as the path of field names that leads there."""

_PROTOCOL_WORDS = frozenset(
    {"assistant", "developer", "function", "thinking", "redacted_thinking", "ephemeral"}
)
"""Those of the words that are long enough to be mistaken for a secret."""

_FIELDS = frozenset(
    [
        "function",
        "arguments",
        "tool_calls",
        "tool_call_id",
        "reasoning_content",
        "thinking_blocks",
        "thinking",
        "signature",
        "cache_control",
        "provider_specific_fields",
        "thought_signature",
        "image_url",
        "parameters",
        "properties",
        "required",
        "description",
        "additionalProperties",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minLength",
        "maxLength",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "definitions",
    ]
)
"""Field names of the protocol and of JSON Schema that are long enough to be mistaken for a
secret."""

_TOOL_NAMES = frozenset({("name",), ("function", "name"), ("tool_calls", "function", "name")})
_ARGUMENTS = ("tool_calls", "function", "arguments")
_SIGNED = "thinking_blocks"
"""The field that a provider accepts back only as it signed it."""


def without_keys(
    messages: list[Message], tools: list[dict[str, Any]] | None = None
) -> list[Message]:
    """The messages without any key; signed thinking that contains one is dropped entirely.

    The names of these tools are kept.
    """
    known = known_secrets()
    if not known:
        return messages
    hiding = _Hiding(known, _names_of(tools or []))
    return [_message_without_keys(each, hiding) for each in messages]


def tools_without_keys(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools without any key in their descriptions; their names are kept."""
    known = known_secrets()
    if not known:
        return tools
    hiding = _Hiding(known, _names_of(tools))
    return [hiding.hide(each) for each in tools]


def _names_of(tools: list[dict[str, Any]]) -> frozenset[str]:
    return frozenset(each["function"]["name"] for each in tools)


def _message_without_keys(message: Message, hiding: _Hiding) -> Message:
    told: Message = hiding.hide(message)
    if told.get(_SIGNED) != message.get(_SIGNED):
        told.pop(_SIGNED, None)
    return told


@dataclass(frozen=True, slots=True)
class _Hiding:
    """The secrets to hide, and the tool names to keep."""

    known: tuple[str, ...]
    names: frozenset[str]

    def hide(self, value: Any, place: tuple[Any, ...] = ()) -> Any:
        """A value of a message or a tool without any key; a list does not extend the place."""
        if isinstance(value, dict):
            return {
                name if name in _FIELDS else self._text(str(name)): self.hide(each, (*place, name))
                for name, each in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.hide(each, place) for each in value]
        if not isinstance(value, str) or self._stays(value, place):
            return value
        return self._arguments(value) if place == _ARGUMENTS else self._text(value)

    def _stays(self, text: str, place: tuple[Any, ...]) -> bool:
        is_protocol = place in _PROTOCOL_PLACES and text in _PROTOCOL_WORDS
        return is_protocol or (place in _TOOL_NAMES and text in self.names)

    def _text(self, text: str) -> str:
        return hide_secrets(self.known, text)

    def _arguments(self, text: str) -> str:
        """A call's arguments without any key, still as JSON.

        Each parsed string is searched, because cutting a key out of the text could leave half an
        escape. A key that is found only in the text, such as one of digits alone, is cut out of the
        text.
        """
        try:
            values = json.loads(text)
            told = without_secrets_json(values, self.known)
            if told == values and self._text(text) == text:
                return text
            text = json.dumps(told)
        except (ValueError, RecursionError):
            pass  # not JSON: a model may write anything
        return self._text(text)
