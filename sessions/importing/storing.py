"""Import runs and sessions into a session file, each one completely or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from domains.core.domain import Domain, DomainError
from sessions.cleaning import clean
from sessions.events import Safeguards, SessionStarted
from sessions.importing import session_files
from sessions.importing.domain_check import is_unknown, refuse_other_domain, tools_of_task
from sessions.importing.replaying import Replay, Tally
from sessions.importing.runs import LeftOut, Run
from sessions.store.errors import ImportRefused
from sessions.store.store import Store

NO_SAFEGUARDS = Safeguards(gate=False, reflection=False, context=False)
"""The safeguards that a run of another program had: none of ours."""


@dataclass(slots=True)
class Report:
    """The result of importing a file."""

    sessions: list[str] = field(default_factory=list)
    """The ids of the sessions that were added."""

    already: int = 0
    """The number of runs or sessions that were already there."""

    left_out: list[LeftOut] = field(default_factory=list)
    checked_otherwise: list[Run] = field(default_factory=list)
    """Runs whose recorded checks belong to another task than the one they name."""

    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Origin:
    """The facts that all sessions of one file share."""

    file: Path
    data: Path | None
    program: str


def import_runs(
    store: Store, found: Iterable[Run | LeftOut], domain: Domain, origin: Origin
) -> Report:
    """Record every run as a session, unless it has been imported before.

    All runs are checked before the first is recorded. A run that cannot be turned into a session is
    left out. Raises ImportRefused if none can, or if the runs belong to another domain, and
    StoreError.
    """
    looked_at = list(found)
    refuse_other_domain([run for run in looked_at if isinstance(run, Run)], domain, origin.file)
    report, there = Report(), store.imported_digests()
    starts = [_start(run, domain, origin) for run in looked_at]
    report.left_out = [each for each in starts if isinstance(each, LeftOut)]
    if starts and len(report.left_out) == len(starts):
        first = report.left_out[0]
        raise ImportRefused(
            f"No run of {origin.file} can be imported. The first: {first.original}: {first.why}."
        )
    for run, started in zip(looked_at, starts, strict=True):
        if isinstance(run, LeftOut) or isinstance(started, LeftOut):
            continue
        if run.checks_of:
            report.checked_otherwise.append(run)
        if run.digest in there:
            report.already += 1
        else:
            there.add(run.digest)
            name = clean(origin.file.name)
            replay = Replay(domain, run, name, report.tally)
            report.sessions.append(store.record([started, *replay.events()], name))
    return report


def import_sessions(store: Store, path: Path) -> Report:
    """Import the sessions of one of our own files under their own ids, skipping those already here.

    The whole file is verified before anything is imported. Raises ImportRefused and StoreError.
    """
    for _ in session_files.sessions(path):
        pass
    report = Report()
    for session in session_files.sessions(path):
        if store.import_session(session.log, session.rows, clean(path.name)):
            report.sessions.append(session.rows[0].session_id)
        else:
            report.already += 1
    return report


def _start(run: Run | LeftOut, domain: Domain, origin: Origin) -> SessionStarted | LeftOut:
    if isinstance(run, LeftOut):
        return run
    missing = [name for name in tools_of_task(run) if is_unknown(name, domain)]
    if missing:
        why = (
            f"its task expects a call of {clean(missing[0])[:40]}, which {domain.name} does not "
            "have"
        )
        return LeftOut(run.original, why)
    try:
        return _session_start(run, domain, origin)
    except DomainError as error:
        return LeftOut(run.original, str(error).rstrip("."))


def _session_start(run: Run, domain: Domain, origin: Origin) -> SessionStarted:
    from domains.tau2 import tasks as tau2_tasks

    task = None if run.task is None else tau2_tasks.task_from_run(run.task, domain, run.source)
    return SessionStarted(
        domain=domain.name,
        source=domain.base.source,
        data=None if origin.data is None else str(origin.data),
        scenario=None if task is None else task.id,
        scenario_digest=None if task is None else task.digest,
        model=run.model,
        safeguards=NO_SAFEGUARDS,
        max_turns=run.most_turns,
        program=origin.program,
        policy_digest=domain.policy_digest,
        tools_digest=domain.tools_digest,
        records_digest=domain.records().digest,
    )
