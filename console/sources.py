"""Where records and tasks are: what ``--data`` names, and where a session had its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from console.setup import whole

if TYPE_CHECKING:
    from domains.core.domain import Domain
    from sessions.views import SessionStatus

DEMO = "demo"
"""What names the demo records, whatever TAU2_DATA_DIR says."""

INSTALLED = "tau2"
"""What names the data of the τ²-bench that is installed beside this program."""


def named(data: str) -> Path | None:
    """The folder that ``--data`` names, or None for the demo records; raises DomainError.

    A folder that is called like one of the two other choices is what is meant.
    """
    folder = Path(data)
    if data == INSTALLED and not folder.is_dir():
        from domains.tau2 import data as tau2

        return tau2.installed()
    return None if data == DEMO and not folder.is_dir() else whole(folder)


def held_on(held: SessionStatus, data: Path | None, tasks: Path | None) -> Domain:
    """The domain that a session was held on, where it was then, or else where it is now said to be.

    Of the folder it had and the one in ``data``, the first with the very records is taken; tasks
    that are gone are looked for in ``tasks``. Raises DomainError.
    """
    from domains import load
    from domains.core.domain import DomainError

    missed: list[Domain | DomainError] = []
    for folder in _folders(held, data):
        try:
            domain = load(held.domain, folder, _tasks(held, tasks))
        except DomainError as error:
            missed.append(error)
            continue
        if domain.records().digest == held.records_digest:
            return domain
        missed.append(domain)
    if isinstance(missed[0], DomainError):
        raise missed[0]
    return missed[0]


def _folders(held: SessionStatus, data: Path | None) -> Iterator[Path | None]:
    then = Path(held.data) if held.data else None
    yield then
    if data is not None and data != then:
        yield data


def _tasks(held: SessionStatus, tasks: Path | None) -> Path | None:
    then = Path(held.tasks) if held.tasks else None
    return tasks if tasks is not None and then is not None and not then.exists() else then
