"""Rebuilds the dialogue state from all chat messages; every answer begins with this."""

from __future__ import annotations

from typing import Any

from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.messages import (
    NOTE,
    REMINDER,
    calls_of,
    hands_over_entries,
    policy_of,
    text_of,
    without_card_talk,
)
from agent.clerk.state.records import DECLINED, HAND_OVER, NOT_DONE, RecordedCall
from agent.clerk.tracking.message_handling import take_message
from agent.clerk.tracking.outcomes import (
    record_answer,
    record_call,
    record_declined,
    record_failure,
    record_write,
)
from agent.models.protocol import Message

KEPT = 400
"""How many of the last messages are read; a conversation has at most a few dozen."""


def rebuild_dialogue(
    messages: list[Message], skills: DomainSkills, *, remembers: bool = False
) -> Any:
    """The dialogue after the last message; ``remembers`` says whether there is a memory to read."""
    messages = messages[-KEPT:]
    dialogue = skills.new_dialogue(messages)
    dialogue.records.learned.is_available = remembers
    for message in messages:
        if hands_over_entries(message):
            dialogue.records.learned.take_handed(text_of(message))
    policy = policy_of(messages)
    for message in without_card_talk(messages):
        _take(dialogue, message, policy, skills)
    return dialogue


def _take(dialogue: Dialogue, message: Message, policy: str, skills: DomainSkills) -> None:
    role, text = message.get("role"), text_of(message)
    if text.startswith((REMINDER, NOTE)):
        return
    if role == "user" and text.strip():
        before = len(dialogue.tasks)
        take_message(dialogue, text)
        dialogue.batch = before if len(dialogue.tasks) > before else dialogue.batch
    elif role == "tool":
        _take_result(dialogue, str(message.get("tool_call_id", "")), text, skills)
    elif role == "assistant":
        asked = list(calls_of(message))
        if asked or text.strip():
            _apply_assistant_message(dialogue, asked, text, policy, skills)


def _apply_assistant_message(
    dialogue: Dialogue, asked: list[RecordedCall], text: str, policy: str, skills: DomainSkills
) -> None:
    """Compare an assistant message with the step that the clerk itself would take at that point."""
    if not asked:
        record_answer(dialogue, next_step(dialogue, policy, skills), text)
        return
    writes = any(each.name in skills.writes for each in asked)
    step = next_step(dialogue, policy, skills) if writes else None
    for each in asked:
        if step is not None and each.name in skills.writes:
            record_call(dialogue, each, step)
        else:
            dialogue.proposals[each.id] = (each, None)


def _take_result(dialogue: Dialogue, call_id: str, text: str, skills: DomainSkills) -> None:
    found = dialogue.proposals.get(call_id)
    if text.startswith(NOT_DONE):
        if text.startswith(DECLINED):
            record_declined(dialogue, call_id)
        return
    if found is None:
        return
    asked = found[0]
    if asked.name == HAND_OVER and not text.startswith("Error"):
        for task in dialogue.open_tasks:
            task.closed, task.outcome = True, "done"
    dialogue.records.read(asked, text)
    if asked.name in skills.writes:
        if text.startswith("Error"):
            record_failure(dialogue, call_id, text)
        else:
            record_write(dialogue, call_id)
