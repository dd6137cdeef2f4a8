"""The rewards of one session, each under the name of whoever gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sessions.events import EndReason, Scored
from sessions.scoring.trajectory import COUNTED_ENDINGS, ENDINGS

Statements = Literal["none", "judged", "left out"]

FULL = 1 - 1e-6
"""A reward from here on is the whole one, as τ²-bench has it."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """What a session earned, 0 or 1; None where it was not scored."""

    tau2: float | None = None
    """τ²-bench's, by the basis of the task: 0 after any ending but the customer's or a hand-over.

    Statements in words that nobody judged are left out of the product.
    """

    classic: float | None = None
    """τ-bench's first: records at the task's one end, and all information communicated."""

    ours: float | None = None
    """1 where the records stand at any acceptable end, and all was said and handed over."""

    statements: Statements = "none"
    """What became of the statements in words that τ²-bench's reward is made of."""

    @property
    def is_earned(self) -> bool | None:
        """Whether it is the whole reward of τ²-bench; None where it was not scored."""
        return None if self.tau2 is None else self.tau2 >= FULL


NO_REWARDS = Rewards()


def rewards_of(scored: Scored | None, ended: EndReason | None) -> Rewards:
    """The rewards that a score holds, for a session that ended in this way.

    A session that was stopped at a limit has earned nothing, whatever its records look like.
    Scores of before there were three rewards hold ours alone, and it stands for all of them.
    """
    if scored is None:
        return NO_REWARDS
    right = scored.reward if scored.classic is None else float(_is_right(scored))
    ours = right if ENDINGS[ended or "customer"] in COUNTED_ENDINGS else 0.0
    if scored.classic is None:
        return Rewards(ours, ours, ours)
    if scored.main is None:  # nothing else is amiss: what is left of the product is 1
        return Rewards(1.0, scored.classic, ours, "left out")
    counted = "NL_ASSERTION" in scored.basis and scored.assertions
    return Rewards(scored.main, scored.classic, ours, "judged" if counted else "none")


def _is_right(scored: Scored) -> bool:
    return scored.records_match and not scored.missing
