"""Verdicts on the calls of a session that can no longer reach any acceptable end.

Such a call is right if it does to the records exactly what a call that is still due would do. It is
wrong if, for every acceptable end, it writes some value that differs from that end's value. In all
other cases there is no verdict.
"""

from __future__ import annotations

from typing import Any

from domains.core.canonical import canonical
from domains.core.changes import Change, FieldChange, Path, Record, same
from domains.core.domain import Domain
from domains.core.ends import State
from domains.core.records import Records
from domains.core.tool import ToolCall
from sessions.scoring.differences import ABSENT
from sessions.scoring.reaching import Ends

Effect = str
"""What a call does to the records, as canonical text: equal effects have equal texts."""


class PendingCalls:
    """For each acceptable end, the changes that have not been made yet.

    A change counts as made once any call with the same effect on the records has been carried out.
    """

    def __init__(self, domain: Domain, ends: Ends) -> None:
        self._domain = domain
        self._left = [
            [call for call in calls if domain.tools.mutates(call.name)] for calls, _ in ends
        ]

    def mark_made(self, records: Records, call: ToolCall) -> None:
        """Remove a call that is about to be carried out from each end's list, matched by effect."""
        effects = _Effects(records)
        for left in self._left:
            place = next((n for n, each in enumerate(left) if effects.equal(each, call)), None)
            if place is not None:
                del left[place]

    def has(self, records: Records, call: ToolCall) -> bool:
        """Whether some end still needs what this call would do to the records now."""
        effects = _Effects(records)
        return any(effects.equal(each, call) for left in self._left for each in left)


def is_wrong_without_reachable_end(
    domain: Domain, records: Records, call: ToolCall, ends: Ends, due: PendingCalls
) -> bool | None:
    """Whether a call is wrong when no acceptable end can be reached; None if undecidable."""
    if due.has(records, call):
        return False
    changes = records.preview(call).changes
    contradicted = all(
        any(_contradicts(domain, change, state) for change in changes) for _, state in ends
    )
    return True if changes and contradicted else None


class _Effects:
    """The effects that calls would have on the same records; each call is tried only once."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._found: dict[str, Effect | None] = {}

    def equal(self, one: ToolCall, other: ToolCall) -> bool:
        """Whether two calls are identical, or calls of the same tool with the same effect."""
        if _text(one) == _text(other):
            return True
        effect = self._of(one) if one.name == other.name else None
        return effect is not None and effect == self._of(other)

    def _of(self, call: ToolCall) -> Effect | None:
        """The effect of a call; None if the call would fail or change nothing."""
        text = _text(call)
        if text not in self._found:
            self._found[text] = _effect(self._records.preview(call).changes)
        return self._found[text]


def _text(call: ToolCall) -> str:
    return canonical([call.name, call.arguments])


def _effect(changes: tuple[Change, ...]) -> Effect | None:
    told = sorted([each.collection, each.key, canonical(each.after)] for each in changes)
    return canonical(told) if told else None


def _contradicts(domain: Domain, change: Change, state: State) -> bool:
    """Whether a change writes a value that differs from the value the end has there."""
    key = (change.collection, change.key)
    base = domain.base.collections[change.collection].get(change.key)
    end = state.get(key, base)
    if end is None:
        return True
    return any(_differs(each, change.before, base, end) for each in change.fields)


def _differs(
    each: FieldChange, before: Record | None, base: Record | None, end: Record | None
) -> bool:
    """Whether a changed field argues against an end.

    Balances and growing lists carry earlier mistakes along. A list entry therefore counts only if
    the list had not gone astray before. The same holds for a balance, but where the end leaves the
    balance unchanged, a call counts if it moves the balance further away.
    """
    wanted, begun = _at(end, each.path), _at(base, each.path)
    if same(each.after, wanted):
        return False
    if _is_entry(each):
        path = each.path[:-1]
        was = _at(before, path)
        return same(was, _at(base, path)) or _is_prefix_or_equal(was, _at(end, path))
    if not (_is_number(each.before) and _is_number(each.after) and _is_number(wanted)):
        return True
    if same(wanted, begun):
        return bool(abs(each.after - wanted) > abs(each.before - wanted))
    return same(each.before, begun) or same(each.before, wanted)


def _is_entry(each: FieldChange) -> bool:
    """Whether the change appends a new entry to a list."""
    return each.before is None and bool(each.path) and isinstance(each.path[-1], int)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_prefix_or_equal(was: Any, end: Any) -> bool:
    """Whether a value equals the end's value, or is a list that the end's list begins with."""
    if isinstance(was, list) and isinstance(end, list):
        return same(was, end[: len(was)])
    return same(was, end)


def _at(record: Any, path: Path) -> Any:
    """The value at a path of a record; ABSENT if there is none."""
    for step in path:
        try:
            record = record[step]
        except (LookupError, TypeError):
            return ABSENT
    return record
