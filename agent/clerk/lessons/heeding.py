"""What was learned of the policy, heeded: read before a change is made or refused.

Where the policy's words stand in the way and an entry relaxes just that check, the step is worked
out again without it; where an entry tightens a check of the change that is due, it is refused.
Whether an entry applies tell the customer's words (``applying``); where they leave it open, one
question is asked. Whatever comes of it is proposed like any change: the card decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from agent.clerk.lessons.applying import Applies, applies
from agent.clerk.lessons.learned import Lesson
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Ask, Call, Tell
from agent.clerk.state.task import Task
from sessions.events.memory import RETRIEVE

LEARNED = "learned:"
"""How the slot begins of a question whether an entry applies; the entry's capability follows."""

MOST_ASKED = 2
"""Lessons about which a customer is asked in one task: what they do not say of itself, and did not
confirm then, is taken not to hold."""

UNCLEAR = "unclear"
"""An answer to it that is neither a yes nor a no."""

Step = Call | Ask | Tell


def heed(step: Step, task: Task, talk: Dialogue, again: Callable[[], Step]) -> Step:
    """The step in the light of what was learned; ``again`` works it out anew."""
    if isinstance(step, Tell) and step.outcome == "done" and task.went_by:
        return replace(step, text=f"{step.text} I went by what was learned: “{task.went_by}”")
    try:
        return _heed(step, task, talk, again)
    finally:
        task.relaxed = frozenset()


def _heed(step: Step, task: Task, talk: Dialogue, again: Callable[[], Step]) -> Step:
    went_by: list[str] = []
    while isinstance(step, Ask | Tell) and step.rule and step.rule not in task.relaxed:
        rule, said = step.rule, _statement(step)
        look_up = _look_up(rule.tool, rule.check, task, talk)
        if look_up is not None:
            return look_up
        lessons = (e for e in talk.memory.learned.lessons(rule.tool, "relaxes") if e.is_of(rule))
        lesson, how = _decisive(lessons, task, talk, said)
        if lesson is None:
            return step
        if how == "unsure":
            text = _question(lesson, task, f"{said} I have learned, though:")
            slot = f"{LEARNED}{lesson.capability}"
            return Ask(text, slot, task, forbidden=step.forbidden, focus=step.focus)
        task.relaxed |= {rule}
        went_by.append(lesson.condition)
        step = again()
    if isinstance(step, Call) and step.request is not None:
        look_up = _look_up(step.name, "", task, talk)
        by = replace(step, went_by=" ".join(went_by))
        return look_up or _tighten(step, task, talk) or by
    return step


def _look_up(tool: str, check: str, task: Task, talk: Dialogue) -> Call | None:
    wanted = talk.memory.learned.next_look_up(tool, check, (*task.words, *task.context))
    return None if wanted is None else Call(RETRIEVE, wanted)


def _decisive(
    lessons: Iterable[Lesson], task: Task, talk: Dialogue, refusal: str
) -> tuple[Lesson | None, Applies]:
    """The first lesson that applies, else the first that may, unless enough was asked."""
    asked = [slot for slot in task.chosen if slot.startswith(LEARNED)]
    found = [(each, _applies(each, task, talk, refusal)) for each in lessons]
    for lesson, how in sorted(found, key=lambda each: each[1] != "yes"):
        open_still = f"{LEARNED}{lesson.capability}" in asked or len(asked) < MOST_ASKED
        if how == "yes" or (how == "unsure" and open_still):
            return lesson, how
    return None, "no"


def _applies(lesson: Lesson, task: Task, talk: Dialogue, refusal: str) -> Applies:
    """By the answer to the question, where one was given."""
    answer = task.chosen.get(f"{LEARNED}{lesson.capability}")
    if answer in {"yes", "no"}:
        return "yes" if answer == "yes" else "no"
    return applies(lesson, task, talk, refusal)


def _statement(step: Ask | Tell) -> str:
    """What a refusal says, without the question that it may end with."""
    told = step.text.strip()
    return told.rpartition(". ")[0] + "." if told.endswith("?") else told


def _tighten(step: Call, task: Task, talk: Dialogue) -> Step | None:
    """A refusal, or a question, where a change that is due is forbidden by what was learned."""
    lessons = talk.memory.learned.lessons(step.name, "tightens")
    lesson, how = _decisive(lessons, task, talk, "")
    if lesson is None:
        return None
    if how == "yes":
        return Tell(
            f"I can't do that. I have learned: “{lesson.condition}”", "refused", forbidden=step
        )
    text = _question(lesson, task, "Before I do that: I have learned:")
    return Ask(text, f"{LEARNED}{lesson.capability}", task, forbidden=step)


def _question(lesson: Lesson, task: Task, lead: str) -> str:
    if task.chosen.get(f"{LEARNED}{lesson.capability}") == UNCLEAR:
        return f"Please tell me with a yes or a no: does this apply here? “{lesson.condition}”"
    return f"{lead} “{lesson.condition}” Does that apply here, yes or no?"
