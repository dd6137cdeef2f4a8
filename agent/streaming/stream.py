"""Plays streams, several at a time and each in its order, and continues interrupted ones.

The session file alone says which sessions and updates are done: a session is identified by its
place in the run, an update by the outcome that it comes from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from agent.context.selection import Ranker
from agent.headless.hosting import Host, MakeModel
from agent.headless.pacing import Pace
from agent.headless.plan import Place, RunError
from agent.headless.playing import HOPELESS, Hopeless, play, with_retries
from agent.headless.progress import OnProgress, Progress, run_jobs
from agent.headless.run_lock import run_lock
from agent.headless.summary import last_fault
from agent.memory.bank import Bank
from agent.models.choosing import make_model
from agent.models.protocol import ModelFault
from agent.streaming.learning import Learners
from agent.streaming.plan import Lane, StreamPlan
from agent.streaming.remembering import StreamMemory, teaches
from sessions.events import OtherModelAsked, SessionStarted
from sessions.log import Log
from sessions.store.errors import SessionBusy
from sessions.store.listing import SessionRow
from sessions.store.store import Store

Key = tuple[str, int, int, str]
"""Arm, seed, trial and scenario, which identify a session within the run."""


@dataclass
class Stream:
    """Streams being carried out in a session file."""

    store: Store
    plan: StreamPlan
    concurrency: int = 4
    ranker: Ranker | None = None
    model_of: MakeModel = make_model
    on_progress: OnProgress = lambda progress: None

    async def play(self) -> Progress:
        """Hold every session that has not ended, and learn from each one before the next.

        Raises RunError, StoreError, and ModelFault for text that cannot be a model's name.
        """
        with run_lock(self.store.path, self.plan.name):
            return await self._play()

    async def _play(self) -> Progress:
        shared = self.plan.plan
        host = Host(self.store, shared, Pace(self.concurrency), self.model_of, self.ranker)
        learners = Learners(self.plan, host)
        await asyncio.to_thread(host.try_names, [shared.model, *learners.models])
        held = await asyncio.to_thread(sessions_of_stream, self.store, self.plan)
        lanes = list(self.plan.lanes())
        progress = Progress(sum(len(lane.places) for lane in lanes))
        for row in held.values():
            if row.ended is not None:
                progress.count_before(row)
        jobs = [_StreamJob(lane, lane.places[0], host, learners, held, progress, self.on_progress)
                for lane in lanes]  # fmt: skip
        await run_jobs(jobs, progress, self.concurrency, self.on_progress)
        return progress


class _LineFailed(Exception):
    """A session ended by a fault of network, provider or key; the message is its sentence.

    Later sessions of the stream would lack what it had to teach, so the stream stops there and that
    session is played again next time.
    """


@dataclass
class _StreamJob:
    """One stream, played from where it stands to its end."""

    lane: Lane
    place: Place
    host: Host
    learners: Learners
    held: Mapping[Key, SessionRow]
    progress: Progress
    on_progress: OnProgress

    async def work(self) -> None:
        """Play session after session; stop at one that is in use elsewhere or has failed."""
        lane, plan = self.lane, self.host.plan
        remembers = None
        if lane.learning.kind != "none":
            remembers = StreamMemory(
                self.host.store, lane.bank, plan.domain, lane.learning, plan.data, lane.keeper
            )
        try:
            for place in lane.places:
                self.place = place
                session = await self._hold(remembers)
                self.on_progress(self.progress)
                if remembers is not None:
                    await self._learn(remembers, session)
        except (SessionBusy, _LineFailed) as error:
            self.progress.leave(str(error))
        except ModelFault as fault:
            if fault.kind in HOPELESS:
                raise Hopeless(fault.sentence) from fault
            self.progress.leave(fault.sentence)

    async def _hold(self, remembers: StreamMemory | None) -> str:
        """Hold the session of the current place to its end, and return its id."""
        row = self.held.get(key_of(self.place))
        if row is not None and row.ended is not None:
            return row.id
        bank, cost = (None, []) if remembers is None else await self._bank(remembers)
        held, customer = await self.host.open(self.place, None if row is None else row.id, bank)
        await held.log.append(*cost)
        self.progress.resumed += row is not None
        await play(held, customer)
        if held.status.ended == "fault":
            raise _LineFailed(last_fault(held.log.events))
        self.progress.count(held.status)
        return held.log.session

    async def _bank(self, remembers: StreamMemory) -> tuple[Bank, list[OtherModelAsked]]:
        """The stream's memory as it is now, and the cost of beginning it if it is new."""
        bank = await asyncio.to_thread(remembers.open)
        if bank is not None:
            return bank, []
        entries, cost = await self.learners.begin(self.lane.learning, self.place)
        return await asyncio.to_thread(remembers.begin, entries), cost

    async def _learn(self, remembers: StreamMemory, session: str) -> None:
        """Make the update that follows the current place, unless there is none or it is done."""
        scenario = self.place.scenario
        if not teaches(remembers.learning, scenario):
            return
        log = await Log.open(self.host.store, session)
        bank, _ = await self._bank(remembers)
        agent = await self.learners.of(remembers.learning, self.place, log)

        async def learn() -> None:
            await remembers.learn(bank, log.events, scenario, agent)

        await with_retries(learn, learn)


def key_of(place: Place) -> Key:
    """The key that identifies a place within its run."""
    run = place.run
    return run.arm, run.run_seed or 0, run.trial, place.scenario.id


def sessions_of_stream(
    store: Store, plan: StreamPlan, *, as_recorded: bool = False
) -> dict[Key, SessionRow]:
    """The sessions that a plan's streams have had so far, the first one of each place.

    Sessions ended by a fault of the line are not included.

    Raises RunError if the run with that name had other settings, or if one of its sessions was
    imported from another file. With ``as_recorded``, for a plan rebuilt from the logs, neither is
    checked: such a plan lacks the tasks still to come.
    """
    wanted = {key_of(place) for lane in plan.lanes() for place in lane.places}
    settings = {each.name: plan.settings[each] for each in plan.learnings}
    found: dict[Key, SessionRow] = {}
    for row in store.of_run(plan.name):
        if not as_recorded and store.foreign_origin(row.id) is not None:
            raise RunError(
                f"Sessions of the run {plan.name} were imported from another file, and a stream "
                "learns only from what is recorded here. Give this one another --name."
            )
        started = store.read(row.id)[0].event
        if not isinstance(started, SessionStarted) or started.run is None or row.parent:
            continue
        run = started.run
        other = run.settings != settings.get(run.arm, run.settings) and not as_recorded
        if run.stream is None or other:
            raise RunError(
                f"The run {plan.name} was made with other settings: other tasks, another model, "
                "customer, policy agent, limit or safeguard, or other records. Give this one "
                "another --name."
            )
        key = (run.arm, run.run_seed or 0, run.trial, started.scenario or "")
        if key in wanted and row.ended != "fault":
            found.setdefault(key, row)
    return found
