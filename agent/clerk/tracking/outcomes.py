"""Records what the assistant did: its calls, what became of them, and what it said."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.records import RecordedCall
from agent.clerk.state.steps import Answer, Call
from agent.clerk.state.task import Task


def record_call(dialogue: Dialogue, asked: RecordedCall, step: Call | Answer) -> None:
    """Record that the assistant called a tool, and which task the call settles."""
    if isinstance(step, Call) and step.name == asked.name:
        task = step.task
        for each in step.answers:
            each.close("answered")
    else:
        able = (
            e for e in dialogue.open_tasks if asked.name in dialogue.tools.get(str(e.intent), ())
        )
        task = next(able, None)
    dialogue.proposals[asked.id] = (asked, task)
    if task is not None:
        task.permitted_by = step.went_by if isinstance(step, Call) else ""
    if not isinstance(step, Call) or step.key != asked.key:
        dialogue.unexpected_calls.add(asked.id)
    for other in dialogue.open_tasks:
        if any(each is task for each in other.fallback_tasks):
            _close(dialogue, other, "refused")
    dialogue.focus = dialogue.record_id_of(asked) or dialogue.focus


def record_declined(dialogue: Dialogue, call_id: str) -> None:
    """Record that the customer declined a call; its task must be revised first."""
    asked, task = dialogue.proposals.get(call_id, (None, None))
    if asked is not None:
        dialogue.declined_calls.add(asked.key)
        dialogue.rejected_tools.add(asked.name)
        dialogue.declined_call = Call(asked.name, dict(asked.arguments), task)
    dialogue.current_task, dialogue.declined, dialogue.question = task, True, None
    dialogue.has_new_request = False
    if task is not None:
        task.wait = "revise"


def record_write(dialogue: Dialogue, call_id: str) -> None:
    """Record that a write was carried out, and in its task which record it changed.

    What was declined before of the same record is no longer open.
    """
    asked, task = dialogue.proposals[call_id]
    dialogue.changes.append(asked)
    dialogue.declined_call = None
    subject = dialogue.record_id_of(asked)
    if subject:
        dialogue.declined_calls = {e for e in dialogue.declined_calls if subject not in e}
        for call, other in dialogue.proposals.values():
            same = call.name == asked.name and dialogue.record_id_of(call) == subject
            if same and other is not None and other is not task and not other.closed:
                other.close("dropped")
    if task is not None:
        task.written.append(dialogue.record_written(asked))
        task.wait = ""


def record_failure(dialogue: Dialogue, call_id: str, text: str) -> None:
    """Record that the tool itself refused a write.

    The task keeps the error text, unless the call was a mistake.
    """
    asked, task = dialogue.proposals[call_id]
    if call_id in dialogue.unexpected_calls:
        dialogue.rejected_tools.add(asked.name)
    elif task is not None:
        task.wait = text


def record_answer(dialogue: Dialogue, step: Call | Answer, text: str) -> None:
    """Record what the assistant said: which tasks it settles and which question is open."""
    dialogue.declined = False
    if dialogue.records.user is not None:
        dialogue.not_understood = []
    dialogue.assistant_texts.append(text)
    if isinstance(step, Call):
        dialogue.spoke_out_of_turn |= dialogue.message_count > 0
        dialogue.question = dialogue.current_task = None
        for task in dialogue.open_tasks:
            if not dialogue.changes_records(task):
                task.close("answered")
        return
    ask, before = step.ask, dialogue.question
    asks_otherwise = ask is not None and step.text != text
    dialogue.spoke_out_of_turn |= dialogue.message_count > 0 and asks_otherwise
    for task, outcome in step.told:
        _close(dialogue, task, outcome)
    same = ask is not None and before is not None and ask.text == before.text
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
    dialogue.focus = step.focus or dialogue.focus


def _close(dialogue: Dialogue, task: Task, outcome: str) -> None:
    """Settle a task; if it is refused, its fallback tasks come after it."""
    task.close(outcome)
    if outcome == "refused" and task.fallback_tasks:
        known = (n for n, each in enumerate(dialogue.tasks) if each is task)
        place = next(known, len(dialogue.tasks))
        dialogue.tasks[place + 1 : place + 1] = task.fallbacks()
        task.fallback_tasks = []
