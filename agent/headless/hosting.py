"""Opens the sessions of a plan: starts new ones and resumes those that have begun."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agent.auxiliary.other_models import Recorder
from agent.context.selection import Ranker
from agent.headless.pacing import Pace, PacedModel
from agent.headless.plan import Place, Plan
from agent.memory.bank import Bank
from agent.models.protocol import ChatModel
from agent.session.conversation import Conversation
from agent.session.wording import wording_of
from agent.simulated.customer import AtTheGate, Customer
from agent.simulated.making import BY_CODE, make_customer
from agent.simulated.speaking import split_manner
from sessions.events import Record
from sessions.store.store import Store

MakeModel = Callable[[str], ChatModel]


@dataclass(frozen=True, slots=True)
class Host:
    """Brings the agent and the customer of a session together; all sessions share one pace."""

    store: Store
    plan: Plan
    pace: Pace
    model_of: MakeModel
    ranker: Ranker | None = None

    def try_names(self, agents: Iterable[str]) -> None:
        """Check before the first session that every name is a model's and the wording is installed.

        Raises ModelFault and DomainError.
        """
        customer, _ = split_manner(self.plan.customer)
        names = {*agents, self.plan.auxiliary, customer}
        for name in sorted(each for each in names if each is not None and each not in BY_CODE):
            self.model_of(name)
        wording_of(self.plan.domain, self.plan.requests)

    async def open(
        self, place: Place, session: str | None, memory: Bank | None
    ) -> tuple[Conversation, Customer]:
        """The session of a place: a new one with `memory`, or `session` resumed with its own.

        Raises SessionBusy if another program has the session open.
        """
        model = await asyncio.to_thread(self.model_maker(place), place.model)
        recorder = Recorder()
        customer = await self._customer(place, recorder)
        gate = AtTheGate(customer)
        aux = self.plan.auxiliary
        auxiliary = None if aux is None else await asyncio.to_thread(self.model_maker(place), aux)
        if session is not None:
            held = await Conversation.resume(
                self.store, session, self.plan.domain, model, gate,
                auxiliary=auxiliary, ranker=self.ranker,
            )  # fmt: skip
        else:
            held = await self._start(place, model, gate, auxiliary, memory)
        gate.listen(held.log.events)
        recorder.log = held.log
        return held, customer

    def model_maker(self, place: Place) -> MakeModel:
        """A factory for models that keep to the shared pace and use the place's own seed."""
        return lambda name: PacedModel(self.model_of(name), self.pace, place.run.seed)

    async def _customer(self, place: Place, record: Record) -> Customer:
        safeguards = place.arm.safeguards
        return await asyncio.to_thread(
            make_customer,
            self.plan.customer,
            self.plan.domain,
            place.scenario,
            record,
            model_of=self.model_maker(place),
            sees_cards=safeguards.gate and safeguards.after_feedback == "confirm",
        )

    async def _start(
        self,
        place: Place,
        model: ChatModel,
        gate: AtTheGate,
        auxiliary: ChatModel | None,
        memory: Bank | None,
    ) -> Conversation:
        return await Conversation.start(
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
            memory=memory,
        )
