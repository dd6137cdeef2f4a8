"""A whole command in a process that is forked from one that has imported what commands need."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import sessions.store.store  # noqa: F401
from console import cli
from tests.agent.victims import Tell


def saber(tell: Tell, *arguments: str) -> None:
    """Run the command; tells ``begun`` and, at its end, its exit code and what it printed."""
    tell("begun")
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = cli.saber([*arguments], standalone_mode=False)
    tell(f"{code or 0}\n{printed.getvalue()}")
