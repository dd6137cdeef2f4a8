"""The ways in which a model can call tools: the provider's own, or written as text.

τ-bench, section 4, compares function calling with ReAct ("thought, then action") and Act (the
action alone). A model whose server accepts no tools is asked for text; the loop and the gate see
the same pieces either way.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Literal

from agent.models.assembly import LONGEST_ANSWER
from agent.models.history import NOTE
from agent.models.protocol import (
    CallPiece,
    ChatModel,
    Finish,
    Message,
    ModelFault,
    ModelRequest,
    Piece,
    TextPiece,
    ways_to_remind,
)
from agent.models.text_call_parsing import ACTION, ANSWER, OBSERVATION, THOUGHT, StepParser
from agent.reflection.reflection import OPENING
from sessions.events import ReminderWay

Written = Literal["react", "act"]
"""The styles in which calls are written as text."""

_FORM = {
    "react": f"{THOUGHT} what you know and what follows from it, in a sentence or two\n",
    "act": "",
}
_RULES = f"""## How to act here

You cannot call tools in any other way than by writing. Everything you write is one step, in exactly
one of these two forms. To use a tool:

{{form}}{ACTION} {{{{"name": "the tool's name", "arguments": {{{{"argument": "value"}}}}}}}}

To speak to the customer, which ends your turn:

{{form}}{ANSWER} your words

- One step at a time, and nothing after it. What the tool returned then follows as "{OBSERVATION}".
- Never write "{OBSERVATION}" yourself.
- The action is one JSON object on one line.

These are the tools, each with the JSON schema of its arguments:

{{tools}}"""
_CUSTOMER = "Customer:"


class TextCallModel:
    """Wraps a model so that calls it writes as text appear as ordinary tool calls."""

    def __init__(self, model: ChatModel, style: Written) -> None:
        self._model = model
        self._style: Written = style

    @property
    def name(self) -> str:
        """The model's name with the style as its suffix: ``gpt-4o+react``."""
        return f"{self._model.name}+{self._style}"

    @property
    def ways_to_remind(self) -> frozenset[ReminderWay]:
        """The scratchpad, if it writes thoughts, and a message."""
        return frozenset({"scratchpad", "message"} if self._style == "react" else {"message"})

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Answer piece by piece, ending with one Finish; raises ModelFault."""
        steps, said, size = StepParser(), False, 0
        asked = replace(request, messages=messages_as_text(request, self._style), tools=[])
        async with aclosing(self._model.stream(asked)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                if isinstance(piece, TextPiece):
                    size += len(piece.text)
                    if size > LONGEST_ANSWER:
                        raise _endless()
                    read = [*steps.feed(piece.text)]
                elif isinstance(piece, Finish):
                    read = [*steps.end(), piece]
                else:
                    read = [piece]
                said = said or any(isinstance(each, TextPiece | CallPiece) for each in read)
                if isinstance(piece, Finish) and not said:
                    raise _nothing_written()
                for each in read:
                    yield each


def _endless() -> ModelFault:
    """The fault for a step that exceeds the size limit.

    It is checked here because text that is held back never reaches the check in ``assembly``.
    """
    return ModelFault(
        "garbled",
        "The model's step did not end and was stopped. Retry, or change the model.",
        retryable=True,
    )


def _nothing_written() -> ModelFault:
    return ModelFault(
        "garbled",
        "The model wrote neither words for you nor an action. Retry, or change the model.",
        retryable=True,
    )


class ToolFallbackModel:
    """Calls tools the provider's way until the server rejects them, and as text from then on."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._asked = model

    @property
    def name(self) -> str:
        """The wrapped model's name."""
        return self._model.name

    @property
    def ways_to_remind(self) -> frozenset[ReminderWay]:
        """Those of the way in which it currently calls tools."""
        return ways_to_remind(self._asked)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Answer piece by piece, ending with one Finish; raises ModelFault."""
        try:
            async with aclosing(self._asked.stream(request)) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    yield piece
            return
        except ModelFault as fault:
            if fault.kind != "no_tools" or self._asked is not self._model:
                raise
        self._asked = TextCallModel(self._model, "react")
        async with aclosing(self._asked.stream(request)) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                yield piece


def messages_as_text(request: ModelRequest, style: Written) -> list[Message]:
    """The request's messages with tools, calls and results as text, and with alternating roles."""
    system, *rest = request.messages
    rules = _rules(request.tools, style)
    first = {**system, "content": "\n\n".join(filter(None, (str(system["content"]), rules)))}
    return list(_join_neighbours([first, *(_message_as_text(message) for message in rest)]))


def _rules(tools: list[dict[str, Any]], style: Written) -> str:
    if not tools:
        return ""
    listed = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    return _RULES.format(form=_FORM[style], tools=listed)


def _message_as_text(message: Message) -> Message:
    text = str(message.get("content") or "")
    match message["role"]:
        case "tool":
            return {"role": "user", "content": f"{OBSERVATION} {_inside(text)}"}
        case "user" if message.get("scratchpad"):
            return {"role": "user", "content": f"{THOUGHT} {_inside(text)}"}
        case "user" if text.startswith((NOTE, OPENING)):
            return {"role": "user", "content": text}
        case "user":
            return {"role": "user", "content": f"{_CUSTOMER} {_inside(text)}"}
        case _:
            return {"role": message["role"], "content": "\n".join(_steps(message, text))}


def _steps(message: Message, text: str) -> Iterator[str]:
    if text:
        yield f"{ANSWER} {text}"
    for call in message.get("tool_calls") or ():
        function = call["function"]
        action = {"name": function["name"], "arguments": json.loads(function["arguments"])}
        yield f"{ACTION} {json.dumps(action, ensure_ascii=False)}"


def _inside(text: str) -> str:
    """The text with later lines indented, so that none of them can begin with a marker."""
    return text.replace("\n", "\n  ")


def _join_neighbours(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages with neighbours of one role merged, as several servers require."""
    held: Message | None = None
    for message in messages:
        if held is not None and held["role"] == message["role"] != "system":
            held = {**held, "content": f"{held['content']}\n\n{message['content']}"}
            continue
        if held is not None:
            yield held
        held = message
    if held is not None:
        yield held
