"""When a conversation was held, and how long it took: as its own program says, if that was another.

An imported run's log was written when it was imported; when it was held stands in its file, which
is not bound to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sessions.events import Imported, Logged, SessionEnded, SessionForked


def as_held(events: Sequence[Logged]) -> Sequence[Logged]:
    """The events, those of an imported run at the times that its file tells, the rest as they are.

    One without a time of its own has that of the one before it. Their hashes stay the log's.
    """
    run = _run(events)
    if run is None or not (now := _began(run)):
        return events
    told = []
    for logged, own in zip(events, ("", "", *run.times), strict=False):
        now = own or now
        told.append(logged.model_copy(update={"at": now}))
    return [*told, *events[len(told) :]]


def began(events: Sequence[Logged]) -> str:
    """When it was begun; for an imported run whose file does not say, when it was imported."""
    run = _run(events)
    return (run and _began(run)) or events[0].at


def end_of(events: Sequence[Logged]) -> Logged | None:
    """Where it ended, if it has; it may have been scored and judged years later."""
    return next((each for each in reversed(events) if isinstance(each.event, SessionEnded)), None)


def duration(events: Sequence[Logged]) -> float | None:
    """Seconds from its start to its end, as its own program has them.

    None while it has not ended, and where a file tells neither length nor times.
    """
    run, last = _run(events), end_of(events)
    if last is None:
        return None
    if run is None:
        return _between(events[0].at, last.at)
    if run.seconds is not None:
        return run.seconds
    return _between(_began(run), run.times[-1]) if run.times and run.times[-1] else None


def _run(events: Sequence[Logged]) -> Imported | None:
    """The run that this is a copy of, and that was not gone on with here."""
    run = events[1].event if len(events) > 1 else None
    if not isinstance(run, Imported):
        return None
    return None if any(isinstance(each.event, SessionForked) for each in events) else run


def _began(run: Imported) -> str:
    return run.began or next((each for each in run.times if each), "")


def _between(start: str, end: str) -> float:
    """How long that was; clocks may have gone backwards meanwhile."""
    return max(0.0, (_moment(end) - _moment(start)).total_seconds())


def _moment(text: str) -> datetime:
    """A time without a zone counts as UTC, beside others that have one."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
