"""What a domain has to provide for the clerk; everything else is shared by all domains."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent.clerk.rules import Rules
from agent.clerk.state.steps import Answer, Call, Question, Statement
from agent.clerk.state.task import Task
from agent.models.protocol import Message

Skill = Callable[[Task, Any, str], "Call | Question | Statement"]
"""Returns the next step for a task, given the dialogue and the policy's text; the step may also be
raised in a Settled."""

Step = Call | Answer

Mistake = Callable[[Step, Any], Step]
"""Returns a step with a mistake in it, given the dialogue."""


@dataclass(frozen=True)
class DomainSkills:
    """A domain that the clerk has skills for."""

    tools: frozenset[str]
    """Names of tools that only this domain has, by which it is recognised."""

    writes: frozenset[str]
    """Names of the tools that change records."""

    new_dialogue: Callable[[list[Message]], Any]
    """Creates an empty dialogue; the messages may say what it needs, such as the time."""

    identify: Callable[[Any], Call | Answer | None]
    """Returns the step that identifies the customer; None once they are known."""

    skills: Mapping[str, Skill]
    """The skills by intent."""

    answer_hypothetical: Skill
    tell_change: Callable[[Call, Any], str]
    """Tells what a change that is about to be proposed costs or brings back; may be empty."""

    priority: Callable[[Task, list[Task]], float]
    """A task's priority among the open ones; the task with the lowest value is served first."""

    capabilities_text: str
    rules: Rules
    fixed_refusals: Mapping[str, str]
    """Fixed replies to requests that are not served, by intent; they count as refusals."""

    mistakes: Mapping[str, Mistake]
    """The mistakes that only this domain has, by name."""

    looked_up: frozenset[str]
    """The intents of questions for whose answer something is looked up that no fact tells."""

    names_in: Callable[[str, Any], tuple[set[str], set[str]]]
    """The names of things in a text, and of all things that there are, given the dialogue."""

    record_facts: Callable[[Any], Iterator[str]]
    """Yields what is known from the records that were read, a sentence each."""

    change_facts: Callable[[Any, Any, bool], Iterator[str]]
    """Yields what a change does, given the call, the records, and whether it was made."""

    untouched_facts: Callable[[Collection[str], Any], Iterator[str]]
    """Yields which records were not changed, given the ids of those that were, and the records."""

    find_conflict: Callable[[Call, list[Task], Any], Call | Question | None] = (
        lambda call, queue, dialogue: None
    )
    """Returns what must be settled before a call because of later tasks; None for nothing."""
