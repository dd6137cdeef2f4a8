"""Files and folders that the command line names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class Named(click.Path):
    """A path, there or not; an empty one would be the folder in which one happens to be."""

    def __init__(self) -> None:
        """What it has to be is for the command to say."""
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path."""
        if not str(value):
            self.fail("its name is empty; give one.", param, ctx)
        if "\0" in str(value):
            self.fail("no name has a NUL character in it; give another.", param, ctx)
        return Path(value)
