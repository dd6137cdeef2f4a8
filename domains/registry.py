"""Finds a domain by name and loads it; other distributions can register more.

A third domain goes into a folder of its own beside ``retail`` and ``airline``, with a function
``load(data)`` that returns a :class:`~domains.core.domain.Domain`; it is named here, or in the
entry point group of another distribution. The clerk serves it by the tools' schemas until it has
skills for it (a folder in ``agent/clerk``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domains.core.domain import Domain

GROUP = "saber_console.domains"
"""The entry point group in which another distribution registers a loader like ``retail.load``."""

_opening = RLock()
"""Held while a domain is loaded, so that two threads asking for the same one get one object."""


def names() -> tuple[str, ...]:
    """The names of the domains that come with the program."""
    return ("retail", "airline")


@cache
def plugin_names() -> tuple[str, ...]:
    """The names of the domains that other installed distributions provide, scanned once."""
    from importlib.metadata import entry_points

    return tuple(sorted({each.name for each in entry_points(group=GROUP)} - set(names())))


def load(name: str, data: Path | None = None, tasks: Path | None = None) -> Domain:
    """Return the named domain, on its demo records or on the records in the folder ``data``.

    ``tasks`` is a file or folder of τ²-bench tasks to play in place of those beside the records.
    Each combination of arguments is loaded once, and the records once for all values of ``tasks``.
    Raises DomainError for an unknown name and for unusable files. Tasks are not read until they are
    needed.
    """
    folder = None if data is None else data.absolute()
    with _opening:
        return _with_tasks(name, folder, None if tasks is None else tasks.absolute())


@cache
def _with_tasks(name: str, data: Path | None, tasks: Path | None) -> Domain:
    loaded = _load(name, data)
    if tasks is None:
        return loaded
    from dataclasses import replace
    from functools import partial

    from domains.tau2 import tasks as tau2_tasks

    return replace(loaded, read_scenarios=partial(tau2_tasks.read_tasks, tasks, data))


@cache
def _load(name: str, data: Path | None) -> Domain:
    from domains.core.domain import DomainError

    if name == "retail":
        from domains import retail

        return retail.load(data)
    if name == "airline":
        from domains import airline

        return airline.load(data)
    if name in plugin_names():
        return _plugin(name)(data)
    known = ", ".join((*names(), *plugin_names()))
    raise DomainError(f"There is no domain {name!r}; there are: {known}.")


def _plugin(name: str) -> Callable[[Path | None], Domain]:
    from importlib.metadata import entry_points

    found: Callable[[Path | None], Domain] = entry_points(group=GROUP)[name].load()
    return found
