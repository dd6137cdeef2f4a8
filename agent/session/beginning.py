"""What is recorded about the program and its files when a session starts."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from pathlib import Path


def place(path: Path | None) -> str | None:
    """The path as absolute text, valid from whatever folder the program is next run in."""
    return None if path is None else str(path.absolute())


@cache
def program_version() -> str:
    """The program's version, for the log; read from a file once."""
    return version("saber-console")
