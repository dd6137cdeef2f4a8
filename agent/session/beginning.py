"""What is told of a session when it begins, and of what has changed when it is taken up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from domains.core.domain import Scenario
from domains.core.wording import Wording
from sessions.events import Noted
from sessions.views import SessionStatus

CHANGED = "The scenario was changed since this session began: what it is scored by may be another."

WORDED_OTHERWISE = (
    "The τ²-bench that is installed describes the agent's task otherwise than when this session "
    "began."
)


def place(path: Path | None) -> str | None:
    """A path that means the same wherever the program is run from next time."""
    return None if path is None else str(path.absolute())


@cache
def program_version() -> str:
    """The program's version, for the log; it is read from a file, once."""
    return version("saber-console")


def what_changed(
    held: SessionStatus, scenario: Scenario | None, wording: Wording
) -> Iterator[Noted]:
    """Remarks on what is no longer as it was when a session began."""
    if scenario is not None and held.scenario_digest not in (None, scenario.digest):
        yield Noted(text=CHANGED)
    if held.wording_digest not in ("", wording.digest):
        yield Noted(text=WORDED_OTHERWISE)
