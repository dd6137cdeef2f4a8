"""Labels the sessions of a recorded run, to find the tasks in focus."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from agent.control.conflict import ConflictLabel, label_by_model, label_by_person, label_by_rules
from agent.control.focus import FocusSet, Trial, in_focus
from agent.models.protocol import ChatModel
from domains.core.domain import Domain
from sessions.events import Logged, OtherModelAsked
from sessions.scoring import sources
from sessions.store.store import Store
from sessions.views import SessionStatus, status


class NothingToLabel(Exception):
    """The run has no sessions that a focus set can be made from; the message says why."""


async def label_run(
    store: Store,
    run: str,
    judge: ChatModel | None = None,
    *,
    data: Path | None = None,
    tasks: Path | None = None,
) -> FocusSet:
    """The focus set of a run without routed control.

    A person's label takes precedence, then the judge's if there is one, then the rules'. Raises
    NothingToLabel, ModelFault if the judge gives no answer, and DomainError.
    """
    logs = [store.read(each.id) for each in store.of_run(run) if each.status == "ended"]
    held = [status(each) for each in logs]
    if not logs:
        raise NothingToLabel(f"No session of a run called {run} has ended in {store.path}.")
    if any(each.safeguards.control == "routed" for each in held):
        raise NothingToLabel(f"{run} was made with routed control; a baseline is made without it.")
    trials = [
        await _trial(store, log, one, judge, data, tasks)
        for log, one in zip(logs, held, strict=True)
        if one.scenario is not None
    ]
    return FocusSet(
        domain=held[0].domain,
        run=run,
        tasks=in_focus(trials),
        of=len({each.task for each in trials}),
        sessions=tuple(map(asdict, trials)),
    )


async def _trial(
    store: Store,
    log: list[Logged],
    held: SessionStatus,
    judge: ChatModel | None,
    data: Path | None,
    tasks: Path | None,
) -> Trial:
    label = label_by_person(log)
    if label is None and judge is not None:
        label = await _label_of_judge(store, log, held, judge)
    if label is None:
        domain: Domain = sources.load_domain_of_session(held, data, tasks)
        label = label_by_rules(domain, log)
    return Trial(held.scenario or "", held.session, label.conflict, label.by, label.why)


async def _label_of_judge(
    store: Store, log: list[Logged], held: SessionStatus, judge: ChatModel
) -> ConflictLabel:
    async def record(asked: OtherModelAsked) -> None:
        store.append(held.session, [asked])

    return await label_by_model(judge, log, record)
