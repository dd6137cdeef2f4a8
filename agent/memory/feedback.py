"""What an agent that learns is told of a session, and who learns from it.

(PolicyBank, section 4, memory maintenance: a reward, or a reward and an explanation; section 5: an
oracle that says how the policy is to be understood. A person's own reasons are ours.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.memory.bank import Bank
from agent.memory.change import Change
from agent.memory.evidence import Evidence, evidence, outcome
from agent.memory.evidence import Regime as Regime
from agent.models.redaction import without_secrets
from domains.core.domain import Domain, Scenario
from domains.core.gap import PolicyGap
from sessions.events import Logged, Scored


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

    @property
    def is_right(self) -> bool:
        """Whether the session ended as it should: there is nothing to align then."""
        return self.regime != "person" and self.reward is not None and self.reward >= 1

    def only(self, found: Sequence[Evidence]) -> Feedback:
        """The same feedback about some of its evidence."""
        return replace(self, evidence=tuple(found))

    def evidence_with_words(self) -> tuple[Evidence, ...]:
        """Its evidence, each with whose word it is, an outcome with what was said of it."""
        words = self.clarification or self.explanation
        return tuple(
            replace(each, words=words if each.kind == "outcome" else each.words, regime=self.regime)
            for each in self.evidence
        )


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
    words: str = "",
) -> Feedback:
    """What a regime tells of a session, and nothing beyond it.

    ``words`` are somebody's own explanation or clarification; without them the scenario's are
    taken, where it has any. Without a score only a person can teach: the rest is said of an
    outcome. Raises DomainError where the gaps of the domain's policy cannot be read.
    """
    words, reward = without_secrets(words), _reward(log)  # before anybody cuts them
    if regime == "person":
        return Feedback(regime, reward, evidence=tuple(evidence(log, domain, scenario)))
    gap = None if scenario is None else _gap(domain, scenario)
    if not words and regime == "explanation" and scenario is not None:
        words = scenario.explanation
    if not words and regime == "oracle" and gap is not None:
        words = gap.clarification
    last = outcome(log, domain, scenario, differing=regime != "reward" and bool(words))
    if last is not None and regime == "oracle" and gap is not None and reward != 1:
        failing = (gap.check,) if gap.check else last.failing
        last = replace(last, tool=gap.tool, failing=failing)
    return Feedback(
        regime,
        reward,
        words if regime == "explanation" else "",
        words if regime == "oracle" else "",
        () if last is None else (last,),
    )


def _gap(domain: Domain, scenario: Scenario) -> PolicyGap | None:
    if not scenario.gap:
        return None
    return next((each for each in domain.gaps if each.id == scenario.gap), None)


def _reward(log: Sequence[Logged]) -> float | None:
    scores = [each.event.reward for each in log if isinstance(each.event, Scored)]
    return scores[-1] if scores else None
