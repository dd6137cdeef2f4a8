"""Denials in replies: of a whole change, of what was picked, or of one thing among several."""

from __future__ import annotations

from agent.clerk.deciding.offers import OFFER
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place
from agent.clerk.understanding.tokens import has, tokens

SHORT = 6
"""The most words of a reply that only says no, or only keeps a thing out."""

DENIED_BESIDE_MORE, DENIED_ALONE = 0.9, 0.6
"""How likely a denial must be to let go of a task if the message tells more, and if not."""


def slot_asked(dialogue: Dialogue) -> str:
    """The slot that was asked for, or an empty string."""
    return dialogue.question.slot if dialogue.question is not None else ""


def denials_of(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """The denials by which a message lets go of a whole task and asks for nothing more of it.

    They must be the surer the more the message says besides.
    """
    family = dialogue.reader.catalog.family
    wanted = [e for e in message.requests if e.modality == "meant"]
    if any(family(each.intent) == family(str(task.intent)) for each in wanted):
        return []
    told = [e for e in message.in_order if isinstance(e, str) and not _picks(dialogue, e)]
    reason = slot_asked(dialogue) == "reason"
    whole = reason or len(message.in_order) == 1  # "Pennsylvania, it's still Pittsburgh"
    answers = [message.text] if whole else told
    least = (
        DENIED_BESIDE_MORE
        if any(dialogue.answer_sentence(task, each) for each in answers)
        else DENIED_ALONE
    )
    gone = [
        each
        for each in message.requests
        if each.modality == "denied"
        and dialogue.denies(each, task)
        and dialogue.lets_go_of(task, each.text)
    ]
    surely = reason and all(each.modality_probability >= DENIED_BESIDE_MORE for each in gone)
    named = any(dialogue.names_something(each.text) for each in gone)
    if surely or not dialogue.answer_sentence(task, message.text):
        least = least if named else 0.0
    likely = (e for e in gone if min(_likelihood(e), e.modality_probability) >= least)
    return [
        each
        for each in likely
        if wanted
        or surely
        or not any(
            dialogue.tells_of(task, more)
            for more in message.in_order[message.in_order.index(each) :]
            if isinstance(more, str)
        )
    ]


def _picks(dialogue: Dialogue, text: str) -> bool:
    """Whether a text only picks from what was offered, so that a denial beside it takes it back."""
    choices = dialogue.question.choices if dialogue.question is not None else ()
    return pick_place(text, [each.words for each in choices], by_words=False) is not None


def _likelihood(denial: ParsedRequest) -> float:
    """How likely a text denies something, be it this change, any, or what was asked."""
    denying = {denial.intent, NOTHING, "no"}
    return sum(each.probability for each in denial.guesses if each.name in denying)


def denials_of_pick(
    dialogue: Dialogue, task: Task, choice: Choice, message: ParsedMessage
) -> list[ParsedRequest]:
    """The denials that take back what is picked, however likely: "1. no wait, don't cancel it".

    "1 - just one, keep the other" takes nothing back.
    """
    family = dialogue.reader.catalog.family
    of_it = family(choice.value.removeprefix(OFFER))
    return [
        each
        for each in message.requests
        if each.modality == "denied"
        and not has(tokens(each.text), "the other", "the rest")
        and (family(each.intent) == of_it or dialogue.denies(each, task))
        and dialogue.lets_go_of(task, each.text)
    ]


def refuses_all(message: ParsedMessage) -> bool:
    """Whether a reply wants nothing of what was offered: "none of those, I'll keep mine"."""
    words = message.words
    return has(words[:3], "none of") and (len(words) <= SHORT or tells(words, "keeping"))


def leaves_out(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message only keeps one thing out of what was offered: "never mind the lamp"."""
    words = message.words
    instead = "," in message.text or {"not", "but"} <= {*words} or has(words, "instead", "only")
    alone = len(words) <= SHORT and not instead
    return alone and tells(words[:2], "left out") and dialogue.names_something(message.text)
