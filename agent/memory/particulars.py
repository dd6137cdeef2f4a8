"""Detects entries that name a record: what is remembered is for conversations to come.

An id of a customer or an order in a memory teaches nothing about the policy, and would reveal one
customer's records in the conversations of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.memory.entry import Entry
from domains.core.records import Base

_TOKEN = re.compile(r"#?\w+(?:-\w+)*")
SHORTEST = 5
"""The minimum length in characters of an id; shorter tokens may be words or other numbers."""


def find_named_record(entry: Entry, base: Base) -> str:
    """The first id of a record in an entry's own words; empty if it names none.

    The clauses of the policy and the name of the tool are not searched.
    """
    texts = (
        entry.capability, entry.trigger, *entry.preconditions, *entry.eligibility, entry.action,
        entry.key_insight, entry.check.condition if entry.check else "",
    )  # fmt: skip
    return record_named_in(texts, base)


def record_named_in(texts: Iterable[str], base: Base) -> str:
    """The first id of a record in any of these texts; empty if there is none."""
    tokens = (token for text in texts for token in _TOKEN.findall(text))
    return next((token for token in tokens if _is_id(token, base)), "")


def _is_id(token: str, base: Base) -> bool:
    if len(token) < SHORTEST or not any(map(str.isdigit, token)):
        return False
    spellings = (token, token.removeprefix("#"), f"#{token}")
    return any(each in records for records in base.collections.values() for each in spellings)
