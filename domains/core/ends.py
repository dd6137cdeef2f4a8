"""The states to which lists of calls lead, each computed once; sessions are compared with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from domains.core.canonical import canonical
from domains.core.changes import Record
from domains.core.domain import Domain
from domains.core.draft import Draft, Key
from domains.core.records import Base, Records
from domains.core.tool import ToolCall, Toolset

State = Mapping[Key, Record | None]
"""The records that differ from the domain's base, as they ended up."""

CACHE_SIZE = 1024
"""The most ends cached: more than all published tasks of two domains have, in about 10 MB."""


def state_after(domain: Domain, calls: Iterable[ToolCall]) -> State:
    """The state after these calls on unchanged records; a call that fails changes nothing.

    The same calls on the same base are carried out once. The result is shared, so callers must not
    change it.
    """
    return _carry_out(domain, calls)[0]


def effective_writes(domain: Domain, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls that change records when all are carried out in order on unchanged records.

    Look-ups and calls that their tool refuses are left out; published lists contain both.
    """
    listed = [call for call in calls if domain.tools.mutates(call.name)]
    return tuple(listed[place] for place in _carry_out(domain, listed)[1])


def _carry_out(domain: Domain, calls: Iterable[ToolCall]) -> tuple[State, tuple[int, ...]]:
    """The state after the writes among these calls, and the indexes of those that worked."""
    listed = [[call.name, call.arguments] for call in calls if domain.tools.mutates(call.name)]
    return _end(domain.base, domain.tools, canonical(listed)) if listed else ({}, ())


@lru_cache(maxsize=CACHE_SIZE)
def _end(base: Base, tools: Toolset, calls: str) -> tuple[State, tuple[int, ...]]:
    """Carry out calls on the base, and return the state with the indexes of those that worked.

    ``calls`` is JSON, so that equal calls share one cache entry.
    """
    draft = Records(base, tools).draft()
    worked: list[int] = []
    for place, (name, arguments) in enumerate(json.loads(calls)):
        attempt = Draft(draft)
        if not tools.run(ToolCall(name, arguments), attempt).error:
            worked.append(place)
            for change in attempt.changes():
                draft.put(change.collection, change.key, change.after or {})
    reached = {(each.collection, each.key): each.after for each in draft.changes()}
    return MappingProxyType(reached), tuple(worked)
