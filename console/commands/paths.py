"""The type for files and folders on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class Named(click.Path):
    """A path that need not exist; an empty one is refused, as it would be the working directory."""

    def __init__(self) -> None:
        """Accept files and folders alike; the command itself checks what it needs."""
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Convert the path; an empty one or a NUL character is refused."""
        if not str(value):
            self.fail("its name is empty; give one.", param, ctx)
        if "\0" in str(value):
            self.fail("a name cannot contain a NUL character; give another.", param, ctx)
        return Path(value)
