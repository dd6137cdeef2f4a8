"""Whether the clerk knows from a stranger's words that what it learned applies.

``python -m tests.benchmarks.heeding`` puts the sentences of strangers who want to return or to
exchange something, to cancel or to be compensated, against conditions of lessons. None of the
sentences was written for this, and the conditions are those of the gaps of τ²-bench's and of our
demo policies. For each condition it prints how many of the sentences that meet it, by a reader, are
known to (*sure*) or asked about, and how many of the others are wrongly taken to (*wrong*) or asked
about.
"""

from __future__ import annotations

import json
from pathlib import Path

from agent.clerk.airline.skills import AIRLINE
from agent.clerk.lessons.applying import applies
from agent.clerk.lessons.learned import Lesson
from agent.clerk.retail.skills import RETAIL
from agent.clerk.state.task import Task
from agent.memory.beginning import entry_of
from domains import load

HERE = Path(__file__).parent.parent / "agent" / "clerk" / "sentences"
BROKEN = (
    "the tablet what arrive is broken", "chair wobbles", "Left earbud is dead", "It cracked",
    "water bottle leaks", "have come with holes", "doesnt heat on the left side",
)  # fmt: skip
"""Words of the sentences that tell of something broken, by a reader."""

DELAYED = (
    "voucher for the delay", "Sitting on the tarmac", "those six hours", "4 hours late",
    "for 5 hours", "was late, i lose", "3 hour delay", "yesterdays delay", "came 4h late",
    "until gone two in the morning", "was three hours late", "same delayed plane",
)  # fmt: skip
"""The same of a flight that is late."""

CONDITIONS = {
    "retail": (
        "A broken item may be exchanged for the same one.",
        "A delivered item that arrived broken may be exchanged for the identical item, as long as "
        "that is in stock.",
        "An item that arrived broken, damaged, faulty or already used may be exchanged for an "
        "identical one that is in stock, even if no option differs.",
        "The chair should have been exchanged for the same one: an item that arrives broken may be "
        "replaced by the identical item.",
    ),
    "airline": (
        "A delayed flight counts like one that the airline has cancelled: an unflown reservation "
        "that has one can be cancelled.",
        "The reservation should have been cancelled: a delayed flight counts like one that the "
        "airline has cancelled.",
    ),
}
SAYS = {"retail": BROKEN, "airline": DELAYED}
REFUSALS = {
    "retail": "I can't exchange the Task Chair for the very same item: it has to be another "
    "option of the product.",
    "airline": "I can't cancel reservation Y9TZ9V (Chicago to Dallas, May 15): it was booked more "
    "than 24 hours ago, it is in economy, none of its flights has been cancelled by the airline, "
    "and it is not insured.",
}
INTENTS = {"retail": "exchange_items", "airline": "cancel_reservation"}


def sentences(name: str) -> list[str]:
    """What strangers said who want something that the condition may be about."""
    told: list[str] = json.loads((HERE / f"heeding_{name}.json").read_text("utf-8"))
    return told


def main() -> None:
    """Print the counts."""
    for name, trade in (("retail", RETAIL), ("airline", AIRLINE)):
        talk = trade.new_dialogue([])
        domain = load(name)
        gap = domain.gaps[0]
        tool = domain.tools.get(gap.tool)
        assert tool is not None
        plain = entry_of(domain, tool)
        clauses = (*plain.policy_lines, *plain.preconditions)
        for condition in CONDITIONS[name]:
            lesson = Lesson("c", gap.tool, gap.check, "relaxes", condition, clauses)
            counts = {(meets, how): 0 for meets in (True, False) for how in ("yes", "unsure", "no")}
            for text in sentences(name):
                meets = any(each in text for each in SAYS[name])
                task = Task(INTENTS[name], text, message=text)
                counts[meets, applies(lesson, task, talk, REFUSALS[name])] += 1
            print(
                f"{name}: sure {counts[True, 'yes']}, asked {counts[True, 'unsure']} of those who "
                f"say so; wrong {counts[False, 'yes']}, asked {counts[False, 'unsure']} of the "
                f"others  “{condition[:60]}”"
            )


if __name__ == "__main__":
    main()
