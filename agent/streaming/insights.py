"""Insights as sentences about whole conversations, both successes and failures.

(ReasoningBank, one of the baselines in PolicyBank, section 5.) This is the version by rules: what
the agent changed and whether it came out right, with the judge's words if there are any.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.memory.bank import Bank
from agent.memory.change import Change
from agent.memory.feedback import Feedback
from agent.streaming.examples import about_whole, keep_entry
from domains.core.domain import Domain
from sessions.events import Logged, WriteApplied

BY = "rules"


class RuleInsightKeeper:
    """Keeps a sentence on each conversation (:class:`agent.memory.feedback.PolicyAgent`)."""

    by = BY

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """The changes that add what was done, and whether it was right."""
        told = insight(log, feedback)
        return [
            keep_entry(each, about_whole("insight", bank, log, told), "What was done, by rule.", BY)
            for each in feedback.evidence
        ]


def insight(log: Sequence[Logged], feedback: Feedback) -> str:
    """What the agent changed and how it came out, in a sentence or two."""
    names = [each.event.name for each in log if isinstance(each.event, WriteApplied)]
    did = ", then ".join(names) or "changing nothing"
    right = feedback.reward is not None and feedback.reward >= 1
    judged = "right" if right else "wrong"
    words = feedback.clarification or ("" if right else feedback.explanation)
    return f"{did} came out {judged}. {words}".strip()
