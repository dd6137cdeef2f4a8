"""Rebuilds the dialogue state from all chat messages; every answer begins with this."""

from __future__ import annotations

from dataclasses import dataclass
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
from agent.clerk.tracking import outcomes
from agent.clerk.tracking.message_handling import take_message
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
    for message in filter(hands_over_entries, messages):
        dialogue.records.learned.take_handed(text_of(message))
    rebuilding = _Rebuilding(dialogue, policy_of(messages), skills)
    for message in without_card_talk(messages):
        rebuilding.take(message)
    return dialogue


@dataclass
class _Rebuilding:
    """A dialogue that takes in one message after the other."""

    dialogue: Dialogue
    policy: str
    skills: DomainSkills

    def take(self, message: Message) -> None:
        """Take in a message; notes and reminders in the user role are none of the customer's."""
        role, text, dialogue = message.get("role"), text_of(message), self.dialogue
        if role == "user" and text.strip() and not text.startswith((REMINDER, NOTE)):
            before = len(dialogue.tasks)
            take_message(dialogue, text)
            dialogue.batch = before if len(dialogue.tasks) > before else dialogue.batch
        elif role == "tool":
            self._take_result(str(message.get("tool_call_id", "")), text)
        elif role == "assistant":
            calls = list(calls_of(message))
            if calls:
                self._take_calls(calls)
            elif text.strip():
                step = next_step(dialogue, self.policy, self.skills)
                outcomes.record_answer(dialogue, step, text)

    def _take_calls(self, calls: list[RecordedCall]) -> None:
        """Compare the writes with the step that the clerk itself would take at that point."""
        writes = [each for each in calls if each.name in self.skills.writes]
        step = next_step(self.dialogue, self.policy, self.skills) if writes else None
        for each in calls:
            if step is not None and each in writes:
                outcomes.record_call(self.dialogue, each, step)
            else:
                self.dialogue.proposals[each.id] = (each, None)

    def _take_result(self, call_id: str, text: str) -> None:
        dialogue, failed = self.dialogue, text.startswith("Error")
        call, _ = dialogue.proposals.get(call_id, (None, None))
        if text.startswith(DECLINED):
            outcomes.record_declined(dialogue, call_id)
        if text.startswith(NOT_DONE) or call is None:
            return
        if call.name == HAND_OVER and not failed:
            for task in dialogue.open_tasks:
                task.close("done")
        dialogue.records.read(call, text)
        if call.name in self.skills.writes and failed:
            outcomes.record_failure(dialogue, call_id, text)
        elif call.name in self.skills.writes:
            outcomes.record_write(dialogue, call_id)
