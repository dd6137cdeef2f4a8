"""Decides whether a lesson applies, by the informative words of its condition.

A word is informative if only customers in this situation would say it: it is neither in the
policy's clause nor in the refusal, and the domain's example sentences for this kind of change do
not use it in general. Of *a broken item may be exchanged for the same one* only *broken* remains. A
customer who says such a word, and does not negate it, meets the condition. One who does not may
have said it in other words, so the clerk asks. Vector similarity was tried first and dropped: it
rates a shop's sentences as more similar to each other than to *broken*.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from agent.clerk.lessons.learned import Lesson
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import tokens
from agent.reflection.policy_lines import stems
from sessions.events.memory import BOUNDARY

Applies = Literal["yes", "no", "unsure"]

NEAR = 3
"""How many words before a word can negate it."""

_OF_RULES = frozenset(stems(" ".join(GENERAL.by_name["of rules"])))
_NOT = frozenset(tokens("not no never nothing none without isn't wasn't aren't weren't hardly"))


def applies(lesson: Lesson, task: Task, dialogue: Dialogue, refusal: str = "") -> Applies:
    """Whether the sentences about a task meet a lesson's condition.

    If a later lesson limits it, the one of the two with more of its words said decides.
    """
    known = {stem for text in (*lesson.clauses, lesson.check, refusal) for stem in stems(text)}
    known |= {
        *stems(lesson.tool),
        *_OF_RULES,
        *_general(dialogue, task),
    }
    meant, _, limit = lesson.condition.partition(BOUNDARY)
    limits = " ".join((limit, *lesson.limits))
    first = set(stems(meant)) - known
    said = [*task.words, *task.context]
    met = _count_said(said, first)
    limited = _count_said(said, set(stems(limits)) - known - first)
    if met == limited:
        return "unsure"
    return "yes" if met > limited else "no"


def _count_said(texts: Iterable[str], telling: set[str]) -> int:
    """How many of these stems occur in any of the texts without being negated."""
    said = [*texts]
    return sum(any(says(text, stem) for text in said) for stem in telling)


def says(text: str, telling: str) -> bool:
    """Whether a text has a word with this stem that it does not negate."""
    words = tokens(text)
    return any(
        telling in stems(word) and not _NOT & set(words[max(0, place - NEAR) : place])
        for place, word in enumerate(words)
    )


def _general(dialogue: Dialogue, task: Task) -> frozenset[str]:
    """The stems that customers with this kind of request use in general."""
    return dialogue.reader.usual_words(str(task.intent))
