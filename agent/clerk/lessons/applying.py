"""Whether what was learned applies: by the words of its condition that tell something.

A word tells something where nobody else would say it: it stands neither in the policy's clause nor
in the refusal, and people who ask for this kind of change do not say it in general, by the trade's
own example sentences. *A broken item may be exchanged for the same one* comes down to *broken*.
A customer who says such a word, and does not deny it, meets the condition. Whoever does not may
have said it in other words: then it is asked. Likeness of vectors was tried first and dropped: it
finds a shop's sentences more like each other than like *broken*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Literal

from agent.clerk.lessons.learned import Lesson
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.intents import Examples
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import tokens
from agent.reflection.policy_lines import stems
from sessions.events.memory import BOUNDARY

Applies = Literal["yes", "no", "unsure"]

IN_GENERAL = 2
"""How many of a trade's examples of a wish have a word that everybody says who has that wish."""

NEAR = 3
"""How many words before a word may deny it."""

_OF_RULES = frozenset(stems(" ".join(GENERAL.by_name["of rules"])))
_NOT = frozenset(tokens("not no never nothing none without isn't wasn't aren't weren't hardly"))


def applies(lesson: Lesson, task: Task, talk: Dialogue, refusal: str = "") -> Applies:
    """Whether a lesson's condition is met, by all that was said of a task.

    Where a later lesson limits it, whichever has more of its words said.
    """
    known = {stem for text in (*lesson.clauses, lesson.check, refusal) for stem in stems(text)}
    known |= {
        *stems(lesson.tool),
        *_OF_RULES,
        *_general(talk, task),
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
    """How many of these stems are said."""
    said = [*texts]
    return sum(any(says(text, stem) for text in said) for stem in telling)


def says(text: str, telling: str) -> bool:
    """Whether a text has a word of this stem, and does not deny it."""
    words = tokens(text)
    return any(
        telling in stems(word) and not _NOT & set(words[max(0, place - NEAR) : place])
        for place, word in enumerate(words)
    )


def _general(talk: Dialogue, task: Task) -> frozenset[str]:
    """The stems that people use who have the same kind of wish."""
    examples, family = talk.reader.examples, talk.reader.manner.family
    own = family(str(task.intent))
    names = (each for each in examples.sentences if family(each) == own)
    return _said_in_general(examples, tuple(names))


@cache
def _said_in_general(examples: Examples, intents: tuple[str, ...]) -> frozenset[str]:
    texts = (text for name in intents for text in examples.sentences[name])
    counts = Counter(stem for text in texts for stem in set(stems(text)))
    return frozenset(stem for stem, count in counts.items() if count >= IN_GENERAL)
