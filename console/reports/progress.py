"""A progress bar for slow work, shown on terminals only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Step = Callable[[int, int], object]
"""Called with the number that is done and the total."""


@contextmanager
def bar(what: str, *, hidden: bool = False) -> Iterator[Step]:
    """Show how far something is while the block runs, and remove the bar afterwards.

    The bar goes to stderr, so it does not mix with what a command prints. If stderr is not a
    terminal, nothing is shown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    off = hidden or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=off) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)
