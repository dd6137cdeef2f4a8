"""What the sessions of a file are filed under, to choose from."""

from __future__ import annotations

from collections.abc import Mapping

from sessions.store.sqlite import Database
from sessions.store.store import Store

MOST = 200
"""Values of one kind that are worth choosing from."""

NEWEST = 10_000
"""Sessions that are looked at: more would take longer than somebody takes to type a letter."""

COLUMNS = ("domain", "model", "scenario", "run")


def values(store: Store) -> Mapping[str, tuple[str, ...]]:
    """What the newest sessions have, by column and in order, and as ``tag``; raises StoreError."""
    with store.reading() as database:
        found = {name: _distinct(database, name) for name in COLUMNS}
        tags = (tag for several in _distinct(database, "tags") for tag in several.splitlines())
        return {**found, "tag": tuple(sorted(set(tags)))}


def _distinct(database: Database, name: str) -> tuple[str, ...]:
    rows = database.execute(
        f"SELECT DISTINCT {name} FROM (SELECT {name} FROM sessions ORDER BY number DESC "
        f"LIMIT {NEWEST}) WHERE {name} IS NOT NULL ORDER BY {name} LIMIT {MOST}"
    )
    return tuple(value for (value,) in rows)
