"""What is doubtful about a task: whether it is wanted or settled, and what else it may mean."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Call, Question, Statement
from agent.clerk.state.task import Task

LIKELY_CHANGE = 0.6
"""How likely a change must be meant by words beside others that were understood to be offered."""


def may_mean_another(task: Task, step: Statement, dialogue: Dialogue) -> bool:
    """Whether to offer what else was meant; a single such choice would only nag, unless it is a
    change and a question was answered.
    """
    others, acts = task.other_intents, dialogue.reader.catalog.acts
    told = step.outcome in {"answered", "refused"} and not step.asks
    several = len(others) > 1 or (step.outcome == "answered" and acts.issuperset(others))
    return told and bool(others) and several


def comes_late(task: Task, dialogue: Dialogue) -> bool:
    """Whether a change that was perhaps never wanted would come up long after it was said."""
    last = dialogue.last
    now = last is None or task.message == last.text or task.notes
    return task.doubtful and not now and task is not dialogue.current_task


def is_served_beside(task: Task, told: Sequence[tuple[Task, str]], dialogue: Dialogue) -> bool:
    """Whether an unclear task that is hardly a change stands beside what is being answered."""
    acts = dialogue.reader.catalog.acts
    likely = sum(each.probability for each in task.guesses if each.name in acts)
    beside = any(each.message == task.message and each.intent for each, _ in told)
    return beside and likely < LIKELY_CHANGE


def leads_away(task: Task, step: Question, queue: Sequence[Task], dialogue: Dialogue) -> bool:
    """Whether a question asks which record is meant while a change from before is under way.

    What is only asked beside a change never keeps the customer from that.
    """
    about = task.intent not in {None, *dialogue.reader.catalog.acts}
    before = [each for each in queue if each.message != task.message]
    asks = step.slot in {"order", "reservation"} and about
    return asks and any(dialogue.changes_records(each) for each in before)


def is_settled(task: Task, step: Statement, call: Call, dialogue: Dialogue) -> bool:
    """Whether a task was done or answered, or is refused whatever becomes of a proposed change.

    Another change of the same record may be possible after it.
    """
    if step.outcome == "answered":
        return not step.asks
    if task.fallback_tasks or task.other_intents or step.outcome not in {"done", "refused"}:
        return False
    elsewhere = step.focus not in {"", dialogue.record_id_of(call)}
    return step.outcome == "done" or elsewhere or not dialogue.changes_records(task)


def is_overtaken(task: Task, step: Call | Question | Statement, dialogue: Dialogue) -> bool:
    """Whether an offer to do what was only asked about is of no use any more.

    That is so once a change was made that was asked for in the same breath.
    """
    made = any(each.written and each.message == task.message for each in dialogue.tasks)
    return made and isinstance(step, Question) and not step.choices


def questions_about_change(
    told: Sequence[tuple[Task, str]], queue: Sequence[Task], dialogue: Dialogue
) -> list[Task]:
    """The questions, told of or in the queue, that the card of a change answers."""
    catalog = dialogue.reader.catalog
    costs = (each for each, _ in told if each.intent in catalog.amounts)
    others = (each for each in queue if each.intent in catalog.of_change and not each.what_if)
    return [*costs, *others]
