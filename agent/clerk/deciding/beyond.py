"""What no tool can serve: a transfer to a human, or that it cannot be done."""

from __future__ import annotations

from agent.clerk.deciding.offers import ask_beyond, hand_over, quote_briefly, tell_transfer
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Call, Question, Statement
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING

BEYOND = frozenset({"human", "other"})
"""Intents that no tool can serve."""

NO_HUMAN = (
    "I understand, but a human agent couldn't do more about that than I can. Is there something "
    "else I can help with?"
)


def is_beside(task: Task, dialogue: Dialogue) -> bool:
    """Whether what no tool can serve was wanted beside something that is served, or that waits."""
    if task.intent != "other" or task.chosen.get("transfer"):
        return False
    others = (e for e in dialogue.tasks if e.intent not in {*BEYOND, NOTHING, None})
    waits = dialogue.declined_call is not None
    return waits or any(each.message == task.message for each in others)


def tell_beyond(task: Task) -> str:
    """The sentence about what no tool can serve, beside something else that is served."""
    if task.text.rstrip().endswith("?"):
        return f"I have no information on {quote_briefly(task)}"
    return f"I can't do that myself: {quote_briefly(task)}. A human agent may, if you ask for one."


def step_beyond_tools(
    task: Task, dialogue: Dialogue, capabilities: str
) -> Call | Question | Statement:
    """The step for what no tool can serve: a transfer to a human, or a question first.

    Who asks for a human after something failed is transferred at once.
    """
    picked, human = task.chosen.get("transfer"), task.intent == "human"
    if dialogue.records.transferred:
        return Statement(tell_transfer(dialogue.records.transfer_summary), "done", asks=True)
    earlier = [each for each in dialogue.tasks if each is not task]
    refused = any(each.outcome == "refused" for each in earlier)
    lost = [each for each in earlier if each.intent in {*BEYOND, None}]
    if human and refused and not dialogue.transfers_after_refusal:
        return Statement(NO_HUMAN, "answered", asks=True)
    said = "".join(dialogue.assistant_texts[-1:])
    stuck = dialogue.repeated_question or "human agent?" in said or dialogue.has_offered_human
    if picked or (human and (refused or lost or stuck)):
        return hand_over(task, " / ".join(each.text for each in [*lost, task]))
    if human:
        text = (
            f"{capabilities} What is it about? If it's something else, or if you'd still rather "
            "have a human agent, say so and I'll transfer you."
        )
        return Statement(text, "answered", asks=True)
    return ask_beyond(task)
