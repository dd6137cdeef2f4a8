"""One answer of the model as messages, in an order that every provider accepts.

An assistant message with tool calls is followed at once by one tool message for each call, and tool
messages appear nowhere else. Calls that were never completed (after a crash, an interruption, or a
reminder that replaced the proposal) are left out. What was said about a card while it waited comes
after the last tool message of the answer that proposed the card.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from agent.models.protocol import Message
from sessions.events import ModelAnswered, ProposedCall

NOTE = "Console note:"
"""The prefix of a user-role message that comes from the console, not from the customer."""

DECLINED = "Not carried out: the customer declined."
CHANGE_WANTED = "Not carried out: the customer asked for a change."
WITHDRAWN = "Not carried out: the turn was interrupted before the customer decided."
WAITING = "Not carried out yet: the customer is looking at the card and asked about it first."


@dataclass
class AssistantTurn:
    """An answer of the model, the results of its calls, and what was said about their cards."""

    answer: ModelAnswered
    results: dict[str, str] = field(default_factory=dict)
    """The result text of each call, by call id."""

    asked: set[str] = field(default_factory=set)
    """Ids of calls whose card is waiting and has been asked about."""

    asides: list[Message] = field(default_factory=list)
    """Messages about its cards, in time order."""

    def proposes(self, call_id: str) -> bool:
        """Whether the answer contains this call."""
        return any(call.id == call_id for call in self.answer.calls)

    def messages(self, model: str | None) -> Iterator[Message]:
        """Yield the answer and its results as messages that can be sent to `model`.

        What is meant for the answer's own provider is included only if `model` gave the answer.
        """
        asides = self._asides()
        results = {**dict.fromkeys(self.asked if asides else (), WAITING), **self.results}
        calls = [call for call in self.answer.calls if call.id in results]
        if calls or self.answer.text.strip():
            yield self._assistant(calls, model)
        for call in calls:
            yield {"role": "tool", "tool_call_id": call.id, "content": results[call.id]}
        if calls:
            yield from asides

    def _asides(self) -> list[Message]:
        """The messages about its cards, except an unanswered question about a waiting card.

        The code that puts that question to the model adds it itself.
        """
        unanswered = bool(self.asked and self.asides) and self.asides[-1]["role"] == "user"
        return self.asides[:-1] if unanswered else self.asides

    def _assistant(self, calls: list[ProposedCall], model: str | None) -> Message:
        message: Message = {"role": "assistant", "content": self.answer.text or None}
        if calls:
            message["tool_calls"] = [_as_tool_call(call) for call in calls]
        whole = len(calls) == len(self.answer.calls)
        if self.answer.provider and whole and self.answer.model == model:
            message["provider"] = self.answer.provider
        return message


def closing_note(outcome: str) -> Message:
    """The message that closes a talk about a card that ended without a message from the customer.

    A request must not end with the agent's own words: some providers take them for the beginning of
    the answer that they are to give.
    """
    return {"role": "user", "content": f"{NOTE} on the card, this change was then {outcome}."}


def note_of_answer(text: str) -> Message:
    """The message that tells the model what the card itself answered to the customer."""
    return {"role": "user", "content": f"{NOTE} the card itself answered them: {text}"}


def merge_neighbours(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages, merging neighbouring ones of the assistant so that roles alternate."""
    held: Message | None = None
    for message in messages:
        if held is not None and held["role"] == message["role"] == "assistant":
            words = "\n\n".join(each for each in (held["content"], message["content"]) if each)
            held = {**held, **message, "content": words}
            continue
        if held is not None:
            yield held
        held = message
    if held is not None:
        yield held


def _as_tool_call(call: ProposedCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": _as_object(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _as_object(arguments: str) -> str:
    """The JSON text, wrapped in an object if it is not one: providers reject anything else."""
    try:
        whole = isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        whole = False
    return arguments if whole else json.dumps({"unreadable_arguments": arguments})
