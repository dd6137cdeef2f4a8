"""A card that waits for the customer's decision, as the clerk knows it.

The clerk learns from the console's note what the customer reads on the card. Everything else comes
from records that were read before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.card_questions.topics import LONGEST
from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.rebuilding import rebuild_dialogue
from agent.clerk.state.messages import CARD_WAITS, policy_of, text_of
from agent.clerk.state.records import as_object
from agent.clerk.state.steps import Call, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.encoder import vector
from agent.models.protocol import Message

_LINES = {
    "The card says": "sentence",
    "Afterwards": "after",
    "Afterwards no longer possible": "closes",
}


_EARLIER = 0.6
"""How like the card's sentence an open wish must be to be only an earlier wording of it."""


@dataclass
class WaitingCard:
    """A waiting card as described by the console's note, with the records read before it."""

    records: Any
    """The records of the domain's dialogue."""

    question: str = ""
    """The customer's question about the card."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    """The customer's words for other changes that are still to come."""

    tools_to_come: list[str] = field(default_factory=list)
    """The tools that can make those changes."""

    asks_of_others: bool = False
    """Whether the question is about them."""

    told: dict[str, list[str]] = field(default_factory=dict)
    """The card's sentence, its effects and what it rules out, keyed by the values of ``_LINES``."""

    @property
    def sentence(self) -> str:
        """The sentence that says what is about to happen."""
        return " ".join(self.told.get("sentence", ()))

    @property
    def money(self) -> str:
        """What the sentence says of money, which is how it ends: ``$44.75 more, paid with …``."""
        return re.split(r"[;:] ", self.sentence)[-1].rstrip(".")

    @property
    def moves_money(self) -> bool:
        """Whether the card mentions money that is paid or refunded."""
        return "$" in self.sentence or bool(self.after(r"\$"))

    @property
    def closes(self) -> list[str]:
        """What will no longer be possible."""
        return self.told.get("closes", [])

    def after(self, words: str = "") -> list[str]:
        """The effects that match a regular expression; all of them without one."""
        return [line for line in self.told.get("after", ()) if re.search(words, line.lower())]


def read_card(messages: list[Message], skills: DomainSkills) -> WaitingCard | None:
    """The card that waits, with the question in the last message; None if none does."""
    note = next((text_of(m) for m in reversed(messages) if CARD_WAITS in text_of(m)), None)
    if note is None:
        return None
    before = messages[: next(n for n, m in enumerate(messages) if text_of(m) == note)]
    dialogue, policy = rebuild_dialogue(before, skills), policy_of(messages)
    card = WaitingCard(dialogue.records, text_of(messages[-1])[:LONGEST].strip())
    step = next_step(dialogue, policy, skills)
    own = step.task if isinstance(step, Call) else None
    for line in note.splitlines():
        name, _, words = line.partition(": ")
        if name in _LINES:
            card.told.setdefault(_LINES[name], []).append(words.strip())
        elif name == "The call":
            tool, _, rest = words.partition("(")
            card.tool, card.arguments = tool.strip(), as_object(rest.rpartition(")")[0]) or {}
    tasks = (e for e in dialogue.open_tasks if own is not None and e is not own and not e.written)
    for task in (each for each in tasks if _is_to_come(each, dialogue, policy, skills)):
        if likeness(task.text, card.sentence) < _EARLIER:
            card.others.append(task.text)
            card.tools_to_come += dialogue.tools[str(task.intent)]
    return card


def _is_to_come(task: Task, dialogue: Any, policy: str, skills: DomainSkills) -> bool:
    """Whether a task is a change that has not been refused or made."""
    skill = skills.skills.get(str(task.intent))
    if skill is None or not dialogue.changes_records(task):
        return False
    try:
        step = skill(task, dialogue, policy)
    except Settled as settled:
        step = settled.step
    return not isinstance(step, Statement)


def likeness(one: str, other: str) -> float:
    """How alike two texts are, at most 1."""
    return float(vector(one) @ vector(other))


def as_sentence(lines: list[str]) -> str:
    """The lines of a card joined into one sentence with semicolons."""
    text = "; ".join(line.rstrip(".") for line in lines)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
