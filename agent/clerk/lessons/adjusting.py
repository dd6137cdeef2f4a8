"""Applies what was learned about the policy before a change is made or refused.

If the policy's wording prevents a change and a lesson relaxes exactly that check, the step is
computed again without the check. If a lesson tightens a check of a change that is due, the change
is refused. The customer's words decide whether a lesson applies (``applying``); if they leave it
open, the clerk asks one question. The result is proposed like any other change: the card decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from agent.clerk.lessons.applying import Applies, applies
from agent.clerk.lessons.learned import Lesson
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Call, Question, Statement
from agent.clerk.state.task import Task
from sessions.events.memory import RETRIEVE

LEARNED = "learned:"
"""The prefix of the slot of a question whether a lesson applies; its capability follows."""

MOST_ASKED = 2
"""How many lessons a customer is asked about in one task.

Beyond that, a lesson counts as not applying unless the customer's own words meet its condition.
"""

UNCLEAR = "unclear"
"""The stored answer to such a question if it was neither a yes nor a no."""

Step = Call | Question | Statement


def adjust_to_lessons(
    step: Step, task: Task, dialogue: Dialogue, again: Callable[[], Step]
) -> Step:
    """Adjust the step to what was learned; ``again`` computes the step once more."""
    if isinstance(step, Statement) and step.outcome == "done" and task.permitted_by:
        return replace(
            step, text=f"{step.text} I followed what I have learned: “{task.permitted_by}”"
        )
    try:
        return _heed(step, task, dialogue, again)
    finally:
        task.relaxed = frozenset()


def _heed(step: Step, task: Task, dialogue: Dialogue, again: Callable[[], Step]) -> Step:
    went_by: list[str] = []
    while isinstance(step, Question | Statement) and step.rule and step.rule not in task.relaxed:
        rule, said = step.rule, _statement(step)
        look_up = _look_up(rule.tool, rule.check, task, dialogue)
        if look_up is not None:
            return look_up
        lessons = (
            e for e in dialogue.records.learned.lessons(rule.tool, "relaxes") if e.is_of(rule)
        )
        lesson, how = _decisive(lessons, task, dialogue, said)
        if lesson is None:
            return step
        if how == "unsure":
            text = _question(lesson, task, f"{said} However, I have learned:")
            slot = f"{LEARNED}{lesson.capability}"
            return Question(text, slot, task, forbidden=step.forbidden, focus=step.focus)
        task.relaxed |= {rule}
        went_by.append(lesson.condition)
        step = again()
    if isinstance(step, Call) and step.task is not None:
        look_up = _look_up(step.name, "", task, dialogue)
        by = replace(step, went_by=" ".join(went_by))
        return look_up or _tighten(step, task, dialogue) or by
    return step


def _look_up(tool: str, check: str, task: Task, dialogue: Dialogue) -> Call | None:
    wanted = dialogue.records.learned.next_look_up(tool, check, (*task.words, *task.context))
    return None if wanted is None else Call(RETRIEVE, wanted)


def _decisive(
    lessons: Iterable[Lesson], task: Task, dialogue: Dialogue, refusal: str
) -> tuple[Lesson | None, Applies]:
    """The first lesson that applies, or else the first that may, while questions are left."""
    asked = [slot for slot in task.chosen if slot.startswith(LEARNED)]
    found = [(each, _applies(each, task, dialogue, refusal)) for each in lessons]
    for lesson, how in sorted(found, key=lambda each: each[1] != "yes"):
        open_still = f"{LEARNED}{lesson.capability}" in asked or len(asked) < MOST_ASKED
        if how == "yes" or (how == "unsure" and open_still):
            return lesson, how
    return None, "no"


def _applies(lesson: Lesson, task: Task, dialogue: Dialogue, refusal: str) -> Applies:
    """Whether a lesson applies: by the customer's answer if there is one, or by their words."""
    answer = task.chosen.get(f"{LEARNED}{lesson.capability}")
    if answer in {"yes", "no"}:
        return "yes" if answer == "yes" else "no"
    return applies(lesson, task, dialogue, refusal)


def _statement(step: Question | Statement) -> str:
    """The text of a refusal without the question that may end it."""
    told = step.text.strip()
    return told.rpartition(". ")[0] + "." if told.endswith("?") else told


def _tighten(step: Call, task: Task, dialogue: Dialogue) -> Step | None:
    """A refusal or a question if a lesson forbids the change that is due; otherwise None."""
    lessons = dialogue.records.learned.lessons(step.name, "tightens")
    lesson, how = _decisive(lessons, task, dialogue, "")
    if lesson is None:
        return None
    if how == "yes":
        return Statement(
            f"I can't do that. I have learned: “{lesson.condition}”", "refused", forbidden=step
        )
    text = _question(lesson, task, "Before I do that, one thing that I have learned:")
    return Question(text, f"{LEARNED}{lesson.capability}", task, forbidden=step)


def _question(lesson: Lesson, task: Task, lead: str) -> str:
    if task.chosen.get(f"{LEARNED}{lesson.capability}") == UNCLEAR:
        return f"Please answer yes or no: does this apply here? “{lesson.condition}”"
    return f"{lead} “{lesson.condition}” Does that apply here, yes or no?"
