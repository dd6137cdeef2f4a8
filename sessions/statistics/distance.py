"""How far a session went from an acceptable end, as the SABER paper measures it (section 3).

The paper counts a trajectory's mutating and its other actions, M and N, and takes the absolute
differences to a successful reference trajectory for the same task::

    d_mut = | M(session) - M(reference) |        d_non = | N(session) - N(reference) |

It compares numbers of actions, not which ones: a session that cancels the wrong order instead of
the right one has d_mut = 0. Which write went wrong is told by the decisive write
(:mod:`sessions.scoring.deviating`). An action is a tool call; what was said is none, since no
reference lists words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sessions.events import ToolReturned, WriteApplied


@dataclass(frozen=True, slots=True)
class Actions:
    """How many actions of each kind a trajectory has."""

    mutating: int
    """M: writes that were carried out without an error."""

    non_mutating: int
    """N: every other call, those that failed included, as they changed nothing."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How many actions a session has too many or too few."""

    mutating: int
    """d_mut."""

    non_mutating: int
    """d_non."""


@dataclass(frozen=True, slots=True)
class PapersDeviation:
    """How a session departs from the one list of calls that its task publishes."""

    distance: Distance
    """Calls counted by what their tool is, whether or not they worked."""

    departure: str | None
    """The tool of the first call that is not the reference's; None where none is added."""

    mutating: bool
    """Whether that tool changes records."""


@dataclass(frozen=True, slots=True)
class Deviations:
    """How a session compares with where its scenario may rightly end."""

    distance: Distance
    decisive: str | None
    """The tool of the first write after which no acceptable end could be reached any more."""

    decisive_seq: int | None
    """The place of that write in the log."""

    at_an_end: bool
    """Whether the records stand at an acceptable end."""

    lists_look_ups: bool
    """Whether the reference lists look-ups; where it lists none, d_non is all of the session's."""

    paper: PapersDeviation | None = None
    """The same as the paper defines it."""


def actions(returned: Iterable[ToolReturned | WriteApplied]) -> Actions:
    """The actions of a session, from what came back of each of its calls."""
    changed = [isinstance(each, WriteApplied) and not each.error for each in returned]
    return Actions(sum(changed), len(changed) - sum(changed))


def distance(session: Actions, reference: Actions) -> Distance:
    """d_mut and d_non to one reference."""
    return Distance(
        abs(session.mutating - reference.mutating),
        abs(session.non_mutating - reference.non_mutating),
    )


def nearest(session: Actions, references: Iterable[Actions]) -> Distance:
    """The smallest d_mut to any reference, and the smallest d_non among those that have it.

    Raises ValueError where there is no reference.
    """
    found = (distance(session, reference) for reference in references)
    return min(found, key=lambda each: (each.mutating, each.non_mutating))
