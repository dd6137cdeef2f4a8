"""Build the rows for statistics: one per session, compared with the ends of its scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from domains.core.domain import Domain, DomainError, Scenario
from domains.core.records import RecordsMismatch
from sessions.events import Logged, Reviewed, SessionStarted
from sessions.scoring.card_calls import wrong_cards
from sessions.scoring.deviating import deviations
from sessions.scoring.imported import scenario_of
from sessions.statistics.distance import Deviations
from sessions.statistics.facts import SessionFacts, session_facts
from sessions.store.errors import StoreError
from sessions.store.store import Store

Load = Callable[[str, Path | None, Path | None], Domain]
"""Loads a domain by name, with records and tasks from these paths: `domains.load`."""


def measure_sessions(
    store: Store,
    load: Load,
    *,
    domain: str | None = None,
    model: str | None = None,
    data: Path | None = None,
    tasks: Path | None = None,
    left_out: Callable[[str], object] = lambda sentence: None,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> Iterator[SessionFacts]:
    """Yield a row for each matching session, oldest first, reading one session at a time.

    A session's records and scenario are looked for where they were when it was played, then in
    ``data`` and ``tasks``. If they are in neither place, its row has no deviations. A session whose
    log cannot be read has no row, and ``left_out`` is called with the reason as a sentence.
    ``progress`` is called with the number of sessions done and the total. Raises StoreError if the
    file cannot be read.
    """
    ids = [listed.id for listed in reversed(store.sessions(domain=domain, model=model))]
    for done, events in enumerate(store.logs(ids), 1):
        if isinstance(events, StoreError):
            left_out(str(events))
        else:
            deviating, wrong = compare_with_ends(events, load, data, tasks) or (None, None)
            yield session_facts(events, deviating, wrong)
        progress(done, len(ids))


def compare_with_ends(
    events: Sequence[Logged], load: Load, data: Path | None = None, tasks: Path | None = None
) -> tuple[Deviations, dict[str, bool]] | None:
    """Compare a session with its scenario's ends, and find which of its reviewed cards are wrong.

    None if the scenario or the records are not available here.
    """
    started = events[0].event
    if not isinstance(started, SessionStarted) or started.scenario is None:
        return None
    held_on = _path(started.data), _path(started.tasks)
    for folder, given in dict.fromkeys((held_on, (data, tasks))):
        try:
            found = load(started.domain, folder, given)
            scenario = scenario_of(found, started.scenario, events)
            if _is_same_as_played(found, scenario, started):
                wrong = wrong_cards(found, scenario, events, _ids_of_reviewed_cards(events))
                return deviations(found, scenario, events), wrong
        except (DomainError, RecordsMismatch):
            continue
    return None


def _ids_of_reviewed_cards(events: Sequence[Logged]) -> set[str]:
    return {each.event.card_id for each in events if isinstance(each.event, Reviewed)}


def _is_same_as_played(found: Domain, scenario: Scenario, started: SessionStarted) -> bool:
    """Whether the records and the text of the scenario are the ones that were played."""
    same_text = started.scenario_digest in (None, scenario.digest)
    return same_text and found.records().digest == started.records_digest


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)
