"""Read the choices of the start screen, in a thread, after the first frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from console.catalogue import (
    ModelLine,
    Roles,
    ScenarioLine,
    SessionLine,
    role_sections,
    session_line,
)

if TYPE_CHECKING:
    from domains.core.domain import Scenario


def latest_unfinished(db: Path) -> SessionLine | None:
    """The most recently used session that can be resumed; raises StoreError."""
    if not db.exists():
        return None
    from sessions.store.store import Store

    with Store.open(db, read_only=True) as store:
        return next(map(session_line, store.unfinished_sessions(limit=1)), None)


def domains() -> list[str]:
    """The names of the domains that can be played."""
    from domains import names

    return list(names())


def scenarios(domain: str, data: Path | None, tasks: Path | None = None) -> Roles:
    """The roles of a domain, on its demo records or a folder's; raises DomainError."""
    from domains import load
    from domains.scenarios.search import search

    loaded = load(domain, data, tasks)
    every = (*loaded.scenarios, *loaded.gap_scenarios)

    def find(words: str) -> list[str]:
        return [each.id for each in search(every, words)]

    return Roles(loaded.base.source, tuple(map(_scenario_line, every)), find)


def _scenario_line(scenario: Scenario) -> ScenarioLine:
    note = " · ".join((*scenario.tags, *scenario.splits))
    title = f"Gap: {scenario.title}" if scenario.gap else scenario.title
    return ScenarioLine(scenario.id, title, role_sections(scenario.role), note)


def memories(db: Path) -> dict[str, str]:
    """The memories that belong to no stream, each with its domain; raises StoreError."""
    if not db.exists():
        return {}
    from agent.memory.keeping import own_banks
    from sessions.store.store import Store

    with Store.open(db, read_only=True) as store:
        return {row.name: row.domain for row in own_banks(store)}


def customers(domain: str, data: Path | None, tasks: Path | None = None) -> Roles:
    """The customers that can be played freely, with what they have; raises DomainError."""
    from domains import load
    from domains.core.customers import customers as read
    from domains.core.domain import Scenario
    from domains.scenarios.search import search

    loaded = load(domain, data, tasks)
    found = read(loaded)
    lines = tuple(
        ScenarioLine(each.id, each.name, role_sections(each.role), each.summary, plays=each.id)
        for each in found
    )
    texts = [Scenario(each.id, each.name, each.role, (), tags=(each.summary,)) for each in found]

    def find(words: str) -> list[str]:
        return [each.id for each in search(texts, words)]

    return Roles(loaded.base.source, lines, find)


def models() -> list[ModelLine]:
    """The agents that can be used with the keys that were found, the clerk first."""
    from agent.models.choosing import available_models

    return [ModelLine(each.name, each.title) for each in available_models()]
