"""A bar for what takes its time, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Step = Callable[[int, int], object]
"""Told how many of how many are done."""


@contextmanager
def bar(what: str, *, hidden: bool = False) -> Iterator[Step]:
    """Show how far something is while the block runs, and nothing of it afterwards.

    It is written to the error stream, so that what a command prints stays what it is; where that
    is no terminal, nothing is shown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    off = hidden or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=off) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)
