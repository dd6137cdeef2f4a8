"""What the user is told about sessions that were lost to an error inside saber."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.headless.progress import Lost
from console import crash
from domains.text.quantity import quantity
from sessions.cleaning import clean

_NAMED = 5
"""How many of the sessions lost to the same error are named."""


def place_of(lost: Lost) -> str:
    """The session's task, trial and arm, in words."""
    place = lost.place
    arm = f", {place.arm.name}" if place.arm.name else ""
    return clean(f"task {place.scenario.id}, trial {place.run.trial}{arm}")


def lost_sessions(lost: Sequence[Lost]) -> Iterator[str]:
    """Yield a sentence for each error, with the sessions it cost, and write its traceback."""
    by_error: dict[str, list[Lost]] = {}
    for each in lost:
        by_error.setdefault(f"{type(each.error).__name__}: {each.error}", []).append(each)
    for same in by_error.values():
        yield _sentence(same)


def _sentence(same: Sequence[Lost]) -> str:
    named = "; ".join(map(place_of, same[:_NAMED]))
    more = f" and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
    error = same[0].error
    return (
        f"{quantity(len(same), 'session')} lost to an error inside saber "
        f"({type(error).__name__}): {named}{more}. What was recorded stays; the same command "
        f"goes on from there.{crash.write_crash_file(error)}"
    )
