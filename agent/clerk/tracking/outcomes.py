"""Records what the assistant did: its calls, what became of them, and what it said."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.records import RecordedCall
from agent.clerk.state.steps import Answer, Call
from agent.clerk.state.task import Task


def record_call(dialogue: Dialogue, asked: RecordedCall, step: Call | Answer) -> None:
    """Record that the assistant called a tool, and which task the call settles."""
    request = step.task if isinstance(step, Call) and step.name == asked.name else None
    for each in step.answers if isinstance(step, Call) and request is not None else ():
        _close(dialogue, each, "answered")
    if request is None:
        able = (
            r for r in dialogue.open_tasks if asked.name in dialogue.tools.get(str(r.intent), ())
        )
        request = next(able, None)
    dialogue.proposals[asked.id] = (asked, request)
    if request is not None:
        request.permitted_by = step.went_by if isinstance(step, Call) else ""
    if not isinstance(step, Call) or step.key != asked.key:
        dialogue.unexpected_calls.add(asked.id)
    for other in dialogue.open_tasks:
        if any(each is request for each in other.fallback_tasks):
            _close(dialogue, other, "refused")
    dialogue.focus = dialogue.record_id_of(asked) or dialogue.focus


def record_declined(dialogue: Dialogue, call_id: str) -> None:
    """Record that the customer declined a call; its task must be revised first."""
    asked, request = dialogue.proposals.get(call_id, (None, None))
    if asked is not None:
        dialogue.declined_calls.add(asked.key)
        dialogue.rejected_tools.add(asked.name)
        dialogue.declined_call = Call(asked.name, dict(asked.arguments), request)
    dialogue.current_task, dialogue.declined, dialogue.question = request, True, None
    dialogue.has_new_request = False
    dialogue.rejections += 1
    if request is not None:
        request.wait = "revise"


def record_write(dialogue: Dialogue, call_id: str) -> None:
    """Record that a write was carried out, and in its task which record it changed."""
    asked, request = dialogue.proposals[call_id]
    dialogue.changes.append(asked)
    dialogue.declined_call = None
    subject = dialogue.record_id_of(asked)
    dialogue.declined_calls = {
        each for each in dialogue.declined_calls if not subject or subject not in each
    }
    for other in _superseded(dialogue, asked, request):
        other.closed, other.outcome = True, "dropped"
    if request is not None:
        request.written.append(dialogue.record_written(asked))
        request.wait = ""


def _superseded(dialogue: Dialogue, asked: RecordedCall, request: Task | None) -> list[Task]:
    """The open tasks whose declined change of a record gave way to the one that was made."""
    subject = dialogue.record_id_of(asked)
    earlier = [
        task
        for call, task in dialogue.proposals.values()
        if call.name == asked.name and subject and dialogue.record_id_of(call) == subject
    ]
    return [
        each
        for each in dialogue.open_tasks
        if each is not request and any(each is other for other in earlier)
    ]


def record_failure(dialogue: Dialogue, call_id: str, text: str) -> None:
    """Record that the tool itself refused a write.

    The task keeps the error text, unless the call was a mistake.
    """
    asked, request = dialogue.proposals[call_id]
    if call_id in dialogue.unexpected_calls:
        dialogue.rejected_tools.add(asked.name)
    elif request is not None:
        request.wait = text


def record_answer(dialogue: Dialogue, step: Call | Answer, text: str) -> None:
    """Record what the assistant said: which tasks it settles and which question is open."""
    dialogue.declined = False
    dialogue.not_understood = dialogue.not_understood if dialogue.records.user is None else []
    dialogue.assistant_texts.append(text)
    other_words = isinstance(step, Answer) and step.ask is not None and step.text != text
    dialogue.spoke_out_of_turn |= dialogue.message_count > 0 and (
        isinstance(step, Call) or other_words
    )
    if isinstance(step, Call):
        dialogue.question = dialogue.current_task = None
        for request in dialogue.open_tasks:
            if not dialogue.changes_records(request):
                request.closed, request.outcome = True, "answered"
        return
    for told, outcome in step.told:
        _close(dialogue, told, outcome)
    before = dialogue.question.text if dialogue.question else ""
    again = step.ask is not None and step.ask.text == before and not dialogue.has_new_request
    dialogue.repeats = dialogue.repeats + 1 if again else 0
    dialogue.repeated_question |= dialogue.repeats > 0
    if step.ask is None or step.ask.slot != "revise":
        dialogue.declined_call = None
    dialogue.question = step.ask
    dialogue.current_task = step.ask.task if step.ask else None
    if dialogue.current_task is not None and not any(
        each is dialogue.current_task for each in dialogue.tasks
    ):
        dialogue.tasks.append(dialogue.current_task)
    for task in dialogue.tasks:
        if "or" not in task.chosen:
            task.other_intents = []
    dialogue.focus = step.focus or dialogue.focus


def _close(dialogue: Dialogue, request: Task, outcome: str) -> None:
    request.closed, request.outcome = True, outcome
    if outcome == "refused" and request.fallback_tasks:
        known = (n for n, each in enumerate(dialogue.tasks) if each is request)
        place = next(known, len(dialogue.tasks))
        dialogue.tasks[place + 1 : place + 1] = request.fallbacks()
        request.fallback_tasks = []
