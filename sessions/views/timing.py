"""When a conversation took place and how long it took, including runs of other programs.

An imported run's log was written when it was imported; the time when it took place is in its file,
which may leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sessions.events import Imported, Logged, SessionEnded, SessionForked


def with_original_times(events: Sequence[Logged]) -> Sequence[Logged]:
    """The events, with those of an imported run at the times given in its file.

    An event without a time of its own gets that of the previous one. The hashes remain the log's.
    """
    run = _run(events)
    if run is None or not (now := _began(run)):
        return events
    told = []
    for logged, own in zip(events, ("", "", *run.times), strict=False):
        now = own or now
        told.append(logged.model_copy(update={"at": now}))
    return [*told, *events[len(told) :]]


def began_at(events: Sequence[Logged]) -> str:
    """When it began or, for an imported run whose file gives no time, when it was imported."""
    run = _run(events)
    return (run and _began(run)) or events[0].at


def end_event(events: Sequence[Logged]) -> Logged | None:
    """The event that ended it, if it has ended; it may have been scored and judged years later."""
    return next((each for each in reversed(events) if isinstance(each.event, SessionEnded)), None)


def duration(events: Sequence[Logged]) -> float | None:
    """Seconds from the start to the end, as recorded by the program that held the session.

    None if it has not ended, or if an imported file gives neither length nor times.
    """
    run, last = _run(events), end_event(events)
    if last is None:
        return None
    if run is None:
        return _between(events[0].at, last.at)
    if run.seconds is not None:
        return run.seconds
    return _between(_began(run), run.times[-1]) if run.times and run.times[-1] else None


def _run(events: Sequence[Logged]) -> Imported | None:
    """The run that this session is a copy of; None if it was forked and continued here."""
    run = events[1].event if len(events) > 1 else None
    if not isinstance(run, Imported):
        return None
    return None if any(isinstance(each.event, SessionForked) for each in events) else run


def _began(run: Imported) -> str:
    return run.began or next((each for each in run.times if each), "")


def _between(start: str, end: str) -> float:
    """Seconds between two times, at least 0 because a clock may have been set back."""
    return max(0.0, (_moment(end) - _moment(start)).total_seconds())


def _moment(text: str) -> datetime:
    """Parse a time; one without a zone counts as UTC, so that it compares with the others."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
