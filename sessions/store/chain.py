"""Events as rows of the log, and the hash chain that links the rows.

Each hash covers the row as it is stored, payload text included, and the previous hash, so that a
changed, dropped, or reordered row is detected when the session is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from pydantic import ValidationError

from sessions.events import EVENT, AnyEvent, Logged
from sessions.store.errors import StoreError

GENESIS = ""
"""The previous hash of a session's first event."""


# Not pydantic's own JSON: it writes text as UTF-8, so a lone surrogate could be neither
# stored nor read back.
_compact = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_quoted = json.encoder.encode_basestring_ascii

Values = tuple[str, int, str, str | None, int, str, str, str]
"""The values that a hash covers.

Session id, seq, type, key, version, time, payload text, and previous hash.
"""


class Row(NamedTuple):
    """One row of the ``events`` table, without its row id in the file."""

    session_id: str
    seq: int
    type: str
    key: str | None
    v: int
    at: str
    payload: str
    prev_hash: str
    hash: str

    @property
    def values(self) -> Values:
        """The values that the hash covers, in the order of :data:`COLUMNS`."""
        return self[:8]


COLUMNS = Row._fields
"""The columns of ``events`` that a row holds."""


def seal(values: Values) -> str:
    """SHA-256 over a row's values, as 64 hexadecimal digits."""
    session_id, seq, type_, key, v, at, payload, prev_hash = values
    # The same text as _compact(values), written out because the encoder would be rebuilt on every
    # call, which takes half the time needed to open a long session.
    text = (
        f"[{_quoted(session_id)},{seq},{_quoted(type_)},{'null' if key is None else _quoted(key)},"
        f"{v},{_quoted(at)},{_quoted(payload)},{_quoted(prev_hash)}]"
    )
    return sha256(text.encode("ascii")).hexdigest()


def continue_chain(
    session_id: str, events: Iterable[AnyEvent], last_seq: int, last_hash: str
) -> Iterator[tuple[Row, Logged]]:
    """Yield the rows that continue a log whose last event has this seq and hash.

    Raises ValueError or TypeError for an event that JSON cannot represent.
    """
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    for seq, event in enumerate(events, last_seq + 1):
        values = (session_id, seq, event.type, event.key, event.version, at, _json(event))
        row = Row(*values, last_hash, seal((*values, last_hash)))
        last_hash = row.hash
        yield (
            row,
            Logged.model_construct(session=session_id, seq=seq, at=at, event=event, hash=row.hash),
        )


def _json(event: AnyEvent) -> str:
    return _compact(event.model_dump(mode="python", exclude={"type"}))


def verify_chain(
    session_id: str, rows: Iterable[Row], head_seq: int, head_hash: str
) -> Iterator[Logged]:
    """Yield the verified events of a whole session.

    Raises StoreError naming the session and the seq if the chain is broken.
    """
    last_seq, last_hash = 0, GENESIS
    for row in rows:
        if (row.seq, row.prev_hash) != (last_seq + 1, last_hash) or row.hash != seal(row.values):
            raise StoreError(
                f"Session {session_id} has been changed since it was recorded: event "
                f"{last_seq + 1} does not match the ones before it."
            )
        yield read_unverified(row)
        last_seq, last_hash = row.seq, row.hash
    if (last_seq, last_hash) != (head_seq, head_hash):
        raise StoreError(
            f"Session {session_id} has been changed since it was recorded: its log ends at event "
            f"{last_seq}, but {head_seq} were recorded."
        )


def event_of(row: Row) -> AnyEvent:
    """The event of one row on its own; raises StoreError if it was changed or is unreadable."""
    if row.hash != seal(row.values):
        raise StoreError(f"Session {row.session_id} has been changed: event {row.seq} was altered.")
    return read_unverified(row).event


def read_unverified(row: Row) -> Logged:
    """The event of one row, without checking the hashes; raises StoreError if it is unreadable."""
    try:
        event = _event(row)
    except (ValidationError, ValueError, TypeError):
        raise _unreadable(row) from None
    if row.v > event.version or row.type != event.type:
        raise _unreadable(row)
    return Logged(session=row.session_id, seq=row.seq, at=row.at, event=event, hash=row.hash)


def _event(row: Row) -> AnyEvent:
    try:
        return EVENT.validate_json(f'{row.payload[:-1]},"type":{_quoted(row.type)}}}')
    except ValidationError:
        # That faster JSON parser does not accept lone surrogates, which are rare.
        return EVENT.validate_python({**json.loads(row.payload), "type": row.type})


def _unreadable(row: Row) -> StoreError:
    return StoreError(
        f"Session {row.session_id} holds an event ({row.seq}, {row.type}) that this version of "
        "the program cannot read; a newer version may have written it."
    )
