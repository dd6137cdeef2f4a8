"""Measure the distance of a session from an acceptable end, as the SABER paper does (section 3).

The paper counts a trajectory's mutating actions, M, and its other actions, N. It takes the absolute
differences from a successful reference trajectory for the same task::

    d_mut = | M(session) - M(reference) |        d_non = | N(session) - N(reference) |

It compares the numbers of actions, not which actions they are: a session that cancels the wrong
order instead of the right one has d_mut = 0. The decisive write (:mod:`sessions.scoring.deviating`)
says which write went wrong. An action is a tool call; messages do not count, since no reference
lists any.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sessions.events import ToolReturned, WriteApplied


@dataclass(frozen=True, slots=True)
class Actions:
    """The number of actions of each kind in a trajectory."""

    mutating: int
    """M: writes that were carried out without an error."""

    non_mutating: int
    """N: all other calls, including failed ones, because they changed nothing."""


@dataclass(frozen=True, slots=True)
class Distance:
    """The number of actions that a session has too many or too few."""

    mutating: int
    """d_mut."""

    non_mutating: int
    """d_non."""


@dataclass(frozen=True, slots=True)
class PapersDeviation:
    """How a session departs from the single list of calls that its task publishes."""

    distance: Distance
    """The distance, with calls counted by their tool's kind, whether or not they succeeded."""

    departure: str | None
    """The tool of the first call that differs from the reference; None if there is none."""

    mutating: bool
    """Whether that tool changes records."""


@dataclass(frozen=True, slots=True)
class Deviations:
    """How a session compares with the acceptable ends of its scenario."""

    distance: Distance
    decisive: str | None
    """The tool of the first write after which no acceptable end could be reached any more."""

    decisive_seq: int | None
    """The position of that write in the log."""

    at_an_end: bool
    """Whether the records stand at an acceptable end."""

    lists_look_ups: bool
    """Whether the reference lists look-ups; if not, d_non counts all look-ups of the session."""

    paper: PapersDeviation | None = None
    """The same comparison as the paper defines it."""


def actions(returned: Iterable[ToolReturned | WriteApplied]) -> Actions:
    """Count the actions of a session from the results of its calls."""
    changed = [isinstance(each, WriteApplied) and not each.error for each in returned]
    return Actions(sum(changed), len(changed) - sum(changed))


def distance(session: Actions, reference: Actions) -> Distance:
    """The distances d_mut and d_non to one reference."""
    return Distance(
        abs(session.mutating - reference.mutating),
        abs(session.non_mutating - reference.non_mutating),
    )


def nearest(session: Actions, references: Iterable[Actions]) -> Distance:
    """The smallest d_mut to any reference, and the smallest d_non among those that have it.

    Raises ValueError if there is no reference.
    """
    found = (distance(session, reference) for reference in references)
    return min(found, key=lambda each: (each.mutating, each.non_mutating))
