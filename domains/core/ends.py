"""Where lists of calls lead: the ends that sessions are compared with, each worked out once."""

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
"""The records that differ from the domain's base, as they are."""

REMEMBERED = 1024
"""Ends that are kept: those of every published task of two domains and more, in some 10 MB."""


def end_of(domain: Domain, calls: Iterable[ToolCall]) -> State:
    """Where the records stand after these calls on untouched ones; one that fails changes nothing.

    The same calls on the same base are carried out once; what they lead to is not to be changed.
    """
    listed = [[call.name, call.arguments] for call in calls if domain.tools.mutates(call.name)]
    return _end(domain.base, domain.tools, canonical(listed)) if listed else {}


@lru_cache(maxsize=REMEMBERED)
def _end(base: Base, tools: Toolset, calls: str) -> State:
    """``calls`` is JSON, so that equal calls are the same call, whoever holds them."""
    draft = Records(base, tools).draft()
    for name, arguments in json.loads(calls):
        attempt = Draft(draft)
        if not tools.run(ToolCall(name, arguments), attempt).error:
            for change in attempt.changes():
                draft.put(change.collection, change.key, change.after or {})
    return MappingProxyType({(each.collection, each.key): each.after for each in draft.changes()})
