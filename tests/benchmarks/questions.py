"""How many questions are answered right: ``python -m tests.benchmarks.questions``.

The questions are those that people asked at moments of conversations that nothing was learned from,
each with all facts that could be told then. Which of the facts answer a question was told by those
who asked it.
"""

from __future__ import annotations

from collections import Counter

from agent.clerk.questions.answering import FITS
from agent.clerk.questions.fitting import best_fits
from tests.generators.clerk_questions.train import HELD_OUT, Question, all_states


def kept_out() -> list[Question]:
    """The questions that nothing was learned from."""
    return [each for state in all_states()[::HELD_OUT] for each in state]


def outcome(question: Question) -> str:
    """What becomes of a question: ``right``, ``beside`` or ``silent``."""
    (found,) = best_fits(question.text, question.facts, 1)
    if found.likelihood < FITS:
        return "silent"
    good = {question.facts[place] for place in question.best | question.acceptable}
    return "right" if found.fact in good else "beside"


def main() -> None:
    """Print the outcomes, of questions that a fact answers and of those that none does."""
    asked = kept_out()
    for name, answerable in (("with an answer", True), ("without one", False)):
        own = [each for each in asked if bool(each.best | each.acceptable) is answerable]
        counts = Counter(map(outcome, own))
        shares = ", ".join(
            f"{each} {counts[each]} ({counts[each] / len(own):.0%})"
            for each in ("right", "beside", "silent")
        )
        print(f"{len(own)} questions {name}: {shares}")


if __name__ == "__main__":
    main()
