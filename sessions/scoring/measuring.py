"""The rows that statistics are made from: one per session, compared with its scenario's ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from domains.domain import Domain, DomainError
from domains.records import RecordsMoved
from sessions.events import Logged, SessionStarted
from sessions.scoring.deviating import deviations
from sessions.scoring.imported import scenario_of
from sessions.statistics.distance import Deviations
from sessions.statistics.facts import SessionFacts, session_facts
from sessions.store import Store

Load = Callable[[str, Path | None, Path | None], Domain]
"""Finds a domain by its name, on the records and with the tasks that lie there: `domains.load`."""


def measured(
    store: Store,
    load: Load,
    *,
    domain: str | None = None,
    model: str | None = None,
    data: Path | None = None,
    tasks: Path | None = None,
) -> Iterator[SessionFacts]:
    """The rows of all sessions that fit, oldest first, read one session at a time.

    A session whose records or scenario are not here, neither where they were when it was held
    nor in ``data`` and ``tasks``, has a row without deviations. Raises StoreError.
    """
    for listed in reversed(store.sessions(domain=domain, model=model)):
        events = store.read(listed.id)
        yield session_facts(events, compared(events, load, data, tasks))


def compared(
    events: Sequence[Logged], load: Load, data: Path | None = None, tasks: Path | None = None
) -> Deviations | None:
    """How a session compares with its scenario's ends; None where it cannot be told here."""
    started = events[0].event
    if not isinstance(started, SessionStarted) or started.scenario is None:
        return None
    held_on = _path(started.data), _path(started.tasks)
    for folder, given in dict.fromkeys((held_on, (data, tasks))):
        try:
            found = load(started.domain, folder, given)
            if _is_the_one(found, started, events):
                return deviations(found, scenario_of(found, started.scenario, events), events)
        except (DomainError, RecordsMoved):
            continue
    return None


def _is_the_one(found: Domain, started: SessionStarted, events: Sequence[Logged]) -> bool:
    """Whether these are the records, and this the text of the scenario, that were played."""
    scenario = scenario_of(found, started.scenario or "", events)
    same_text = started.scenario_digest in (None, scenario.digest)
    return same_text and found.records().digest == started.records_digest


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
