"""Which sessions may be counted together.

Sessions held under another policy, with other tools, on other records, by another model or by
another agent of the same model are never pooled: their numbers would be of nothing in particular.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from sessions.statistics.facts import SessionFacts

By = Literal["model", "safeguards", "scenario"]
"""What tells groups apart, besides what may never be pooled; a model always does."""

Key = tuple[str, ...]

_CONDITIONS: tuple[tuple[str, Callable[[SessionFacts], str]], ...] = (
    ("records", lambda row: row.records_digest),
    ("policy", lambda row: row.policy_digest),
    ("tools", lambda row: row.tools_digest),
)


def groups(rows: Iterable[SessionFacts], by: By = "model") -> list[tuple[str, list[SessionFacts]]]:
    """The groups with their names, in the order of these, each in the order of its rows."""
    found: dict[Key, list[SessionFacts]] = {}
    for row in rows:
        found.setdefault(_key(row, by), []).append(row)
    firsts = [members[0] for members in found.values()]
    named = [(_name(members[0], by, firsts), members) for members in found.values()]
    return sorted(named, key=lambda each: each[0])


def pooled(members: Sequence[SessionFacts]) -> list[str]:
    """Sentences on what a group holds together that a reader may want apart."""
    settings = sorted({row.safeguards for row in members})
    programs = sorted({row.program for row in members})
    told: list[str] = []
    if len(settings) > 1:
        told.append(f"Held with {len(settings)} settings of the safeguards: {'; '.join(settings)}.")
    if len(programs) > 1:
        told.append(f"Held with {len(programs)} versions of the program: {', '.join(programs)}.")
    return told


def _key(row: SessionFacts, by: By) -> Key:
    conditions = (value(row) for _, value in _CONDITIONS)
    return (row.domain, row.source, *conditions, row.model, row.agent, _apart(row, by))


def _apart(row: SessionFacts, by: By) -> str:
    if by == "safeguards":
        return row.safeguards
    return (row.scenario or "free play") if by == "scenario" else ""


def _name(row: SessionFacts, by: By, firsts: Sequence[SessionFacts]) -> str:
    """Domain, model and what else it takes to tell this group from all others."""
    alike = [each for each in firsts if each.domain == row.domain]
    parts = [row.domain]
    if len({each.source for each in alike}) > 1:
        parts.append(row.source)
    same_source = [each for each in alike if each.source == row.source]
    for what, value in _CONDITIONS:
        if len({value(each) for each in same_source}) > 1:
            parts.append(f"{what} {value(row)[:8]}")
    agents = {each.agent for each in same_source if each.model == row.model}
    named = (row.agent or "no name") if len(agents) > 1 else ""
    told = f"{row.model}, agent {named}" if named else row.model
    return " · ".join(part for part in (*parts, told, _apart(row, by)) if part)
