"""The rewards of one session, each named after its definition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sessions.events import EndReason, Scored
from sessions.scoring.trajectory import COUNTED_ENDINGS, ENDINGS

Statements = Literal["none", "judged", "left out"]

FULL = 1 - 1e-6
"""A reward of at least this counts as the whole one, as in τ²-bench."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """The rewards of a session, 0 or 1; None if it was not scored."""

    tau2: float | None = None
    """τ²-bench's reward, by the basis of the task.

    It is 0 unless the session ended by the customer or by a hand-over. Statements in words that no
    one judged are left out of the product.
    """

    classic: float | None = None
    """τ-bench's original reward: records at the task's one end, and all information communicated.
    """

    ours: float | None = None
    """1 if the records are at any acceptable end, and everything was said and handed over."""

    statements: Statements = "none"
    """What happened to the statements in words that are part of τ²-bench's reward."""

    @property
    def is_earned(self) -> bool | None:
        """Whether it is the whole reward of τ²-bench; None if the session was not scored."""
        return None if self.tau2 is None else self.tau2 >= FULL


NO_REWARDS = Rewards()


def rewards_of(scored: Scored | None, ended: EndReason | None) -> Rewards:
    """The rewards in a score, for a session that ended in this way.

    A session that was stopped at a limit earns nothing, whatever its records look like. Scores from
    before there were three rewards contain only ours, which then stands for all of them.
    """
    if scored is None:
        return NO_REWARDS
    right = scored.reward if scored.classic is None else float(_is_right(scored))
    ours = right if ENDINGS[ended or "customer"] in COUNTED_ENDINGS else 0.0
    if scored.classic is None:
        return Rewards(ours, ours, ours)
    if scored.main is None:  # all other checks pass: the rest of the product is 1
        return Rewards(1.0, scored.classic, ours, "left out")
    counted = "NL_ASSERTION" in scored.basis and scored.assertions
    return Rewards(scored.main, scored.classic, ours, "judged" if counted else "none")


def _is_right(scored: Scored) -> bool:
    return scored.records_match and not scored.missing
