"""What an agent that learns is told of a session, and who learns from it.

(PolicyBank, section 4, memory maintenance: a reward, or a reward and an explanation; section 5: an
oracle that says how the policy is to be understood. A person's own reasons are ours.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from agent.memory.bank import Bank, Change
from agent.memory.evidence import Evidence, evidence, outcome
from domains.core.domain import Domain, Scenario
from sessions.events import Logged, Scored

Regime = Literal["person", "reward", "explanation", "oracle"]
"""Whose word is heard: a person's decisions, labels and the score; the reward alone; the reward
and what the agent should have done; how the policy is to be understood."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody says of a session; where there is no evidence, nothing may be learned."""

    regime: Regime
    reward: float | None = None
    """Of 0 to 1; None where the session was not scored, or nobody tells."""

    explanation: str = ""
    """What the agent should have done, as somebody who judged the conversation says."""

    clarification: str = ""
    """How the policy is to be understood, as somebody who knows says."""

    evidence: tuple[Evidence, ...] = ()
    """What the session's log holds of it: whatever is learned points at one of these."""

    def only(self, found: Sequence[Evidence]) -> Feedback:
        """The same feedback about some of its evidence."""
        return replace(self, evidence=tuple(found))


class PolicyAgent(Protocol):
    """Whoever says what is to be remembered of a session."""

    @property
    def by(self) -> str:
        """Under what name its changes are kept: ``rules``, or a model's."""
        ...

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """What to propose or to leave, each change with the evidence that it comes from.

        For every piece of evidence there is a change, be it an omission that says why. Nothing is
        in force by it: a person, or whoever streams sessions, accepts or refuses. An execution
        failure changes nothing.
        """
        ...


def feedback_on(
    log: Sequence[Logged],
    domain: Domain,
    scenario: Scenario | None,
    regime: Regime,
    *,
    explanation: str = "",
    clarification: str = "",
) -> Feedback:
    """What a regime tells of a session, and nothing beyond it.

    Without a score only a person can teach: an explanation is one of an outcome.
    """
    if regime == "person":
        found = tuple(evidence(log, domain, scenario))
        return Feedback(regime, _reward(log), evidence=found)
    last = outcome(log, domain, scenario, differing=regime != "reward")
    return Feedback(
        regime,
        _reward(log),
        explanation if regime == "explanation" else "",
        clarification if regime == "oracle" else "",
        () if last is None else (last,),
    )


def _reward(log: Sequence[Logged]) -> float | None:
    scores = [each.event.reward for each in log if isinstance(each.event, Scored)]
    return scores[-1] if scores else None
