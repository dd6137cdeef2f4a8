"""Plays the sessions of a run, so many at a time; what a kill cut short is gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from agent.auxiliary.other_models import Recorder
from agent.context.selection import Ranker
from agent.headless.pacing import Pace, PacedModel
from agent.headless.plan import Place, Plan, RunError
from agent.headless.playing import Hopeless, play
from agent.headless.run_lock import run_lock
from agent.models.choosing import make_model
from agent.models.protocol import ChatModel
from agent.session.conversation import Conversation
from agent.session.wording import wording_of
from agent.simulated.customer import AtTheGate, Customer
from agent.simulated.making import BY_CODE, make_customer
from agent.simulated.speaking import split_manner
from sessions.events import Record, SessionStarted
from sessions.scoring.trajectory import COUNTED_ENDINGS, ENDINGS
from sessions.store.errors import SessionBusy, StoreError
from sessions.store.listing import SessionRow
from sessions.store.store import Store
from sessions.views import SessionStatus

MakeModel = Callable[[str], ChatModel]


@dataclass(frozen=True, slots=True)
class Lost:
    """A session that an error cost which nobody foresaw; it is left open."""

    place: Place
    error: Exception


@dataclass
class Progress:
    """How far a run is; the same object throughout, told of again after every change."""

    sessions: int
    finished: int = 0
    """Those that had ended before included."""

    before: int = 0
    """How many had ended before the run was begun or taken up again."""

    resumed: int = 0
    succeeded: int = 0
    faults: int = 0
    """Sessions that a fault of the line ended."""

    under_way: int = 0
    left: list[str] = field(default_factory=list)
    """Why sessions were left unfinished, in sentences, each once."""

    lost: list[Lost] = field(default_factory=list)
    """Sessions that an error of the program's own cost; each error cost its own and no other."""

    def leave(self, sentence: str) -> None:
        """Say why a session was left."""
        if sentence not in self.left:
            self.left.append(sentence)

    def count(self, held: SessionStatus) -> None:
        """Take a session in that has ended."""
        self.finished += 1
        self.faults += held.ended == "fault"
        self.succeeded += _came_out_right(held.scored.reward if held.scored else None, held.ended)


def _came_out_right(reward: float | None, ended: str | None) -> bool:
    """Our verdict, which a session that was stopped at a limit never has."""
    return reward == 1 and ENDINGS.get(ended or "") in COUNTED_ENDINGS


OnProgress = Callable[[Progress], None]


@dataclass
class Run:
    """A plan that is being carried out in a session file."""

    store: Store
    plan: Plan
    concurrency: int = 4
    ranker: Ranker | None = None
    model_of: MakeModel = make_model
    on_progress: OnProgress = lambda progress: None
    retry_faults: bool = False
    """Whether sessions that a fault ended are played anew."""

    def __post_init__(self) -> None:
        self._pace = Pace(self.concurrency)

    async def play(self) -> Progress:
        """Hold every session of the plan that has not ended.

        Raises RunError, StoreError, and ModelFault for what cannot be a model's name.
        """
        with run_lock(self.store.path, self.plan.name):
            return await self._play()

    async def _play(self) -> Progress:
        places = list(self.plan.places())
        await asyncio.to_thread(self._try_names, places)
        held = await asyncio.to_thread(sessions_of, self.store, self.plan, self.retry_faults)
        progress = Progress(len(places))
        waiting: list[tuple[Place, str | None]] = []
        for place in places:
            row = held.get(place.key)
            if row is not None and row.ended is not None:
                progress.before += 1
                progress.finished += 1
                progress.succeeded += _came_out_right(row.reward, row.ended)
                progress.faults += row.ended == "fault"
            else:
                waiting.append((place, None if row is None else row.id))
        self.on_progress(progress)
        await self._work_off(waiting, progress)
        return progress

    def _try_names(self, places: Iterable[Place]) -> None:
        """Find out before the first session whether every name is one, and the wording is here."""
        customer, _ = split_manner(self.plan.customer)
        names = {place.model for place in places} | {self.plan.auxiliary, customer}
        for name in sorted(each for each in names if each is not None and each not in BY_CODE):
            self.model_of(name)
        wording_of(self.plan.domain, self.plan.requests)

    async def _work_off(
        self, waiting: Iterable[tuple[Place, str | None]], progress: Progress
    ) -> None:
        """So many workers at a time take the next session until there is none or no hope."""
        queue = iter(waiting)
        hopeless = asyncio.Event()

        async def work() -> None:
            for place, session in queue:
                if hopeless.is_set():
                    return
                progress.under_way += 1
                self.on_progress(progress)
                try:
                    await self._hold(place, session, progress)
                except Hopeless as error:
                    hopeless.set()
                    progress.leave(str(error))
                except StoreError:
                    raise
                except Exception as error:  # told when the run is over; other sessions go on
                    progress.lost.append(Lost(place, error))
                finally:
                    progress.under_way -= 1
                    self.on_progress(progress)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.concurrency):
                    group.create_task(work())
        except* StoreError as failed:
            raise failed.exceptions[0] from None

    async def _hold(self, place: Place, session: str | None, progress: Progress) -> None:
        model = await asyncio.to_thread(self._model_maker(place), place.model)
        recorder = Recorder()
        customer = await self._customer(place, recorder)
        try:
            held = await self._open(place, session, model, customer)
            recorder.log = held.log
            progress.resumed += session is not None
            await play(held, customer)
        except SessionBusy as error:
            progress.leave(str(error))
            return
        progress.count(held.status)

    async def _customer(self, place: Place, record: Record) -> Customer:
        safeguards = place.arm.safeguards
        return await asyncio.to_thread(
            make_customer,
            self.plan.customer,
            self.plan.domain,
            place.scenario,
            record,
            model_of=self._model_maker(place),
            sees_cards=safeguards.gate and safeguards.after_feedback == "confirm",
        )

    def _model_maker(self, place: Place) -> MakeModel:
        return lambda name: PacedModel(self.model_of(name), self._pace, place.run.seed)

    async def _open(
        self, place: Place, session: str | None, model: ChatModel, customer: Customer
    ) -> Conversation:
        gate = AtTheGate(customer)
        aux = self.plan.auxiliary
        auxiliary = None if aux is None else await asyncio.to_thread(self._model_maker(place), aux)
        if session is not None:
            held = await Conversation.resume(
                self.store, session, self.plan.domain, model, gate,
                auxiliary=auxiliary, ranker=self.ranker,
            )  # fmt: skip
        else:
            held = await Conversation.start(
                self.store,
                self.plan.domain,
                model,
                gate,
                scenario=place.scenario,
                safeguards=place.arm.safeguards,
                data=self.plan.data,
                tasks=self.plan.tasks,
                auxiliary=auxiliary,
                ranker=self.ranker,
                max_turns=self.plan.max_turns,
                limits=self.plan.limits,
                requests=self.plan.requests,
                run=place.run,
                memory=self.plan.memory,
            )
        gate.listen(held.log.events)
        return held


Key = tuple[str, str, str, int]


def sessions_of(store: Store, plan: Plan, retry_faults: bool = False) -> dict[Key, SessionRow]:
    """The sessions that a run has had so far, by their place in it; the first of each.

    With `retry_faults` those that a fault ended count for nothing. Raises RunError where the run
    of that name was held with other settings.
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
                f"The run {plan.name} was held with other settings: with another model, customer, "
                "limit or safeguard, or on other records. Give this one another --name."
            )
        key = (run.arm, started.scenario or "", started.scenario_digest or "", run.trial)
        if retry_faults and row.ended == "fault":
            continue
        found.setdefault(key, row)
    return found
