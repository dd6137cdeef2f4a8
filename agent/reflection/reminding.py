"""Delivers a reminder to the agent: in its reasoning, its scratchpad, or a separate message.

SABER, sections 4.1 and 4.2: the reminder belongs in the model's thinking, or in a ReAct scratchpad
if it shows none. A message in the user's role is the last resort: several providers refuse a system
message this late, or move it to the front, far from the decision that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from agent.models.history import AssistantTurn
from agent.models.litellm.messages import takes_reasoning_back
from agent.models.protocol import ChatModel, Message, ModelFault, ways_to_remind
from sessions.events import Logged, ModelAnswered, ReminderWay

HELD_BACK = "Held back for a second look; nothing has been changed."
"""The result of a call that a model is reminded about, if the call itself is sent back."""

Wanted = Literal["auto", "thinking", "scratchpad", "message"]

_ALLOWED: dict[Wanted, tuple[ReminderWay, ...]] = {
    "auto": ("reasoning", "prefill", "scratchpad", "message"),
    "thinking": ("reasoning", "prefill"),
    "scratchpad": ("scratchpad",),
    "message": ("message",),
}


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder as the last messages that a model reads before it proposes again."""

    messages: list[Message]
    way: ReminderWay


def remind(
    text: str, model: ChatModel, proposed: ModelAnswered | None, wanted: Wanted,
    log: Iterable[Logged] = (),
) -> Reminder:  # fmt: skip
    """The reminder, in the first of the wanted ways that the model supports.

    ``proposed`` is the model's own answer that is held back, if there is one. Raises ModelFault
    ``bad_setting`` if it supports none of the wanted ways.
    """
    can = ways_to_remind(model)
    payload = _reasoning_of(proposed, log) if proposed is not None and proposed.calls else None
    for way in _ALLOWED[wanted]:
        if way in can and (way != "reasoning" or payload is not None):
            return Reminder([*_messages(text, way, proposed, payload)], way)
    raise ModelFault(
        "bad_setting",
        f"{model.name} takes no reminder in its {wanted}. Ask with --reflection-as auto, "
        "or change the model.",
    )


def _messages(
    text: str, way: ReminderWay, proposed: ModelAnswered | None, payload: dict[str, Any] | None
) -> Iterator[Message]:
    match way:
        case "reasoning" if proposed is not None and payload is not None:
            asked, *held = _messages_held_back(proposed)
            thought = "\n\n".join(filter(None, (payload["reasoning_content"], text)))
            yield {**asked, "provider": {**payload, "reasoning_content": thought}}
            yield from held
        case "prefill":
            yield {"role": "assistant", "content": f"<think>\n{text}\n</think>", "prefix": True}
        case "scratchpad":
            yield from () if proposed is None else _messages_held_back(proposed)
            yield {"role": "user", "content": text, "scratchpad": True}
        case _:
            yield {"role": "user", "content": text}


def _messages_held_back(proposed: ModelAnswered) -> list[Message]:
    """The proposed call, answered as held back."""
    exchange = AssistantTurn(proposed, {call.id: HELD_BACK for call in proposed.calls})
    return [*exchange.messages(proposed.model)]


def _reasoning_of(proposed: ModelAnswered, log: Iterable[Logged]) -> dict[str, Any] | None:
    """The reasoning to send back to the model's provider as plain text, or None.

    For an answer without reasoning it is empty if the model has shown its reasoning before.
    """
    if _shows_reasoning(proposed):
        return proposed.provider
    if proposed.provider:
        return None
    before = (
        logged.event
        for logged in log
        if isinstance(logged.event, ModelAnswered) and logged.event.model == proposed.model
    )
    shown = next((each.provider for each in before if _shows_reasoning(each)), None)
    return shown and {**shown, "reasoning_content": ""}


def _shows_reasoning(answer: ModelAnswered) -> bool:
    theirs = answer.provider
    plain = "reasoning_content" in theirs and "thinking_blocks" not in theirs
    return plain and takes_reasoning_back(theirs)
