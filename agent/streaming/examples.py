"""Past conversations as examples: those that came out right, and no others.

(Synapse, as PolicyBank's section 5 has it among its baselines.) The memory holds where an example
is; what the agent is handed of it is read from that session's log (:mod:`agent.memory.example`).
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
    """Keeps what came out right (:class:`agent.memory.feedback.PolicyAgent`)."""

    by = BY

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """The conversation as one more example, or nothing."""
        return [self._review(each, log, feedback, bank) for each in feedback.evidence]

    def _review(
        self, evidence: Evidence, log: Sequence[Logged], feedback: Feedback, bank: Bank
    ) -> Change:
        if feedback.reward is None or feedback.reward < 1:
            return leave_out(evidence, "example", "Only what came out right is an example.", BY)
        entry = about_whole("example", bank, log)
        return keep_entry(evidence, entry, "It came out right.", BY)


def about_whole(
    what: str, bank: Bank, log: Sequence[Logged], insight: str = "", place: int = 1
) -> Entry:
    """An entry about a whole conversation, found by the customer's first words.

    Its name is the `place`-th of those that nothing has or had: what was undone keeps its own.
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
    """The change that says why nothing is kept."""
    return Change(does="omit", capability=f"no_{what}", origin=origin_of(evidence, why), by=by)


def first_words(log: Sequence[Logged]) -> str:
    """What the customer came with."""
    said = (each.event.text for each in log if isinstance(each.event, CustomerSaid))
    return str(one_line(next(said, "")))[:200]


def cut(text: str) -> str:
    """A text on one line that an entry can hold."""
    line = str(one_line(text))
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"
