"""Export whole sessions event by event, as the session file stores them, to be imported again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sessions.importing.session_files import FORMAT, VERSION
from sessions.store.store import Store

Line = dict[str, Any]


def lines(store: Store, sessions: Iterable[str]) -> Iterator[Line]:
    """Yield the file's header line, then a head and all events, with their hashes, of each session.

    Keeps only one session in memory at a time. Raises StoreError.
    """
    yield {"format": FORMAT, "version": VERSION}
    for session in sessions:
        rows = store.rows(session)
        yield {"session": session, "events": len(rows), "head": rows[-1].hash}
        for row in rows:
            yield {
                "seq": row.seq,
                "type": row.type,
                "key": row.key,
                "v": row.v,
                "at": row.at,
                "prev_hash": row.prev_hash,
                "hash": row.hash,
                "payload": json.loads(row.payload),
            }
