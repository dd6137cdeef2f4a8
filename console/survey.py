"""What there is to choose from, read after the first frame, in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domains.domain import Role
    from sessions.listing import SessionRow


@dataclass(frozen=True, slots=True)
class ScenarioLine:
    """One role to play, as a list shows it."""

    id: str
    title: str
    role: str
    """Whom one plays and what they want, as plain text."""


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
    parts = [role.who, *(f"• {each}" for each in role.wants)]
    if role.manner:
        parts.append(role.manner)
    return "\n".join(part for part in parts if part)


def session_line(row: SessionRow) -> SessionLine:
    """When, the first words, what was played, who answered and how far."""
    when = row.updated_at[:16].replace("T", " ")
    turns = f"{row.turns} turn{'' if row.turns == 1 else 's'}"
    parts = [when, row.title or "", row.scenario or row.domain, row.model, turns]
    return SessionLine(row.id, " · ".join(part for part in parts if part), row.status == "open")


def unfinished(db: Path) -> list[SessionLine]:
    """Sessions that can be resumed, the last used first; raises StoreError."""
    if not db.exists():
        return []
    from sessions.store import Store

    with Store.open(db, read_only=True) as store:
        return [session_line(row) for row in store.unfinished()]


def recorded(db: Path) -> list[SessionLine]:
    """Every session, the newest first; raises StoreError."""
    if not db.exists():
        return []
    from sessions.store import Store

    with Store.open(db, read_only=True) as store:
        return [session_line(row) for row in store.sessions()]


def domains() -> list[str]:
    """The domains that can be played."""
    from domains import names

    return list(names())


def scenarios(domain: str, data: Path | None) -> tuple[str, list[ScenarioLine]]:
    """Where the records come from, and the roles there are; raises DomainError."""
    from domains import load

    loaded = load(domain, data)
    lines = [ScenarioLine(each.id, each.title, role_text(each.role)) for each in loaded.scenarios]
    return loaded.base.source, lines


def models() -> list[ModelLine]:
    """The agents whose key was found, the clerk first."""
    from agent.models import available

    return [ModelLine(each.name, each.title) for each in available()]


def warm_up() -> None:
    """Import what a conversation needs, while the person is still choosing."""
    import console.engine
    import console.screens.conversation  # noqa: F401
