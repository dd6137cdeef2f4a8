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
    return _carry_out(domain, calls)[0]


def changes_of(domain: Domain, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Those of these calls that change records when all are carried out on untouched ones.

    Look-ups are none of them, nor is a call that its tool refuses: published lists hold both.
    """
    listed = [call for call in calls if domain.tools.mutates(call.name)]
    return tuple(listed[place] for place in _carry_out(domain, listed)[1])


def _carry_out(domain: Domain, calls: Iterable[ToolCall]) -> tuple[State, tuple[int, ...]]:
    """Where the changes among these calls lead, and the places of those that worked."""
    listed = [[call.name, call.arguments] for call in calls if domain.tools.mutates(call.name)]
    return _end(domain.base, domain.tools, canonical(listed)) if listed else ({}, ())


@lru_cache(maxsize=REMEMBERED)
def _end(base: Base, tools: Toolset, calls: str) -> tuple[State, tuple[int, ...]]:
    """``calls`` is JSON, so that equal calls are the same call, whoever holds them."""
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
