"""A whole command in a process that is forked from one that is warm.

It has imported what runs need, and read the clerk's model.
"""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import sessions.store.store  # noqa: F401
from agent.clerk.understanding.encoder import load_model
from console import cli
from tests.agent.victims import Tell
from tests.shared_vectors import sharing_vectors

load_model()


def saber(tell: Tell, vectors: Path, *arguments: str) -> None:
    """Run the command; tells ``begun``, then its errors, and its exit code with what it printed.

    What the clerk made of sentences is in the file `vectors` for those that come after it.
    """
    tell("begun")
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors), sharing_vectors(vectors):
        code = cli.saber([*arguments], standalone_mode=False)
    tell(f"errors: {errors.getvalue()}")
    tell(f"{code or 0}\n{printed.getvalue()}")
