"""Chooses who learns in each stream, and how its memory begins."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent.headless.hosting import Host
from agent.headless.plan import Place
from agent.memory.beginning import begin_by_rules
from agent.memory.change import Change
from agent.memory.feedback import PolicyAgent
from agent.memory.model_policy_agent import ModelPolicyAgent
from agent.memory.rule_policy_agent import RulePolicyAgent
from agent.models.protocol import ChatModel
from agent.streaming.examples import ExampleKeeper
from agent.streaming.insights import RuleInsightKeeper
from agent.streaming.model_insights import ModelInsightKeeper
from agent.streaming.plan import RULES, Learning, StreamPlan
from sessions.events import OtherModelAsked
from sessions.log import Log


@dataclass(frozen=True, slots=True)
class Learners:
    """The policy agents of a plan's streams; models keep to the pace that all sessions share."""

    plan: StreamPlan
    host: Host

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models that learn."""
        return tuple({self.plan.policy_agent, self.plan.begun_by} - {RULES})

    async def of(self, learning: Learning, place: Place, log: Log) -> PolicyAgent:
        """The policy agent that learns from this place's session, whose log records its cost."""
        if learning.kind == "synapse":
            return ExampleKeeper()
        if self.plan.policy_agent == RULES:
            by_rules: dict[str, PolicyAgent] = {"reasoningbank": RuleInsightKeeper()}
            return by_rules.get(learning.kind, RulePolicyAgent())
        model = await self._model(self.plan.policy_agent, place)
        if learning.kind == "reasoningbank":
            return ModelInsightKeeper(model, log.append)
        return ModelPolicyAgent(model, log.append)

    async def begin(
        self, learning: Learning, place: Place
    ) -> tuple[list[Change], list[OtherModelAsked]]:
        """The initial entries of a stream's memory, and their cost, as there is no session log yet.

        Raises ModelFault, and MemoryRefused if a model's answer is not a usable memory.
        """
        if learning.kind != "policybank":
            return [], []
        if self.plan.begun_by == RULES:
            return begin_by_rules(self.host.plan.domain), []
        cost: list[OtherModelAsked] = []

        async def keep(asked: OtherModelAsked) -> None:
            cost.append(asked)

        agent = ModelPolicyAgent(await self._model(self.plan.begun_by, place), keep)
        return await agent.begin(self.host.plan.domain), cost

    async def _model(self, name: str, place: Place) -> ChatModel:
        return await asyncio.to_thread(self.host.model_maker(place), name)
