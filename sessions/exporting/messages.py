"""A conversation as chat messages with tool calls, in OpenAI's form and in TRL's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from sessions.exporting.telling import Declined, Ran, Told, Words

Message = dict[str, Any]

Arguments = Callable[[dict[str, Any]], Any]
"""How a call's arguments are written: as an object, or as the JSON text of one."""


def as_text(arguments: dict[str, Any]) -> str:
    """Arguments as OpenAI has them, in JSON text."""
    return json.dumps(arguments)


def as_object(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as TRL has them."""
    return arguments


def messages(policy: str, story: Iterable[Told], arguments: Arguments) -> list[Message]:
    """The policy and then the conversation; of a declined change only the customer's words."""
    found: list[Message] = [{"role": "system", "content": policy}]
    for each in story:
        match each:
            case Words(who="customer"):
                found.append({"role": "user", "content": each.text})
            case Words():
                found.append({"role": "assistant", "content": each.text})
            case Ran():
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
    """One call as messages hold it."""
    function = {"name": name, "arguments": arguments(given)}
    return {"id": call_id, "type": "function", "function": function}


def _add_call(found: list[Message], call: dict[str, Any]) -> None:
    """What the agent said just before a call stands in the same message."""
    last = found[-1]
    if last["role"] == "assistant" and "tool_calls" not in last:
        last["tool_calls"] = [call]
    else:
        found.append({"role": "assistant", "content": "", "tool_calls": [call]})
