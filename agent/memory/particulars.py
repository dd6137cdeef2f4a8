"""Whether an entry names one record: what is remembered is for conversations to come.

An id of a customer or an order in a memory teaches nothing of the policy, and would hand one
customer's records to the conversations of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.memory.entry import Entry
from domains.core.records import Base

_TOKEN = re.compile(r"#?\w+(?:-\w+)*")
SHORTEST = 5
"""Characters of an id that is no word or number of another kind."""


def find_named_record(entry: Entry, base: Base) -> str:
    """The first id of a record in an entry's own words; empty where it names none.

    The clauses of the policy are the policy's own, and a name of a tool is no record's.
    """
    texts = (
        entry.capability, entry.trigger, *entry.preconditions, *entry.eligibility, entry.action,
        entry.key_insight, entry.check.condition if entry.check else "",
    )  # fmt: skip
    return record_named_in(texts, base)


def record_named_in(texts: Iterable[str], base: Base) -> str:
    """The first id of a record in any of these texts; empty where there is none."""
    tokens = (token for text in texts for token in _TOKEN.findall(text))
    return next((token for token in tokens if _is_id(token, base)), "")


def _is_id(token: str, base: Base) -> bool:
    if len(token) < SHORTEST or not any(map(str.isdigit, token)):
        return False
    spellings = (token, token.removeprefix("#"), f"#{token}")
    return any(each in records for records in base.collections.values() for each in spellings)
