"""Measure whether people read the cards they approve: how often they caught a wrong one.

The catch rate stands beside the approval rate of the other cards. Neither can be read alone, since
someone who declines everything catches everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from sessions.events import AttentionCheckDecided, Logged
from sessions.statistics.intervals import Share, share
from sessions.views.attention import check_rows


@dataclass(frozen=True, slots=True)
class AttentionFacts:
    """Counts of how a session's attention checks ended."""

    caught: int = 0
    """Checks that were declined or sent back to be changed."""

    missed: int = 0
    """Checks that were approved although they were wrong; they have no effect."""

    asked: int = 0
    """Checks that ended with a question, as they did in logs of older versions."""

    withdrawn: int = 0
    """Checks that were not decided before the turn ended."""

    looks: tuple[int, ...] = ()
    """The milliseconds from each check being readable to a person's decision on it."""

    @property
    def shown_count(self) -> int:
        """The number of checks that were shown and settled."""
        return self.caught + self.missed + self.asked + self.withdrawn


@dataclass(frozen=True, slots=True)
class Attention:
    """How closely cards were read in a group of sessions."""

    shown: int
    caught: Share
    """The declined ones among the checks that were approved or declined."""

    asked: int
    withdrawn: int
    looked: int
    """The number of checks that a person looked at."""

    look_ms: float | None
    """Median milliseconds that a person looked at a check; None if no person did."""

    true_look_ms: float | None
    """Median milliseconds that a person looked at other cards of the same sessions."""

    true_approved: Share
    """The approved ones among the other cards of the same sessions."""


NO_CHECKS = AttentionFacts()
"""The facts of a session without attention checks."""


def attention_facts(events: Iterable[Logged]) -> AttentionFacts:
    """How the attention checks of one log ended."""
    made = [row.decision for row in check_rows(events) if row.decision is not None]
    return AttentionFacts(
        caught=sum(each.is_caught is True for each in made),
        missed=sum(each.is_caught is False for each in made),
        asked=sum(each.decision == "ask" for each in made),
        withdrawn=sum(each.decision == "withdrawn" for each in made),
        looks=tuple(each.milliseconds for each in made if _is_looked_at(each)),
    )


def attention(
    facts: Sequence[AttentionFacts], true_looks: Sequence[int], true_approved: Share
) -> Attention | None:
    """How closely cards were read; None if no check was shown.

    `true_looks` (milliseconds) and `true_approved` describe the other cards of the same sessions.
    """
    shown = sum(each.shown_count for each in facts)
    if not shown:
        return None
    caught = sum(each.caught for each in facts)
    looks = [look for each in facts for look in each.looks]
    return Attention(
        shown=shown,
        caught=share(caught, caught + sum(each.missed for each in facts)),
        asked=sum(each.asked for each in facts),
        withdrawn=sum(each.withdrawn for each in facts),
        looked=len(looks),
        look_ms=_median(looks),
        true_look_ms=_median(true_looks),
        true_approved=true_approved,
    )


def _is_looked_at(made: AttentionCheckDecided) -> bool:
    return made.by == "person" and made.decision != "withdrawn"


def _median(looks: Sequence[int]) -> float | None:
    return median(looks) if looks else None
