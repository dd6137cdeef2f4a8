"""The values by which the sessions of a file can be filtered, for completion."""

from __future__ import annotations

from collections.abc import Mapping

from sessions.store.store import Store
from sessions.store.without_pandas import Database

MOST = 200
"""The maximum number of values per column that are worth offering."""

NEWEST = 10_000
"""The number of sessions searched; more would take longer than typing one letter."""

COLUMNS = ("domain", "model", "scenario", "run")


def values(store: Store) -> Mapping[str, tuple[str, ...]]:
    """The values of the newest sessions by column, sorted, plus ``tag``; raises StoreError."""
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
