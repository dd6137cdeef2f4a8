"""The records that a session's log leaves behind."""

from __future__ import annotations

from collections.abc import Iterable

from domains.core.domain import Domain
from domains.core.records import Records, RecordsMoved
from sessions.events import Logged, SessionStarted, WriteApplied


def records_of(domain: Domain, events: Iterable[Logged]) -> Records:
    """A session's records: its domain's base and the writes of its log, none of them run again.

    Raises RecordsMoved where the base is not the one the session was held on.
    """
    records = domain.records()
    for logged in events:
        take_in(domain, records, logged)
    return records


def take_in(domain: Domain, records: Records, logged: Logged) -> None:
    """Bring records up to the next event of their session's log; raises RecordsMoved."""
    match logged.event:
        case SessionStarted() if logged.event.records_digest != records.digest:
            raise RecordsMoved(f"its {domain.name} records had another digest than these")
        case WriteApplied() as written:
            records.redo(written.card_id, written.patch, written.records_digest)
        case _:
            pass
