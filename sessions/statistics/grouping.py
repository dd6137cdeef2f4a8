"""Decide which sessions may be counted together.

Sessions are never pooled if they differ in policy, tools, records, model, or the agent that the
model plays: the numbers would describe nothing in particular. Nor are runs of another program
pooled with our own sessions. Settings (the safeguards, who played the customer, the second model)
are kept apart unless the caller asks for them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from sessions.statistics.facts import SessionFacts
from sessions.statistics.settings import ROUTED

By = Literal["model", "safeguards", "scenario"]
"""What separates groups, in addition to what may never be pooled.

``model`` pools all settings; ``scenario`` separates tasks as well as settings.
"""

Key = tuple[str, ...]

_CONDITIONS: tuple[tuple[str, Callable[[SessionFacts], str]], ...] = (
    ("records", lambda row: row.records_digest),
    ("policy", lambda row: row.policy_digest),
    ("tools", lambda row: row.tools_digest),
)


_SETTINGS: tuple[tuple[str, Callable[[SessionFacts], str]], ...] = (
    ("settings of the safeguards", lambda row: row.safeguards),
    ("customers", lambda row: row.customer),
    ("second models", lambda row: row.auxiliary),
    ("ways of asking", lambda row: row.requests),
    ("memories", lambda row: row.memory),
)


def groups(
    rows: Iterable[SessionFacts], by: By = "safeguards"
) -> list[tuple[str, list[SessionFacts]]]:
    """The groups with their names, sorted by name; each keeps the order of its rows."""
    found: dict[Key, list[SessionFacts]] = {}
    for row in rows:
        found.setdefault(_key(row, by), []).append(row)
    firsts = [members[0] for members in found.values()]
    named = [(_name(members[0], by, firsts), members) for members in found.values()]
    return sorted(named, key=lambda each: each[0])


def alike_but_for_safeguards(
    rows: Iterable[SessionFacts],
) -> list[tuple[str, dict[str, list[SessionFacts]]]]:
    """Group the sessions that differ only in their safeguards, and split each group by these.

    Each group comes with its name. Its safeguards are sorted: those without routed control come
    first, then those with the fewest parts.
    """
    found = []
    for name, members in groups(rows, "model"):
        settings = {_beside_safeguards(row): row for row in members}
        for own, row in settings.items():
            by_safeguards: dict[str, list[SessionFacts]] = {}
            for each in members:
                if _beside_safeguards(each) == own:
                    by_safeguards.setdefault(each.safeguards, []).append(each)
            told = " · ".join((name, *_others(row, members)))
            ordered = sorted(by_safeguards.items(), key=lambda each: _weight(each[0]))
            found.append((told, dict(ordered)))
    return found


def _beside_safeguards(row: SessionFacts) -> Key:
    return tuple(value(row) for _, value in _SETTINGS[1:])


def _weight(safeguards: str) -> tuple[bool, int, str]:
    return ROUTED in safeguards, safeguards.count("+"), safeguards


def pooling_remarks(members: Sequence[SessionFacts]) -> list[str]:
    """Sentences on what a group pools that a reader may want to see separately."""
    told = [
        f"Pooled: {len(found)} {what}: {'; '.join(found)}."
        for what, value in (*_SETTINGS, ("versions of the program", lambda row: row.program))
        if len(found := sorted({value(row) or "none" for row in members})) > 1
    ]
    return told


def _key(row: SessionFacts, by: By) -> Key:
    conditions = (value(row) for _, value in _CONDITIONS)
    apart = _apart(row, by)
    return (row.domain, row.source, row.imported, *conditions, row.model, row.agent, *apart)


def _apart(row: SessionFacts, by: By) -> Key:
    if by == "model":
        return ()
    settings = tuple(value(row) for _, value in _SETTINGS)
    return (*settings, row.scenario or "free play") if by == "scenario" else settings


def _name(row: SessionFacts, by: By, firsts: Sequence[SessionFacts]) -> str:
    """A name for the group: domain, model, and whatever else separates it from the others."""
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
    return " · ".join(part for part in (*parts, told, *_settings(row, by, alike)) if part)


def _settings(row: SessionFacts, by: By, alike: Sequence[SessionFacts]) -> Iterator[str]:
    """Yield the group's program, and the settings that separate the group from others."""
    if len({each.imported for each in alike}) > 1:
        yield f"imported from {row.imported}" if row.imported else "held here"
    if by == "model":
        return
    if not row.imported:
        yield row.safeguards
        yield from _others(row, alike)
    if by == "scenario":
        yield row.scenario or "free play"


def _others(row: SessionFacts, alike: Sequence[SessionFacts]) -> Iterator[str]:
    """Yield the settings other than the safeguards that separate it from others."""
    if len({each.customer for each in alike}) > 1:
        yield f"customer {row.customer}"
    if len({each.auxiliary for each in alike}) > 1:
        yield f"second model {row.auxiliary or 'none'}"
    if len({each.requests for each in alike}) > 1:
        yield row.requests or "asked as usual"
    if row.memory or len({each.memory for each in alike}) > 1:
        yield row.memory or "no memory"
