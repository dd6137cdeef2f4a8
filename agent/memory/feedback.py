"""The feedback that a learning agent is given on a session, and the interface of such an agent.

PolicyBank, section 4 (memory maintenance): a reward, or a reward and an explanation; section 5: an
oracle that says how the policy is to be understood. A person's own reasons are our addition.
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
    """Feedback on a session; without evidence nothing may be learned from it."""

    regime: Regime
    reward: float | None = None
    """From 0 to 1; None if the session was not scored."""

    explanation: str = ""
    """The right course of action, according to someone who judged the conversation."""

    clarification: str = ""
    """The right reading of the policy, according to someone who knows it."""

    evidence: tuple[Evidence, ...] = ()
    """The evidence for it in the session's log; every lesson refers to one of these."""

    @property
    def is_right(self) -> bool:
        """Whether the session ended as it should, so that there is nothing to align."""
        return self.regime != "person" and self.reward is not None and self.reward >= 1

    def only(self, found: Sequence[Evidence]) -> Feedback:
        """The same feedback about some of its evidence."""
        return replace(self, evidence=tuple(found))

    def evidence_with_words(self) -> tuple[Evidence, ...]:
        """Its evidence with the regime, and with what was said about an outcome."""
        words = self.clarification or self.explanation
        return tuple(
            replace(each, words=words if each.kind == "outcome" else each.words, regime=self.regime)
            for each in self.evidence
        )


class PolicyAgent(Protocol):
    """Decides what is to be remembered of a session."""

    @property
    def by(self) -> str:
        """The name under which its changes are stored: ``rules``, or a model's."""
        ...

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """The changes to propose or to leave out, each with the evidence that it comes from.

        Every piece of evidence has a change, which may be an omission that says why. Nothing is in
        force yet: a person, or the stream of sessions, accepts or refuses. An execution failure
        changes nothing.
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
    """The feedback on a session in a regime, and nothing beyond it.

    ``words`` are an explanation or clarification; without them the scenario's are used, if it has
    any. Without a score only a person can teach, because everything else is about an outcome.
    Raises DomainError if the gaps of the domain's policy cannot be read.
    """
    words, reward = without_secrets(words), _reward(log)  # before they are cut
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
