"""Rebuild the records of a session from its log."""

from __future__ import annotations

from collections.abc import Iterable

from domains.core.domain import Domain
from domains.core.records import Records, RecordsMismatch
from sessions.events import Logged, SessionStarted, WriteApplied


def records_of(domain: Domain, events: Iterable[Logged]) -> Records:
    """The records of a session: the domain's base plus the logged writes; no tool is run again.

    Raises RecordsMismatch if the base is not the one that the session was played on.
    """
    records = domain.records()
    for logged in events:
        apply_event(domain, records, logged)
    return records


def apply_event(domain: Domain, records: Records, logged: Logged) -> None:
    """Apply the next event of a session's log to its records; raises RecordsMismatch."""
    match logged.event:
        case SessionStarted() if logged.event.records_digest != records.digest:
            raise RecordsMismatch(f"its {domain.name} records had a different digest")
        case WriteApplied() as written:
            records.replay_write(written.card_id, written.patch, written.records_digest)
        case _:
            pass
