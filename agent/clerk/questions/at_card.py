"""Answers a question about a waiting card, from all that the clerk can tell at that moment."""

from __future__ import annotations

from functools import partial
from typing import Any

from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.questions.answering import find_answers, phrase_answer
from agent.clerk.questions.asking import LONGEST
from agent.clerk.questions.known_facts import facts_about, facts_at_card
from agent.clerk.questions.state_facts import DECIDE
from agent.clerk.questions.waiting_card import WaitingCard
from agent.clerk.rebuilding import rebuild_dialogue
from agent.clerk.state.messages import ABOUT_CARD, CARD_WAITS, policy_of, text_of
from agent.clerk.state.records import as_object
from agent.clerk.state.steps import Call, Settled, Statement
from agent.clerk.state.task import Task
from agent.models.protocol import Message

_UNKNOWN = f"I can't tell you that from the card or from what I have read. {DECIDE}"
_NOTHING_WAITS = f"I can't change anything right now. {DECIDE}"

_CALL = "The call: "

_STRAIGHT = str.maketrans("“”", "''")
"""Replaces curly quotes with straight ones.

The card shows an answer in curly quotes, and curly quotes inside it would be spelled out as code
points.
"""


def answer_about_card(messages: list[Message], skills: DomainSkills) -> str:
    """Answer the question in the last message from the card, the records and the rules."""
    card = read_card(messages, skills)
    if card is None:
        return _NOTHING_WAITS
    facts = facts_at_card(card, skills, policy_of(messages))
    own = card.dialogue.record_id_of(Call(card.tool, card.arguments))
    facts_for = partial(facts_about, facts=facts, dialogue=card.dialogue, skills=skills, own=own)
    found = find_answers(card.question, _question_before(messages), facts_for)
    return ABOUT_CARD + (" ".join(map(phrase_answer, found)) or _UNKNOWN).translate(_STRAIGHT)


def read_card(messages: list[Message], skills: DomainSkills) -> WaitingCard | None:
    """The card that waits, with the question in the last message; None if none does."""
    note = next((text_of(m) for m in reversed(messages) if CARD_WAITS in text_of(m)), None)
    if note is None:
        return None
    before = messages[: next(n for n, m in enumerate(messages) if text_of(m) == note)]
    dialogue, policy = rebuild_dialogue(before, skills), policy_of(messages)
    card = WaitingCard(dialogue, text_of(messages[-1])[:LONGEST].strip())
    step = next_step(dialogue, policy, skills)
    own = step.task if isinstance(step, Call) else None
    for line in note.splitlines():
        card.take_line(line)
        if line.startswith(_CALL):
            tool, _, rest = line.removeprefix(_CALL).partition("(")
            card.tool, card.arguments = tool.strip(), as_object(rest.rpartition(")")[0]) or {}
    tasks = (e for e in dialogue.open_tasks if own is not None and e is not own and not e.written)
    change = Call(card.tool, card.arguments)
    card.others = [e.text for e in tasks if _is_to_come(e, change, dialogue, policy, skills)]
    return card


def _is_to_come(task: Task, change: Call, dialogue: Any, policy: str, skills: DomainSkills) -> bool:
    """Whether a task is a change, other than the one on the card, that has not been refused."""
    skill = skills.skills.get(str(task.intent))
    if skill is None or not dialogue.changes_records(task):
        return False
    try:
        step = skill(task, dialogue, policy)
    except Settled as settled:
        step = settled.step
    return not isinstance(step, Statement) and getattr(step, "key", "") != change.key


def _question_before(messages: list[Message]) -> str:
    """The question at the card before the last one; empty if that is the first."""
    answered = [n for n, each in enumerate(messages) if text_of(each).startswith(ABOUT_CARD)]
    waits = max(n for n, each in enumerate(messages) if CARD_WAITS in text_of(each))
    if answered and answered[-1] == waits - 1:
        return text_of(messages[answered[-1] - 1])
    return ""
