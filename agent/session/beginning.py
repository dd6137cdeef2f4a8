"""What is recorded when a session starts, and about later changes when it is resumed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from domains.core.domain import Scenario
from domains.core.wording import Wording
from sessions.events import Noted
from sessions.views import SessionStatus

CHANGED = "The scenario has changed since this session began, so its scoring may be different now."

WORDED_OTHERWISE = (
    "The installed τ²-bench describes the agent's task differently from when this session began."
)


def place(path: Path | None) -> str | None:
    """The path as absolute text, valid from whatever folder the program is next run in."""
    return None if path is None else str(path.absolute())


@cache
def program_version() -> str:
    """The program's version, for the log; read from a file once."""
    return version("saber-console")


def what_changed(
    held: SessionStatus, scenario: Scenario | None, wording: Wording
) -> Iterator[Noted]:
    """Yield a remark on each thing that has changed since the session began."""
    if scenario is not None and held.scenario_digest not in (None, scenario.digest):
        yield Noted(text=CHANGED)
    if held.wording_digest not in ("", wording.digest):
        yield Noted(text=WORDED_OTHERWISE)
