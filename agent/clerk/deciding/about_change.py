"""Answers questions about the change at hand: by its card, or in words while it waits."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.domain_skills import DomainSkills
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Call
from agent.clerk.state.task import Task


def with_answers(call: Call, queue: list[Task], dialogue: Dialogue) -> Call:
    """A call with the questions in the queue that its card answers, if it is a change."""
    topics = dialogue.reader.catalog.of_change if call.task is not None else frozenset()
    asked = (each for each in queue if each.intent in topics and not each.what_if)
    return replace(call, answers=tuple(asked))


def answer_about_declined(
    call: Call | None,
    queue: list[Task],
    dialogue: Dialogue,
    skills: DomainSkills,
    told: list[tuple[Task, str]],
) -> list[str]:
    """The answer to the questions in the queue about a declined change, which are then told."""
    topics = dialogue.reader.catalog.of_change
    asked = [each for each in queue if each.intent in topics and not each.what_if]
    text = skills.tell_change(call, dialogue) if call is not None and asked else ""
    if not text:
        return []
    told += ((each, "answered") for each in asked)
    queue[:] = [each for each in queue if not any(each is other for other in asked)]
    return [text]
