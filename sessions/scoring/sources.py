"""Locate the records and tasks of a recorded session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from domains import load
from domains.core.domain import Domain, DomainError
from sessions.views import SessionStatus


def load_domain_of_session(held: SessionStatus, data: Path | None, tasks: Path | None) -> Domain:
    """Load the domain of a session from its original folder, or else from the one given now.

    The original folder is tried first, then ``data``; the first that has exactly the session's
    records is returned. If none has, the domain of the first folder is. Tasks whose original folder
    is gone are read from ``tasks``. Raises DomainError if the first folder cannot be loaded and no
    other matches.
    """
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
