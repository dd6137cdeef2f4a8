"""τ-bench's ReAct and Act trajectories: an agent that wrote its calls as text.

They are read as that program read them, since that is what was carried out then: behind the last
``Action:`` stands a call if it is JSON, and otherwise words to the customer. The models that this
program asks in text are held to more (:mod:`agent.models.text_call_parsing`): there, what cannot
be read is never taken for something that was said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.events import ProposedCall
from sessions.importing.runs import Agent, Customer, Returned, Step, words

if TYPE_CHECKING:
    from sessions.importing.tau1_schema import Message

ACTION = "Action:"
THOUGHT = "Thought:"
RESPOND = "respond"
"""The action that is no call: words to the customer."""

OUTPUT = "API output: "
"""What stands before a result, which came back as the customer's message."""


def style(messages: Sequence[Message]) -> str:
    """``react`` or ``act`` where calls were written as text; empty where they were not."""
    if any(each.tool_calls or each.role == "tool" for each in messages):
        return ""
    written = [each.content or "" for each in messages if each.role == "assistant"]
    if not any(_action(text) for text in written):
        return ""
    return "react" if any(THOUGHT in text for text in written) else "act"


def steps(messages: Sequence[Message]) -> Iterator[Step]:
    """What was said and called, in order."""
    waiting = ""
    for number, message in enumerate(messages):
        text = message.content or ""
        if message.role == "assistant":
            step = _step(text, f"written_{number}")
            waiting = step.calls[0].id if step.calls else ""
            yield step
        elif message.role == "user" and waiting:
            yield Returned(waiting, clean(text.removeprefix(OUTPUT)))
            waiting = ""
        elif message.role == "user":
            yield Customer(words(text))


def _step(text: str, call_id: str) -> Agent:
    action = _action(text)
    before, _, last = text.rpartition(ACTION)
    thought = clean(before.strip().removeprefix(THOUGHT).strip())
    if action is None:
        return Agent(clean(last.strip()), reasoning=thought)
    name, arguments = action
    if name == RESPOND and isinstance(arguments, dict):
        return Agent(clean(str(arguments.get("content", ""))), reasoning=thought)
    told = json.dumps(clean_json(arguments))
    call = ProposedCall(id=call_id, name=clean(name), arguments=told)
    return Agent("", (call,), spoken=False, reasoning=thought)


def _action(text: str) -> tuple[str, Any] | None:
    """The name and arguments that stand behind the last marker; None where that is no action."""
    try:
        found = json.loads(text.rpartition(ACTION)[2].strip())
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(name := found.get("name"), str):
        return None
    return (name, found["arguments"]) if "arguments" in found else None
