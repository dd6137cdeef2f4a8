"""Plays the sessions of a run, several at a time, and continues those that were interrupted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent.context.selection import Ranker
from agent.headless.hosting import Host, MakeModel
from agent.headless.pacing import Pace
from agent.headless.plan import Place, Plan, RunError
from agent.headless.playing import play
from agent.headless.progress import OnProgress, Progress, run_jobs
from agent.headless.run_lock import run_lock
from agent.models.choosing import make_model
from sessions.events import SessionStarted
from sessions.store.errors import SessionBusy
from sessions.store.listing import SessionRow
from sessions.store.store import Store


@dataclass
class Run:
    """A plan being carried out in a session file."""

    store: Store
    plan: Plan
    concurrency: int = 4
    ranker: Ranker | None = None
    model_of: MakeModel = make_model
    on_progress: OnProgress = lambda progress: None
    retry_faults: bool = False
    """Whether sessions that ended with a fault are played again."""

    async def play(self) -> Progress:
        """Hold every session of the plan that has not ended.

        Raises RunError, StoreError, and ModelFault for text that cannot be a model's name.
        """
        with run_lock(self.store.path, self.plan.name):
            return await self._play()

    async def _play(self) -> Progress:
        places = list(self.plan.places())
        host = Host(self.store, self.plan, Pace(self.concurrency), self.model_of, self.ranker)
        await asyncio.to_thread(host.try_names, (place.model for place in places))
        held = await asyncio.to_thread(sessions_of, self.store, self.plan, self.retry_faults)
        progress = Progress(len(places))
        waiting: list[_SessionJob] = []
        for place in places:
            row = held.get(place.key)
            if row is not None and row.ended is not None:
                progress.count_before(row)
            else:
                waiting.append(_SessionJob(place, None if row is None else row.id, host, progress))
        await run_jobs(waiting, progress, self.concurrency, self.on_progress)
        return progress


@dataclass(frozen=True, slots=True)
class _SessionJob:
    """One session to hold to its end."""

    place: Place
    session: str | None
    host: Host
    progress: Progress

    async def work(self) -> None:
        try:
            held, customer = await self.host.open(self.place, self.session, self.host.plan.memory)
            self.progress.resumed += self.session is not None
            await play(held, customer)
        except SessionBusy as error:
            self.progress.leave(str(error))
            return
        self.progress.count(held.status)


Key = tuple[str, str, str, int]


def sessions_of(store: Store, plan: Plan, retry_faults: bool = False) -> dict[Key, SessionRow]:
    """The sessions that a run has had so far, by their place; the first one of each place.

    With `retry_faults`, sessions ended by a fault are ignored. Raises RunError if the run with that
    name had other settings.
    """
    settings = {arm.name: plan.settings(arm) for arm in plan.arms}
    found: dict[Key, SessionRow] = {}
    for row in store.of_run(plan.name):
        started = store.read(row.id)[0].event
        if not isinstance(started, SessionStarted) or started.run is None or row.parent:
            continue
        run = started.run
        if run.arm in settings and run.settings != settings[run.arm]:
            raise RunError(
                f"The run {plan.name} was made with other settings: another model, customer, limit "
                "or safeguard, or other records. Give this one another --name."
            )
        key = (run.arm, started.scenario or "", started.scenario_digest or "", run.trial)
        if retry_faults and row.ended == "fault":
            continue
        found.setdefault(key, row)
    return found
