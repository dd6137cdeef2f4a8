"""A command of ``saber`` that is shot in the kill test; tells ``ready``, at its end ``done``."""

from __future__ import annotations

import contextlib
import io

from console import cli
from tests.agent.victims import Tell


def run(tell: Tell, words: tuple[str, ...]) -> None:
    """Carry a command out; what it prints is nobody's."""
    tell("ready")
    with contextlib.redirect_stdout(io.StringIO()):
        cli.saber(words, standalone_mode=False)
    tell("done")
