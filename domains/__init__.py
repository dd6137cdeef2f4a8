"""What can be done: tools, records, policies and scenarios, by the name of a domain."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domains.core.domain import Domain

GROUP = "saber_console.domains"
"""The entry point group in which another distribution names a function like ``retail.load``."""

_opening = RLock()
"""Held while a domain is opened: two threads that ask for one at once get the same."""


def names() -> tuple[str, ...]:
    """The domains that come with the program."""
    return ("retail", "airline")


@cache
def plugin_names() -> tuple[str, ...]:
    """The domains that other installed distributions bring; looks through all of them once."""
    from importlib.metadata import entry_points

    return tuple(sorted({each.name for each in entry_points(group=GROUP)} - set(names())))


def load(name: str, data: Path | None = None, tasks: Path | None = None) -> Domain:
    """The domain of that name, on its demo records or on those in a folder.

    ``tasks`` names a file or a folder of τ²-bench's tasks to play instead of those that lie beside
    the records. Loaded once for each choice, the records once for all of them. Raises DomainError
    for an unknown name and for unusable files; tasks are read when they are asked for.
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
