"""Write a conversation as chat messages with tool calls, in the formats of OpenAI and TRL."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from sessions.exporting.steps import CallRun, Declined, Step, Words

Message = dict[str, Any]

Arguments = Callable[[dict[str, Any]], Any]
"""Writes the arguments of a call, as an object or as JSON text."""


def as_text(arguments: dict[str, Any]) -> str:
    """The arguments in OpenAI's format, as JSON text."""
    return json.dumps(arguments)


def as_object(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments in TRL's format, as an object."""
    return arguments


def messages(policy: str, story: Iterable[Step], arguments: Arguments) -> list[Message]:
    """The policy, then the conversation.

    Of a declined change only the customer's words are kept.
    """
    found: list[Message] = [{"role": "system", "content": policy}]
    for each in story:
        match each:
            case Words(who="customer"):
                found.append({"role": "user", "content": each.text})
            case Words():
                found.append({"role": "assistant", "content": each.text})
            case CallRun():
                _add_call(found, tool_call(each.call_id, each.name, each.arguments, arguments))
                found.append({"role": "tool", "tool_call_id": each.call_id,
                              "name": each.name, "content": each.text})  # fmt: skip
            case Declined() if each.decision.words.strip():
                found.append({"role": "user", "content": each.decision.words})
            case _:
                pass
    return found


def tool_call(
    call_id: str, name: str, given: dict[str, Any], arguments: Arguments
) -> dict[str, Any]:
    """A tool call in the format used within messages."""
    function = {"name": name, "arguments": arguments(given)}
    return {"id": call_id, "type": "function", "function": function}


def _add_call(found: list[Message], call: dict[str, Any]) -> None:
    """Add a call to the agent's last message if that has no call yet, or else as a new message."""
    last = found[-1]
    if last["role"] == "assistant" and "tool_calls" not in last:
        last["tool_calls"] = [call]
    else:
        found.append({"role": "assistant", "content": "", "tool_calls": [call]})
