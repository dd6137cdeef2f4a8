"""Detect runs that were checked against another task than the one they name.

They are recognised by the calls that each task of a file lists. Two published files hold such runs;
their recorded rewards say nothing about what was requested of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domains.core.canonical import canonical

Calls = Iterable[tuple[str, Any]]
"""Tool names, each with its arguments."""


class CallsByTask:
    """The calls that each task of a file lists."""

    def __init__(self) -> None:
        self._tasks: dict[str, set[str]] = {}

    def add(self, task: str, calls: Calls) -> None:
        """Register the calls that a task lists."""
        self._tasks.setdefault(_text(calls), set()).add(task)

    def other_task_checked(self, task: str, checked: Calls) -> str:
        """The task whose calls were checked if it is not ``task``; otherwise empty.

        Also empty if no calls were checked, since such a run could belong to any task.
        """
        text = _text(checked)
        owners = self._tasks.get(text, set())
        return "" if text == _text(()) or task in owners or not owners else min(owners)


def _text(calls: Calls) -> str:
    return canonical([[name, arguments] for name, arguments in calls])
