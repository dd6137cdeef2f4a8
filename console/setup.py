"""The settings that a conversation is opened with; light enough to import for the first frame."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sessions.events.memory import ReadBy
    from sessions.review.desk import ReviewDesk

CLERK = "clerk"
"""The built-in agent that needs no key and no network."""


def default_db() -> Path:
    """The default session file: SABER_DB, or a file in the user's own data folder."""
    named = os.environ.get("SABER_DB")
    if named:
        return Path(named)
    from platformdirs import user_data_dir

    return Path(user_data_dir("saber-console", appauthor=False)) / "sessions.sqlite"


def default_data() -> Path | None:
    """The default records folder: TAU2_DATA_DIR, or None for the demo records."""
    named = os.environ.get("TAU2_DATA_DIR")
    return resolved_path(Path(named)) if named else None


def resolved_path(path: Path) -> Path:
    """The absolute path, which is valid in any working directory, resolved if possible."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


TOGGLES = frozenset({"gate", "reflection", "context", "policy_on_card"})
"""The switches that the start screen shows as toggles of their own."""


FOR_EXPERIMENTS = frozenset({"blocks_by", "reflection_as", "reflection_from", "judge_declared"})
"""The settings that are available only on the command line."""


@dataclass(frozen=True, slots=True)
class Switches:
    """The safeguards of a conversation and how they work."""

    gate: bool = True
    reflection: bool = True
    context: bool = True
    policy_on_card: bool = True
    after_feedback: str = "confirm"
    blocks: int = 16
    blocks_as: str = "verbatim"
    blocks_by: str = "text"
    reflection_as: str = "auto"
    reflection_from: str = "policy+records"
    judge_declared: bool = False
    declines: int = 3
    attention_checks: float = 0.0
    control: str = "baseline"
    router: str = "model"


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits at which a session is ended; None stands for no limit."""

    actions: int | None = None
    tokens: int | None = None
    cost: float | None = None
    """US dollars."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """The event from which a fork continues, and the model and safeguards that it changes."""

    session: str
    at: int | None = None
    """The last shared event; None to share as many as possible."""

    model: str | None = None
    switches: Mapping[str, bool | float | str] = field(default_factory=dict)
    """The safeguards to change, by name; the others stay as they were."""

    draft: str = ""
    """The text that the composer holds at first."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The records, agent, role and session file of a conversation, with its settings."""

    domain: str = "retail"
    model: str = CLERK
    scenario: str | None = None
    data: Path | None = None
    tasks: Path | None = None
    db: Path = field(default_factory=default_db)
    resume: str | None = None
    auxiliary: str | None = None
    switches: Switches = Switches()
    fork: Fork | None = None
    budget: Budget = Budget()
    requests: Mapping[str, Any] = field(default_factory=dict)
    """The request settings of models, by the names in `sessions.events.RequestSettings`."""

    replay: str | None = None
    """A session to step through event by event, without continuing it."""

    replay_at: int = 1
    """The event at which the replay begins."""

    review: ReviewDesk | None = None
    """Recorded cards for a second person to decide; if set, nothing else is opened."""

    customer_id: str | None = None
    """The id of the customer to play if there is no scenario."""

    memory: str | None = None
    """The memory bank that the agent can read."""

    memory_by: ReadBy = "tool"
    """How the agent reads its memory."""

    @property
    def changed_settings_count(self) -> int:
        """The number of changed settings that the start screen has no place for."""
        pairs = ((self.switches, Switches()), (self.budget, Budget()))
        changed = sum(
            bool(getattr(now, each.name) != getattr(usual, each.name))
            for now, usual in pairs
            for each in fields(now)
            if each.name not in TOGGLES
        )
        return changed + (self.auxiliary is not None) + (self.memory is not None)
