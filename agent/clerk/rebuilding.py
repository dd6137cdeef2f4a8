"""Rebuilds the dialogue state from all chat messages; every answer begins with this.

What the assistant did is compared with the step that the clerk itself would take at that point: so
it is known which task a call settles, and which question is open.
"""

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
from agent.clerk.state.records import (
    DECLINED,
    HAND_OVER,
    NOT_DONE,
    NOT_SHOWN,
    RecordedCall,
)
from agent.clerk.state.steps import Answer, Call
from agent.clerk.state.task import Task
from agent.clerk.tracking.message_handling import take_message
from agent.clerk.understanding.parsed_message import ParsedRequest
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
            writes = [each for each in calls if each.name in self.skills.writes]
            due = bool(writes or (text.strip() and not calls))
            step = next_step(dialogue, self.policy, self.skills) if due else None
            for each in calls:
                dialogue.proposals[each.id] = (each, None)
                if step is not None and each in writes:
                    self._take_write(each, step)
            if isinstance(step, Call) and step.text and text.strip() == step.text:
                dialogue.assistant_texts.append(text)
                dialogue.not_understood = []
                self._close_told(step)
            elif step is not None and not calls:
                self._take_words(step, text)

    def _take_write(self, call: RecordedCall, step: Call | Answer) -> None:
        """Record that the assistant proposed a change, and which task that settles."""
        dialogue = self.dialogue
        if isinstance(step, Call) and step.name == call.name:
            task = step.task
            for each in step.answers:
                each.close("answered")
        else:
            able = ((e, dialogue.tools.get(str(e.intent), ())) for e in dialogue.open_tasks)
            task = next((each for each, names in able if call.name in names), None)
        dialogue.proposals[call.id] = (call, task)
        if task is not None:
            task.permitted_by = step.went_by if isinstance(step, Call) else ""
        if not isinstance(step, Call) or step.key != call.key:
            dialogue.unexpected_calls.add(call.id)
        for other in dialogue.open_tasks:
            if any(each is task for each in other.fallback_tasks):
                self._close(other, "refused")
        dialogue.focus = dialogue.record_id_of(call) or dialogue.focus

    def _take_result(self, call_id: str, text: str) -> None:
        """Record what became of a call."""
        dialogue, failed = self.dialogue, text.startswith("Error")
        call, task = dialogue.proposals.get(call_id, (None, None))
        if text.startswith((*DECLINED, NOT_SHOWN)):
            self._take_refusal(call, task, shown=not text.startswith(NOT_SHOWN))
        if text.startswith((NOT_DONE, NOT_SHOWN)) or call is None:
            return
        if call.name == HAND_OVER and not failed:
            for each in dialogue.open_tasks:
                each.close("done")
        dialogue.records.read(call, text)
        if call.name not in self.skills.writes:
            return
        if not failed:
            self._take_change(call, task)
        elif call_id in dialogue.unexpected_calls:
            dialogue.rejected_tools.add(call.name)
        elif task is not None:
            task.wait = text

    def _take_refusal(self, call: RecordedCall | None, task: Task | None, *, shown: bool) -> None:
        """Record that the customer declined a call; its task must be revised first.

        One that was not shown any more, after others were declined, is put in words.
        """
        dialogue = self.dialogue
        if call is not None:
            dialogue.declined_calls.add(call.key)
            dialogue.rejected_tools.add(call.name)
            dialogue.declined_call = Call(call.name, dict(call.arguments), task)
        dialogue.current_task, dialogue.declined, dialogue.question = task, True, None
        dialogue.has_new_request = False
        dialogue.told_detail |= not shown
        if task is not None:
            task.wait = "revise" if shown else ""
            task.items = dialogue.items_in(call) or task.items

    def _take_change(self, call: RecordedCall, task: Task | None) -> None:
        """Record that a change was made; what was declined before of its record is not open."""
        dialogue = self.dialogue
        dialogue.changes.append(call)
        dialogue.declined_call = None
        subject = dialogue.record_id_of(call)
        if subject:
            dialogue.declined_calls = {e for e in dialogue.declined_calls if subject not in e}
            for other, of in dialogue.proposals.values():
                same = other.name == call.name and dialogue.record_id_of(other) == subject
                if same and of is not None and of is not task and not of.closed:
                    of.close("dropped")
        if task is not None:
            task.written.append(dialogue.record_written(call))
            task.wait = ""
            self._drop_said_before(task)

    def _drop_said_before(self, done: Task) -> None:
        """Drop what was said earlier of the same kind of change, of which nothing was made."""
        dialogue, family = self.dialogue, self.dialogue.reader.catalog.family
        last = dialogue.last.text if dialogue.last is not None else ""
        for each in dialogue.open_tasks:
            same = family(str(each.intent)) == family(str(done.intent)) and not each.what_if
            other = dialogue.names_another(done, ParsedRequest("", each.all_words, 1.0, ()))
            if same and each is not done and not (each.written or other or each.message == last):
                each.close("dropped")

    def _take_words(self, step: Call | Answer, text: str) -> None:
        """Record what the assistant said: which tasks it settles and which question is open."""
        dialogue = self.dialogue
        dialogue.declined = False
        if dialogue.records.user is not None:
            dialogue.not_understood = []
        dialogue.assistant_texts.append(text)
        begun = dialogue.message_count > 0
        if isinstance(step, Call):
            dialogue.spoke_out_of_turn |= begun
            dialogue.question = dialogue.current_task = None
            for task in dialogue.open_tasks:
                if not dialogue.changes_records(task):
                    task.close("answered")
            return
        ask = step.ask
        dialogue.spoke_out_of_turn |= begun and ask is not None and step.text != text
        self._close_told(step)
        before = dialogue.question.text if dialogue.question is not None else None
        same = ask is not None and ask.text == before
        dialogue.repeats = dialogue.repeats + 1 if same and not dialogue.has_new_request else 0
        dialogue.repeated_question |= dialogue.repeats > 0
        if ask is None or ask.slot != "revise":
            dialogue.declined_call = None
        dialogue.question = ask
        dialogue.current_task = about = ask.task if ask is not None else None
        if about is not None and not any(each is about for each in dialogue.tasks):
            dialogue.tasks.append(about)
        for task in dialogue.tasks:
            if "or" not in task.chosen:
                task.other_intents = []
        named = "".join(map(dialogue.record_named, dialogue.customer_texts[-1:]))
        dialogue.focus = step.focus or named or dialogue.focus

    def _close_told(self, step: Call | Answer) -> None:
        """Settle the tasks that the words of a step settle."""
        for task, outcome in step.told:
            self._close(task, outcome)

    def _close(self, task: Task, outcome: str) -> None:
        """Settle a task; if it is refused, its fallback tasks come after it."""
        tasks = self.dialogue.tasks
        task.close(outcome)
        if outcome == "refused" and task.fallback_tasks:
            place = next((n for n, each in enumerate(tasks) if each is task), len(tasks))
            tasks[place + 1 : place + 1] = task.fallbacks()
            task.fallback_tasks = []
