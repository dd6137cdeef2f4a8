"""What leaves for a provider, without any key that there is.

A log may hold what became a key only later, a policy or a record anything: whatever a message is
made of, the names of its fields included, no key that is in use or in the environment goes over
the wire in it. What stays is known by its place: the protocol's own words, and the names of tools,
for a call of ``[redacted]`` reaches none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agent.models.protocol import Message
from agent.models.redaction import hide, known_secrets, without_secrets_json

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
"""Where the protocol puts words of its own, as the names of the fields that lead there."""

_PROTOCOL_WORDS = frozenset(
    {"assistant", "developer", "function", "thinking", "redacted_thinking", "ephemeral"}
)
"""Those that are long enough to be hidden."""

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
"""The names of fields, in the protocol and in JSON Schema, that are long enough to be hidden."""

_TOOL_NAMES = frozenset({("name",), ("function", "name"), ("tool_calls", "function", "name")})
_ARGUMENTS = ("tool_calls", "function", "arguments")
_SIGNED = "thinking_blocks"
"""What a provider takes back only as it signed it."""


def without_keys(
    messages: list[Message], tools: list[dict[str, Any]] | None = None
) -> list[Message]:
    """The messages without any key; signed thinking that has one is left out whole.

    The names of these tools stay as they are.
    """
    known = known_secrets()
    if not known:
        return messages
    hiding = _Hiding(known, _names_of(tools or []))
    return [_message_without_keys(each, hiding) for each in messages]


def tools_without_keys(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools without any key in what they say of themselves, but for their names."""
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
    """What is hidden, and the names of tools, which are not."""

    known: tuple[str, ...]
    names: frozenset[str]

    def hide(self, value: Any, place: tuple[Any, ...] = ()) -> Any:
        """A value of a message or a tool without any key; lists add nothing to its place."""
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
        return hide(self.known, text)

    def _arguments(self, text: str) -> str:
        """A call's arguments, still JSON: taken out of their text, a key may leave half an escape.

        What is found only in the text, such as a key of digits alone, is taken out of that.
        """
        try:
            values = json.loads(text)
            told = without_secrets_json(values, self.known)
            if told == values and self._text(text) == text:
                return text
            text = json.dumps(told)
        except (ValueError, RecursionError):
            pass  # a model may write anything
        return self._text(text)
