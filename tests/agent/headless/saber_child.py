"""A whole command in a process that is forked from one that is warm.

It has imported what runs need, and read the clerk's model.
"""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout

import sessions.store.store  # noqa: F401
from agent.clerk.understanding.labelling import Piece, label
from console import cli
from tests.agent.victims import Tell

label("retail", "", (Piece("hello"),))


def saber(tell: Tell, *arguments: str) -> None:
    """Run the command; tells ``begun``, then its errors, and its exit code with what it printed."""
    tell("begun")
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors):
        code = cli.saber([*arguments], standalone_mode=False)
    tell(f"errors: {errors.getvalue()}")
    tell(f"{code or 0}\n{printed.getvalue()}")
