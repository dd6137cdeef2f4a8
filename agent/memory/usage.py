"""The sessions in which an agent read an entry, in whatever way, and how they ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sessions.events.memory import RETRIEVE
from sessions.store.store import Store

_USES = f"""
WITH held AS (
    SELECT sessions.id, coalesce(sessions.reward, -1) AS reward
    FROM sessions JOIN events ON events.session_id = sessions.id AND events.seq = 1
    WHERE events.payload ->> '$.memory.bank' = :bank
        AND CASE coalesce(events.payload ->> '$.memory.digest', '')
            WHEN '' THEN sessions.id NOT IN (SELECT session_id FROM taken_in)
            ELSE events.payload ->> '$.memory.digest' IN (
                SELECT prev_hash FROM memory_changes WHERE bank = :bank
                UNION SELECT hash FROM memory_heads WHERE bank = :bank
            )
        END
)
SELECT held.id, asked.value, held.reward
FROM held
JOIN events AS called ON called.session_id = held.id AND called.type = 'tool_called'
JOIN events AS given ON given.session_id = held.id AND given.type = 'tool_returned'
    AND given.payload ->> '$.call_id' = called.payload ->> '$.call_id'
JOIN json_each(called.payload, '$.arguments.capabilities') AS asked
WHERE called.payload ->> '$.name' = '{RETRIEVE}' AND NOT coalesce(given.payload ->> '$.error', 0)
UNION
SELECT held.id, handed.value ->> '$.capability', held.reward
FROM held
JOIN events AS began ON began.session_id = held.id AND began.type = 'context_assembled'
JOIN json_each(began.payload, '$.recalled') AS handed
"""
"""The query for what agents looked up and got, and what they were handed without asking.

Sessions of another bank with the same name do not count.
"""


@dataclass(frozen=True, slots=True)
class Use:
    """How many sessions an entry was read in, and how many of these were right or wrong."""

    sessions: int = 0
    right: int = 0
    wrong: int = 0

    def __str__(self) -> str:
        if not self.sessions:
            return "read in no session yet"
        open_or_free = self.sessions - self.right - self.wrong
        told = f"read in {self.sessions} session{'' if self.sessions == 1 else 's'}"
        return f"{told}: {self.right} right, {self.wrong} wrong, {open_or_free} not scored"


def uses(store: Store, bank: str) -> Mapping[str, Use]:
    """How often each capability was used. Raises StoreError."""
    found: dict[str, Use] = {}
    with store.reading() as database:
        for _, name, reward in database.execute(_USES, {"bank": bank}):
            so_far = found.get(name, Use())
            found[name] = Use(
                so_far.sessions + 1,
                so_far.right + (reward == 1),
                so_far.wrong + (0 <= reward < 1),
            )
    return found
