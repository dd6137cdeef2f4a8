"""What a conversation is opened with; light enough for the first frame."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

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


@dataclass(frozen=True, slots=True)
class Fork:
    """From where another way is gone, and with what other model and safeguards."""

    session: str
    at: int | None = None
    """The last event that is shared; None for as many as there are."""

    model: str | None = None
    switches: Mapping[str, bool | int | str] = field(default_factory=dict)
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
    replay: str | None = None
    """A session that is looked at, event by event, and not gone on with."""

    replay_at: int = 1
    """The event at which that begins."""
