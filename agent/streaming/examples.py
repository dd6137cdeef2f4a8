"""Past conversations as examples, limited to those that came out right.

(Synapse, one of the baselines in PolicyBank, section 5.) The memory stores where an example is; the
text that the agent is given is read from that session's log (:mod:`agent.memory.example`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice

from agent.memory.bank import Bank
from agent.memory.change import Change, origin_of
from agent.memory.entry import LONGEST_TEXT, Entry, make_entry, one_line
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback
from domains.core.domain import Domain
from sessions.events import CustomerSaid, Logged
from sessions.events.memory import ANY_TOOL

BY = "rules"


class ExampleKeeper:
    """Keeps conversations that came out right (:class:`agent.memory.feedback.PolicyAgent`)."""

    by = BY

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """The change that adds the conversation as an example, or that says why it is left out."""
        return [self._review(each, log, feedback, bank) for each in feedback.evidence]

    def _review(
        self, evidence: Evidence, log: Sequence[Logged], feedback: Feedback, bank: Bank
    ) -> Change:
        if feedback.reward is None or feedback.reward < 1:
            return leave_out(
                evidence, "example", "Only a conversation that came out right is an example.", BY
            )
        entry = about_whole("example", bank, log)
        return keep_entry(evidence, entry, "It came out right.", BY)


def about_whole(
    what: str, bank: Bank, log: Sequence[Logged], insight: str = "", place: int = 1
) -> Entry:
    """An entry about a whole conversation, found by the customer's first words.

    Its name is the `place`-th that is free now and was never used before, since an undone entry
    keeps its name.
    """
    numbers = count(len(bank.entries) + 1)
    free = (name for n in numbers if (name := f"{what}_{n}") not in bank.capabilities)
    return make_entry(
        {
            "capability": next(islice(free, place - 1, None)),
            "tool": ANY_TOOL,
            "trigger": cut(f"When a customer begins with “{first_words(log)}”:"),
            "key_insight": cut(insight),
        }
    )


def keep_entry(evidence: Evidence, entry: Entry, why: str, by: str) -> Change:
    """The change that proposes an entry."""
    return Change(
        does="propose", capability=entry.capability, entry=entry, origin=origin_of(evidence, why),
        by=by,
    )  # fmt: skip


def leave_out(evidence: Evidence, what: str, why: str, by: str) -> Change:
    """The change that records why nothing is kept."""
    return Change(does="omit", capability=f"no_{what}", origin=origin_of(evidence, why), by=by)


def first_words(log: Sequence[Logged]) -> str:
    """The customer's first message, shortened."""
    said = (each.event.text for each in log if isinstance(each.event, CustomerSaid))
    return str(one_line(next(said, "")))[:200]


def cut(text: str) -> str:
    """The text on one line, shortened to what an entry can hold."""
    line = str(one_line(text))
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"
