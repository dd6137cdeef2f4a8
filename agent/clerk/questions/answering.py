"""Answers a question with the facts that fit it best."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.clerk.questions.asking import parts_of
from agent.clerk.questions.fitting import Fit, best_fits
from agent.clerk.questions.state_facts import AFTERWARDS, DECIDE

FITS = 0.2
"""How likely a fact must be the best answer to be told."""

UNSURE, NEARLY = 0.4, 0.5
"""Below which likelihood a second fact is told, if it is at least so likely by the first's."""

ALIKE = 0.85
"""From here on two facts tell about the same."""

FITS_APART = 0.5
"""How likely it must be the best answer to one part of several."""

CLEAR = 0.3
"""What is so likely the answer is not read after the question before."""

ELLIPTIC = 5
"""A question with at most this many words may continue the one before it: "and the lamp?"."""

BARE = 2
"""One with at most this many words says nothing alone: "the lamp?"."""

_PLAIN = frozenset(
    ["The", "This", "That", "There", "It", "You", "Your", "All", "Nothing", "Afterwards", "After",
     "A", "An", "As", "If", "With", "None", "Only", "Of", "What", "Once", "Before", "Bags", "Names"]
)  # fmt: skip
"""Words that have a capital only at the start of a sentence."""


_FIGURES = re.compile(r"\d[\d.,:]*\d")

FactsFor = Callable[[str], Sequence[str]]
"""Returns the facts that may answer a question."""


def phrase_answer(found: Fit) -> str:
    """A fact, after a yes or a no if the question asks for one."""
    fact, lead = found.fact.replace(AFTERWARDS, "As the card says: ", 1), found.lead
    if not lead or fact.startswith(("Yes", "No,", "No ", "Not ")):
        return fact
    if fact.split(maxsplit=1)[0] in _PLAIN:
        return f"{lead}, {fact[:1].lower()}{fact[1:]}"
    return f"{lead}: {fact}"


def find_answers(question: str, before: str, facts_for: FactsFor) -> list[Fit]:
    """The facts that answer a question, if any do; ``before`` is the question before it.

    Two parts are answered one by one if each is understood by itself: "keep the bag" in "cancel the
    lamp and keep the bag?" is not, so that what answers the whole is told as well. Of a question
    that is not clear the two likeliest are told.
    """
    whole, *parts = parts_of(question)
    found = [_best(each, before, facts_for)[:1] for each in parts]
    sure = [each for some in found for each in some if each.likelihood >= FITS_APART]
    apart = [*{each.fact: each for each in sure}.values()]
    if len(sure) >= max(len(parts), 2):
        return apart
    told = _best(whole, before, facts_for)
    if not told or told[0].likelihood < FITS:
        return apart
    first, *others = told
    if apart:
        says_else = all(float(first.vector @ each.vector) < ALIKE for each in apart)
        return [*([first] if says_else else []), *apart]
    return [first, *(each for each in others if _is_worth_telling(each, first))]


def _is_worth_telling(second: Fit, first: Fit) -> bool:
    """Whether a fact is told beside a likelier one: it may be what was asked, and says else."""
    nearly = second.likelihood >= NEARLY * first.likelihood and second.likelihood >= FITS / 2
    waits = DECIDE in second.fact or DECIDE in first.fact
    return (
        first.likelihood < UNSURE
        and not waits
        and nearly
        and float(first.vector @ second.vector) < ALIKE
    )


def _best(question: str, before: str, facts_for: FactsFor) -> list[Fit]:
    """The two facts that fit a question best, alone or after the one before it."""
    told = _of(question, facts_for)
    few = len(question.split())
    if before and few <= ELLIPTIC and (few <= BARE or _tells_little(told)):
        after = _of(f"{before} {question}", facts_for)
        return told if _tells_little(after) else after
    return told


def _tells_little(told: Sequence[Fit]) -> bool:
    """Whether hardly any fact answers a question, or only one that answers many."""
    return not told or told[0].likelihood < CLEAR or DECIDE in told[0].fact


def _of(question: str, facts_for: FactsFor) -> list[Fit]:
    facts = facts_for(question)
    found = best_fits(question, facts, 2) if facts else []
    found.sort(key=lambda each: _tells_figures(each, question), reverse=True)
    return [each._replace(lead="") if _says_else(each, question) else each for each in found]


def _tells_figures(found: Fit, question: str) -> bool:
    """Whether a fact that may well answer a question has all the figures that it names."""
    named = {*_FIGURES.findall(question)}
    return found.likelihood >= FITS and bool(named) and named <= {*_FIGURES.findall(found.fact)}


def _says_else(found: Fit, question: str) -> bool:
    """Whether a fact that is said to confirm a question does not tell a figure that it names.

    Nor does a fact that tells times confirm anything that names none: "before noon?".
    """
    named, told = ({*_FIGURES.findall(text)} for text in (question, found.fact))
    timed = any(":" in each for each in told) and not named
    return bool(found.lead) and (timed or (found.lead == "Yes" and not named <= told))
