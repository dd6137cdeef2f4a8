"""Whether people read the cards that they approve: how often a wrong one was caught.

The catch rate stands beside the approval rate of the other cards, since the one cannot be read
without the other: who declines everything catches everything.
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
    """What became of a session's attention checks."""

    caught: int = 0
    """Declined, or sent back to be changed."""

    missed: int = 0
    """Approved, though wrong; nothing came of it."""

    asked: int = 0
    """Neither: a question was asked, which ended the check in logs of older versions."""

    withdrawn: int = 0
    """Not decided, as the turn ended first."""

    looks: tuple[int, ...] = ()
    """Milliseconds from each being readable to a person's decision on it."""

    @property
    def shown_count(self) -> int:
        """All that were put to somebody and settled."""
        return self.caught + self.missed + self.asked + self.withdrawn


@dataclass(frozen=True, slots=True)
class Attention:
    """How closely cards were read in a group of sessions."""

    shown: int
    caught: Share
    """Of the checks that were approved or declined, those that were declined."""

    asked: int
    withdrawn: int
    looked: int
    """At how many of them a person looked."""

    look_ms: float | None
    """Median milliseconds that a person looked at a check; None where no person did."""

    true_look_ms: float | None
    """Median milliseconds that a person looked at another card, in the same sessions."""

    true_approved: Share
    """Of the other cards of the same sessions, those that were approved."""


NO_CHECKS = AttentionFacts()
"""Of a session without any."""


def attention_facts(events: Iterable[Logged]) -> AttentionFacts:
    """What became of the attention checks of one log."""
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
    """How closely cards were read, None where no check was put to anybody.

    `true_looks` (milliseconds) and `true_approved` are of the other cards of the same sessions.
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
