"""What a conversation is opened with; light enough for the first frame."""

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
    """The session file where none is named: SABER_DB, or the person's own data folder."""
    named = os.environ.get("SABER_DB")
    if named:
        return Path(named)
    from platformdirs import user_data_dir

    return Path(user_data_dir("saber-console", appauthor=False)) / "sessions.sqlite"


def default_data() -> Path | None:
    """The records folder where none is named: TAU2_DATA_DIR, or None for the demo records."""
    named = os.environ.get("TAU2_DATA_DIR")
    return whole(Path(named)) if named else None


def whole(path: Path) -> Path:
    """A path that means the same wherever the program is run from, as short as it can be."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


TOGGLES = frozenset({"gate", "reflection", "context", "policy_on_card"})
"""The switches that the start screen shows by themselves."""


FOR_EXPERIMENTS = frozenset({"blocks_by", "reflection_as", "reflection_from", "judge_declared"})
"""The settings that only the command line has."""


@dataclass(frozen=True, slots=True)
class Switches:
    """The safeguards as the start screen offers them."""

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
    """What a session may use up before it is ended; None where that is not bounded."""

    actions: int | None = None
    tokens: int | None = None
    cost: float | None = None
    """US dollars."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """From where another way is gone, and with what other model and safeguards."""

    session: str
    at: int | None = None
    """The last event that is shared; None for as many as there are."""

    model: str | None = None
    switches: Mapping[str, bool | float | str] = field(default_factory=dict)
    """The safeguards that are set, by name; the others stay as they were."""

    draft: str = ""
    """What stands in the composer to begin with."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Which records, which agent, which role, and where it is recorded."""

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
    """How models are asked, by the names of `sessions.events.RequestSettings`."""

    replay: str | None = None
    """A session that is looked at, event by event, and not gone on with."""

    replay_at: int = 1
    """The event at which that begins."""

    review: ReviewDesk | None = None
    """Recorded cards that a second person decides, instead of all that."""

    plays: str | None = None
    """The id of the customer to be, where there is no scenario."""

    memory: str | None = None
    """The memory bank that the agent can read."""

    memory_by: ReadBy = "tool"
    """How the agent reads it."""

    @property
    def set_otherwise(self) -> int:
        """How many of the settings that the start screen has no place for are not as usual."""
        pairs = ((self.switches, Switches()), (self.budget, Budget()))
        changed = sum(
            bool(getattr(now, each.name) != getattr(usual, each.name))
            for now, usual in pairs
            for each in fields(now)
            if each.name not in TOGGLES
        )
        return changed + (self.auxiliary is not None) + (self.memory is not None)
