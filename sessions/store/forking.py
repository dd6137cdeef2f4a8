"""Forks: sessions that share another's first events and go their own way from there.

What is shared is copied to the letter, times and payloads included; only the session's id and the
chain of hashes are the fork's own. The fork then says whose copy it is.
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
"""What anybody may add to a log, at any time."""


class CannotFork(StoreError):
    """No fork can begin after that event; the message says which ones are near it."""


def cut(log: Sequence[Logged], at: int | None = None) -> int:
    """The last event that a fork at ``at`` shares; at the end of the log where that is None.

    A fork is made to be gone on with, so the end of a session, and what follows that, is left
    out. Raises CannotFork for an event that there is none of, and between the use of an approval
    and the write that it was used for.
    """
    last = log[-1].seq
    at = last if at is None else at
    if not 1 <= at <= last:
        raise CannotFork(
            f"Session {log[0].session} has {last} events: a fork begins after one of them, 1 to "
            f"{last}; there is no event {at}."
        )
    at = min(at, _before_the_end(log))
    torn = _find_torn(log, at)
    if torn is not None:
        used, written = torn
        raise CannotFork(
            f"At event {at} an approval has been used up that event {written} carries out: a fork "
            f"begins before ({used - 1}) or after ({written})."
        )
    return at


def _before_the_end(log: Sequence[Logged]) -> int:
    ends = (logged.seq - 1 for logged in log if isinstance(logged.event, SessionEnded))
    return next(ends, log[-1].seq)


def _find_torn(log: Sequence[Logged], at: int) -> tuple[int, int] | None:
    """The use of a consent and its write that a cut at ``at`` tears apart; None where it does not.

    Anybody may have judged the session between the two.
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
    """How many of a log's first events are its parent's; 0 where it is nobody's fork."""
    shared = 0
    for logged in log:
        if isinstance(logged.event, SessionForked):
            shared = logged.event.seq
    return shared


def settings_changed(
    now: SessionStatus, *, model: str | None = None, safeguards: Safeguards | None = None
) -> list[AnyEvent]:
    """The events that make a fork be held with another model or other safeguards than before."""
    changes: list[AnyEvent] = []
    if model is not None and model != now.model:
        changes.append(ModelChanged(model=model))
    if safeguards is not None and safeguards != now.safeguards:
        changes.append(SafeguardsChanged(safeguards=safeguards))
    return changes


def copy_rows(session_id: str, rows: Iterable[Row]) -> Iterator[Row]:
    """A log's rows as another session's, in a chain of their own."""
    last = GENESIS
    for each in rows:
        values = (session_id, each.seq, each.type, each.key, each.v, each.at, each.payload)
        row = Row(*values, last, seal((*values, last)))
        yield row
        last = row.hash
