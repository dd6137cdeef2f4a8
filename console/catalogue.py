"""What there is to choose from before a conversation, as lists show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from domains.text.quantity import quantity

if TYPE_CHECKING:
    from domains.core.domain import Role
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
    parts += [row.source] if row.is_imported else []
    return SessionLine(row.id, " · ".join(part for part in parts if part), row.status == "open")
