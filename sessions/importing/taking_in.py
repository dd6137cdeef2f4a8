"""Putting runs and sessions into a session file, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from domains.domain import Domain
from sessions.cleaning import clean
from sessions.events import Safeguards, SessionStarted
from sessions.importing import own
from sessions.importing.replaying import Replay, Tally
from sessions.importing.runs import LeftOut, Run
from sessions.store import Store

NO_SAFEGUARDS = Safeguards(gate=False, reflection=False, context=False)
"""What another program's run had of ours."""


@dataclass(slots=True)
class Report:
    """What became of a file."""

    sessions: list[str] = field(default_factory=list)
    """The ids of the sessions that were recorded."""

    already: int = 0
    """Runs or sessions that were there before."""

    left_out: list[LeftOut] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Origin:
    """What the sessions of one file have in common."""

    file: Path
    data: Path | None
    program: str


def take_in_runs(
    store: Store, found: Iterable[Run | LeftOut], domain: Domain, origin: Origin
) -> Report:
    """Record every run as a session, unless it is there already.

    All are looked at before the first is recorded. Raises ImportRefused for a run that is not
    what it claims to be, DomainError for its task, and StoreError.
    """
    report = Report()
    there = store.imported()
    sound = [(run, _start(run, domain, origin)) for run in found]
    for run, started in sound:
        if isinstance(run, LeftOut) or started is None:
            report.left_out += [run] if isinstance(run, LeftOut) else []
        elif run.digest in there:
            report.already += 1
        else:
            there.add(run.digest)
            replay = Replay(domain, run, clean(origin.file.name), report.tally)
            report.sessions.append(store.record([started, *replay.events()]))
    return report


def take_in_sessions(store: Store, path: Path) -> Report:
    """Keep the sessions of one of our own files, under their own ids; those here already stay.

    The whole file is looked at before anything of it is kept. Raises ImportRefused and StoreError.
    """
    for _ in own.sessions(path):
        pass
    report = Report()
    for session in own.sessions(path):
        if store.take_in(session.log, session.rows):
            report.sessions.append(session.rows[0].session_id)
        else:
            report.already += 1
    return report


def _start(run: Run | LeftOut, domain: Domain, origin: Origin) -> SessionStarted | None:
    return None if isinstance(run, LeftOut) else _started(run, domain, origin)


def _started(run: Run, domain: Domain, origin: Origin) -> SessionStarted:
    from domains import tau2_tasks

    task = None if run.task is None else tau2_tasks.carried(run.task, domain, run.source)
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
