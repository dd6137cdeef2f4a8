"""Read τ-bench's ReAct and Act trajectories, in which the agent wrote its calls as text.

They are parsed as that program parsed them, since that determined what was carried out: after the
last ``Action:``, JSON is a call and anything else is a message to the customer. Models that this
program asks for calls in text are parsed more strictly (:mod:`agent.models.text_call_parsing`):
there, unreadable text is never taken for a message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sessions.cleaning import clean, clean_json
from sessions.events import ProposedCall
from sessions.importing.runs import Agent, Customer, Returned, Step, clean_words

if TYPE_CHECKING:
    from sessions.importing.tau1_schema import Message

ACTION = "Action:"
THOUGHT = "Thought:"
RESPOND = "respond"
"""The action that is not a call but a message to the customer."""

OUTPUT = "API output: "
"""The prefix of a result, which came back as the customer's message."""


def style(messages: Sequence[Message]) -> str:
    """``react`` or ``act`` if calls were written as text; otherwise empty."""
    if any(each.tool_calls or each.role == "tool" for each in messages):
        return ""
    written = [each.content or "" for each in messages if each.role == "assistant"]
    if not any(_action(text) for text in written):
        return ""
    return "react" if any(THOUGHT in text for text in written) else "act"


def steps(messages: Sequence[Message]) -> Iterator[Step]:
    """Yield the messages and calls in order."""
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
            yield Customer(clean_words(text))


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
    """The name and arguments of the call after the last marker; None if there is no call."""
    try:
        found = json.loads(text.rpartition(ACTION)[2].strip())
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(name := found.get("name"), str):
        return None
    return (name, found["arguments"]) if "arguments" in found else None
