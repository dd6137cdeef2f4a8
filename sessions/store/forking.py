"""Forks: sessions that share another's first events and continue on their own from there.

The shared events are copied to the letter, times and payloads included; only the session id and the
hash chain are the fork's own. An event after them names the parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sessions.events import (
    AnyEvent,
    ConsentUsed,
    Labelled,
    Logged,
    ModelChanged,
    Reviewed,
    Safeguards,
    SafeguardsChanged,
    SessionEnded,
    SessionForked,
    WriteApplied,
)
from sessions.store.chain import GENESIS, Row, seal
from sessions.store.errors import StoreError
from sessions.views.session_status import SessionStatus

_JUDGEMENTS = (Labelled, Reviewed)
"""Events that may be added to any log at any time."""


class CannotFork(StoreError):
    """No fork can begin after that event; the message names the nearest possible ones."""


def fork_point(log: Sequence[Logged], at: int | None = None) -> int:
    """The seq of the last event that a fork at ``at`` shares; None means the end of the log.

    A fork is meant to be continued, so the session's end and everything after it are left out.
    Raises CannotFork if there is no such event, and between the use of an approval and its write.
    """
    last = log[-1].seq
    at = last if at is None else at
    if not 1 <= at <= last:
        raise CannotFork(
            f"Session {log[0].session} has {last} events: a fork begins after one of them, 1 to "
            f"{last}; there is no event {at}."
        )
    at = min(at, _before_the_end(log))
    torn = _find_split_write(log, at)
    if torn is not None:
        used, written = torn
        raise CannotFork(
            f"At event {at} an approval has been used, but its change is made only at event "
            f"{written}: a fork begins before ({used - 1}) or after ({written})."
        )
    return at


def _before_the_end(log: Sequence[Logged]) -> int:
    ends = (logged.seq - 1 for logged in log if isinstance(logged.event, SessionEnded))
    return next(ends, log[-1].seq)


def _find_split_write(log: Sequence[Logged], at: int) -> tuple[int, int] | None:
    """The seqs of a consent and its write, if a cut at ``at`` separates them; None otherwise.

    Labels and reviews may stand between the two.
    """
    before = (each for each in reversed(log[:at]) if not isinstance(each.event, _JUDGEMENTS))
    used = next(before, log[0])
    if not isinstance(used.event, ConsentUsed):
        return None
    for logged in log[at:]:
        if isinstance(logged.event, WriteApplied) and logged.event.card_id == used.event.card_id:
            return used.seq, logged.seq
    return None


def count_inherited(log: Iterable[Logged]) -> int:
    """The number of a log's first events that come from its parent; 0 if it is no fork."""
    shared = 0
    for logged in log:
        if isinstance(logged.event, SessionForked):
            shared = logged.event.seq
    return shared


def settings_changed(
    now: SessionStatus, *, model: str | None = None, safeguards: Safeguards | None = None
) -> list[AnyEvent]:
    """The events that change a fork's model or safeguards from those of its parent."""
    changes: list[AnyEvent] = []
    if model is not None and model != now.model:
        changes.append(ModelChanged(model=model))
    if safeguards is not None and safeguards != now.safeguards:
        changes.append(SafeguardsChanged(safeguards=safeguards))
    return changes


def copy_rows(session_id: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield a log's rows with another session id and in a new hash chain."""
    last = GENESIS
    for each in rows:
        values = (session_id, each.seq, each.type, each.key, each.v, each.at, each.payload)
        row = Row(*values, last, seal((*values, last)))
        yield row
        last = row.hash
