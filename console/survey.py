"""What there is to choose from, read after the first frame, in a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from domains.text.quantity import quantity

if TYPE_CHECKING:
    from domains.core.domain import Role, Scenario
    from sessions.store.listing import SessionRow


Sections = tuple[tuple[str, tuple[str, ...]], ...]
"""Headings, each with its lines; the first, who one is, goes without a heading."""


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    """One role to play, as a list shows it."""

    id: str
    title: str
    role: Sections
    """Whom one plays; never what is expected of the agent."""

    note: str = ""
    """Its tags, and the parts of its set that it belongs to; of a customer, what they have."""

    plays: str | None = None
    """The customer's id, where it is one to be in free play and no scenario."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a domain, and how to find one among them."""

    source: str
    """Where the records come from."""

    lines: tuple[ScenarioLine, ...] = ()
    find: Callable[[str], list[str]] = lambda words: []
    """The ids that fit some words, best first."""


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One agent that can answer here."""

    name: str
    note: str
    """Where its key was found, or that it needs none."""


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One recorded session, as a list shows it."""

    id: str
    line: str
    unfinished: bool


def role_text(role: Role) -> str:
    """A role as one reads it before playing it."""
    lines: list[str] = []
    for heading, entries in role_sections(role):
        lines += [heading, *(f"• {entry}" for entry in entries)] if heading else entries
    return "\n".join(lines)


def role_sections(role: Role) -> Sections:
    """A role in the order in which one needs it while talking; only what there is of it."""
    told = (
        ("", role.who.splitlines()),
        ("You want", role.wants),
        ("You know", role.knows),
        ("You do not know", role.does_not_know),
        ("How you talk", role.manner.splitlines()),
    )
    sections = ((heading, tuple(filter(str.strip, entries))) for heading, entries in told)
    return tuple((heading, entries) for heading, entries in sections if entries)


def session_line(row: SessionRow) -> SessionLine:
    """When, the first words, what was played, who answered and how far."""
    when = row.updated_at[:16].replace("T", " ")
    turns = quantity(row.turns, "turn")
    parts = [when, row.title or "", row.scenario or row.domain, row.model, turns]
    parts += [row.source] if row.imported else []
    return SessionLine(row.id, " · ".join(part for part in parts if part), row.status == "open")


def unfinished(db: Path) -> SessionLine | None:
    """The session that can be resumed and was used last; raises StoreError."""
    if not db.exists():
        return None
    from sessions.store.store import Store

    with Store.open(db, read_only=True) as store:
        return next(map(session_line, store.unfinished(limit=1)), None)


def domains() -> list[str]:
    """The domains that can be played."""
    from domains import names

    return list(names())


def scenarios(domain: str, data: Path | None, tasks: Path | None = None) -> Roles:
    """The roles there are in a domain, on its demo records or a folder's; raises DomainError."""
    from domains import load
    from domains.scenarios.search import search

    loaded = load(domain, data, tasks)

    def find(words: str) -> list[str]:
        return [each.id for each in search(loaded.scenarios, words)]

    return Roles(loaded.base.source, tuple(map(_scenario_line, loaded.scenarios)), find)


def _scenario_line(scenario: Scenario) -> ScenarioLine:
    note = " · ".join((*scenario.tags, *scenario.splits))
    return ScenarioLine(scenario.id, scenario.title, role_sections(scenario.role), note)


def customers(domain: str, data: Path | None, tasks: Path | None = None) -> Roles:
    """The customers one can be in free play, with what they have; raises DomainError."""
    from domains import load
    from domains.core.customers import customers as read
    from domains.core.domain import Scenario
    from domains.scenarios.search import search

    loaded = load(domain, data, tasks)
    found = read(loaded)
    lines = tuple(
        ScenarioLine(each.id, each.name, role_sections(each.role), each.has, plays=each.id)
        for each in found
    )
    texts = [Scenario(each.id, each.name, each.role, (), tags=(each.has,)) for each in found]

    def find(words: str) -> list[str]:
        return [each.id for each in search(texts, words)]

    return Roles(loaded.base.source, lines, find)


def models() -> list[ModelLine]:
    """The agents whose key was found, the clerk first."""
    from agent.models.choosing import available

    return [ModelLine(each.name, each.title) for each in available()]


def warm_up() -> None:
    """Import what a conversation needs, while the person is still choosing."""
    import console.conversation.engine
    import console.screens.conversation  # noqa: F401
