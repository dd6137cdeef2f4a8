"""Who learns in each stream, and how its memory begins."""

from __future__ import annotations

from dataclasses import dataclass

from agent.headless.hosting import Host
from agent.headless.plan import Place
from agent.memory.bank import Change
from agent.memory.beginning import begin_by_rules
from agent.memory.feedback import PolicyAgent
from agent.memory.rule_policy_agent import RulePolicyAgent
from agent.streaming.examples import ExampleKeeper
from agent.streaming.insights import RuleInsightKeeper
from agent.streaming.plan import RULES, Learning, StreamPlan


@dataclass(frozen=True, slots=True)
class Learners:
    """The policy agents of a plan's streams."""

    plan: StreamPlan
    host: Host

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models that learn."""
        return tuple({self.plan.policy_agent, self.plan.begun_by} - {RULES})

    def of(self, learning: Learning, place: Place) -> PolicyAgent:
        """Who learns in a stream from the session of this place."""
        match learning.kind:
            case "synapse":
                return ExampleKeeper()
            case "reasoningbank":
                return RuleInsightKeeper()
            case _:
                return RulePolicyAgent()

    async def begin(self, learning: Learning, place: Place) -> list[Change]:
        """What a stream's memory begins with."""
        return begin_by_rules(self.host.plan.domain) if learning.kind == "policybank" else []
