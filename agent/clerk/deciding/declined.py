"""What becomes of a change that the customer declined."""

from __future__ import annotations

from agent.clerk.deciding.offers import AFTER_ALL
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.wording import REVISE, quote

AGAIN, SAID_SO = 0.7, 0.5
"""How likely a wish must be to bring back a card that was declined, and if that was asked."""


def is_wanted_after_all(dialogue: Dialogue, task: Task) -> bool:
    """Whether a declined call is wanted after all.

    That is so if it follows from a question asked since, or if it was clearly requested again, and
    if what was said at its card only agrees with it: "yes, that is all".
    """
    last, question = dialogue.last, dialogue.question
    if last is None:
        return False
    if dialogue.declined:
        meant = any(each.modality == "meant" for each in last.requests)
        return {"yes"} <= {*last.aside_intents} and "no" not in last.aside_intents and not meant
    if question is not None and question.slot != "revise":
        return question.slot != "intent" and question.task is task
    family = dialogue.reader.catalog.family
    asked = question is not None and question.text == AFTER_ALL
    least = SAID_SO if asked else AGAIN
    return any(
        family(each.intent) == family(str(task.intent))
        and each.modality == "meant"
        and each.probability >= least
        and len(each.text.split()) > 1
        for each in last.requests
        if not each.is_uncertain
    )


def ask_to_revise(dialogue: Dialogue, task: Task, *, unchanged: str | None = None) -> Question:
    """Ask what should be different; a declined call is not made again unchanged.

    Whoever only asked something about it is asked whether to make it after all, and so is who told
    something that leaves it ``unchanged``: what it would do is told then.
    """
    if unchanged is not None and dialogue.told_detail:
        again = any(unchanged in text for text in dialogue.assistant_texts[-1:])
        said = dialogue.last.text if dialogue.last is not None else ""
        told = "" if again else unchanged
        lead = f"I can't tell what should be different by {quote(said)}. {told}".strip()
        return Question(AFTER_ALL, "revise", task, lead=lead)
    asks = dialogue.has_new_request and not dialogue.speaks_of_another_change
    return Question(AFTER_ALL if asks else REVISE, "revise", task)
