"""Roles, models and sessions in the form in which lists show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from domains.text.quantity import quantity

if TYPE_CHECKING:
    from domains.core.domain import Role
    from sessions.store.listing import SessionRow

Sections = tuple[tuple[str, tuple[str, ...]], ...]
"""Headings with their lines; the first section, which says who the customer is, has no heading."""


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    """One role to play, as a list shows it."""

    id: str
    title: str
    role: Sections
    """The customer to play; it never says what is expected of the agent."""

    note: str = ""
    """The tags and splits of a scenario; for a customer in free play, what they have."""

    plays: str | None = None
    """The customer's id if this is a customer for free play rather than a scenario."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of a domain, and a search among them."""

    source: str
    """Where the records come from."""

    lines: tuple[ScenarioLine, ...] = ()
    find: Callable[[str], list[str]] = lambda words: []
    """Returns the ids that match some words, best first."""


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One agent that can be chosen."""

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
    """A role as plain text, to be read before playing it."""
    lines: list[str] = []
    for heading, entries in role_sections(role):
        lines += [heading, *(f"• {entry}" for entry in entries)] if heading else entries
    return "\n".join(lines)


def role_sections(role: Role) -> Sections:
    """The non-empty sections of a role, in the order in which a player needs them."""
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
    """A session as one line: when, the first words, what was played, the agent, and the turns."""
    when = row.updated_at[:16].replace("T", " ")
    turns = quantity(row.turns, "turn")
    parts = [when, row.title or "", row.scenario or row.domain, row.model, turns]
    parts += [row.source] if row.is_imported else []
    return SessionLine(row.id, " · ".join(part for part in parts if part), row.status == "open")
