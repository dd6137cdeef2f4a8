"""Whose checks a run was given its reward by, told from the calls that each task of a file lists.

Two published files hold runs that were checked against another task than the one they name: their
recorded rewards say nothing of what was asked of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domains.core.canonical import canonical

Calls = Iterable[tuple[str, Any]]
"""Names of tools, each with arguments."""


class Listed:
    """The calls that the tasks of a file list."""

    def __init__(self) -> None:
        self._tasks: dict[str, set[str]] = {}

    def add(self, task: str, calls: Calls) -> None:
        """Note what a task lists."""
        self._tasks.setdefault(_text(calls), set()).add(task)

    def other(self, task: str, checked: Calls) -> str:
        """The task whose calls were checked, where that is another than this; else nothing.

        A run that was checked for no call at all may be any task's.
        """
        text = _text(checked)
        owners = self._tasks.get(text, set())
        return "" if text == _text(()) or task in owners or not owners else min(owners)


def _text(calls: Calls) -> str:
    return canonical([[name, arguments] for name, arguments in calls])
