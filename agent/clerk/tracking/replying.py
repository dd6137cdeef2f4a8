"""Handles replies to a question or to a declined proposal."""

from __future__ import annotations

import re

from agent.clerk.deciding.offers import OFFER, SAME_AGAIN
from agent.clerk.lessons.adjusting import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.tracking.picks import (
    FEW,
    is_beside_pick,
    note,
    place_picked,
    take_instead_of_pick,
    take_pick,
    take_several,
)
from agent.clerk.understanding.intents import is_word
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_by_difference
from agent.clerk.understanding.segmenting import clause_spans
from agent.clerk.understanding.tokens import has, tokens

_ONE_OF_TWO = re.compile(r",|;|\bnot\b.*\bbut\b|\binstead\b|\bonly\b", re.IGNORECASE)
_BESIDE = ("also", "as well", "first", "something else")
"""Words which show that a change is wanted in addition to another."""


_YES_OR_NO = frozenset({"go", "whole"})
"""Slots of questions that a no answers, whatever else is said."""

_YES_LETTERS = frozenset({"y", "k"})

SURELY = 0.9
"""How likely a denial must be to let go of a task although the message answers the question."""

LIKELY = 0.6
"""How likely a denial must be to let go of a task if the message answers nothing."""

_SHORT = 6
"""The most words of a message that is nothing but a no."""


def take_reply(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply to the current task, and return the requests that are new."""
    ask = dialogue.question
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(dialogue, task, ask, message)
    gone = _denials_of(dialogue, task, message)
    if gone:
        dialogue.drop(task)
        rest = (each for each in message.requests if not any(each is one for one in gone))
        return [each for each in rest if not _only_says_stop(dialogue, each)]
    if ask is not None and (
        _take_refusal(dialogue, task, ask, message) or take_several(dialogue, task, ask, message)
    ):
        return []
    asks = _only_asks(dialogue, message)
    place = None if ask is None or asks else place_picked(ask, task, message.text)
    if task.intent is None and place is None and (ask is None or ask.slot == "intent"):
        return take_instead_of_pick(task, dialogue, message)
    if ask is not None and place is not None:
        return take_pick(dialogue, task, ask, place, message)
    return _take_answer(dialogue, task, message)


def _only_says_stop(dialogue: Dialogue, request: ParsedRequest) -> bool:
    """Whether what stands beside a denial only says so again: "stop this" is no cancellation."""
    catalog, words = dialogue.reader.catalog, tokens(request.text)
    act = request.modality == "meant" and request.intent in catalog.acts
    named = dialogue.names_something(request.text) or has(words, *catalog.verbs)
    return act and not named and len(words) <= FEW


def _only_asks(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message is one question, without a clause beside it, surely not about a change."""
    asks = message.text.rstrip().endswith("?") and len(clause_spans(message.text)) == 1
    catalog, found = dialogue.reader.catalog, message.requests
    return asks and any(e.intent not in catalog.acts and e.probability >= SURELY for e in found)


def _denials_of(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """The denials by which a message lets go of a whole task and asks for nothing more of it."""
    family = dialogue.reader.catalog.family
    wanted = [e for e in message.requests if e.modality == "meant"]
    if any(family(each.intent) == family(str(task.intent)) for each in wanted):
        return []
    reason = dialogue.question is not None and dialogue.question.slot == "reason"
    told = [message.text] if reason else [e for e in message.in_order if isinstance(e, str)]
    answers = any(dialogue.answer_sentence(task, each) for each in told)
    least = SURELY if answers else LIKELY
    return [
        each
        for each in message.requests
        if each.modality == "denied"
        and min(each.probability, each.modality_probability) >= least
        and dialogue.denies(each, task)
        and dialogue.lets_go_of(task, each.text)
        and not any(dialogue.tells_of(task, more) for more in _details_after(message, each))
    ]


def _details_after(message: ParsedMessage, request: ParsedRequest) -> list[str]:
    """What a message tells after a denial, unless it belongs to something else that is wanted."""
    if any(each.modality == "meant" for each in message.requests):
        return []
    place = message.in_order.index(request)
    return [each for each in message.in_order[place:] if isinstance(each, str)]


def _take_answer(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply that picks no place in a list, and return the requests that are new."""
    ask, acts = dialogue.question, dialogue.reader.catalog.acts
    sentence = dialogue.answer_sentence(task, message.text)
    differs = ask is not None and not (sentence or _only_asks(dialogue, message))
    place = _place_of_difference(ask, message) if ask is not None and differs else None
    if ask is not None and place is not None:
        return take_pick(dialogue, task, ask, place, message)
    insists = any(e.intent == task.intent and e.modality == "meant" for e in message.requests)
    if ask is not None and ask.text == SAME_AGAIN and insists:
        dialogue.declined_calls.clear()  # who asks for it a second time gets its card again
    own = [e for e in message.requests if _is_own(dialogue, e, task, filled=bool(sentence))]
    rest = [each for each in message.requests if not any(each is other for other in own)]
    changes = [each for each in rest if each.modality == "meant" and each.intent in acts]
    if changes and not own and not message.detail_sentences:
        sentence = ""
    if changes and dialogue.declined and has(message.words, *_BESIDE):
        task.wait = ""
        dialogue.declined_calls.clear()
        return changes
    answered = any(dialogue.answer_sentence(task, each) for each in message.detail_sentences)
    if changes and not answered and _is_replacement(dialogue, task, changes[0], message):
        dialogue.drop(task)
        dialogue.told_detail = False
        dialogue.inherited = []
        return rest
    if _settle(dialogue, task, message, filled=bool(sentence), rest=bool(rest)):
        return rest
    told_more = any(e.modality == "meant" for e in own) or (
        _tells_more(dialogue, task, message) and not rest
    )
    if sentence or told_more:
        note(dialogue, task, message, sentence or message.text)
        dialogue.told_detail = True
    elif not rest:
        _note_for_another(dialogue, task, message)
    return rest


def _place_of_difference(question: Question, message: ParsedMessage) -> int | None:
    """The choice that differs from the others by what is said, if the question offers any."""
    if question.slot == "intent":
        return None
    told = [each.words for each in question.choices if not each.value.startswith(OFFER)]
    return pick_by_difference(message.text, told) if len(told) > 1 else None


def _tells_more(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Whether a message gives a detail of a task, or sets a limit or a condition."""
    return (
        dialogue.tells_of(task, message.text)
        or message.limit is not None
        or bool(message.condition)
    )


def _note_for_another(dialogue: Dialogue, task: Task, message: ParsedMessage) -> None:
    """Add a message that answers nothing to another open task that it gives a detail of."""
    for other in dialogue.open_tasks:
        if other is not task and other.intent and dialogue.tells_of(other, message.text):
            note(dialogue, other, message, message.text)
            dialogue.told_detail = True
            return


def _take_refusal(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> bool:
    """Exclude a thing that was offered, or drop the task, if the reply says so.

    Returns whether it did.
    """
    if question.slot == "items" and _leaves_out(dialogue, message):
        task.excepted.append(message.text)
        dialogue.told_detail = True
        return True
    return False


def _take_yes_or_no(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> list[ParsedRequest]:
    """Record whether a lesson applies, and return the message's other requests.

    An answer that is neither yes nor no is asked about once more, and then counts as a no.
    """
    first = message.words[:FEW]
    if "farewell" in message.aside_intents:
        dialogue.drop(task)
        return []
    answer = "no" if tells(first, "not so") else "yes" if tells(first, "so") else ""
    before = task.chosen.get(question.slot)
    task.chosen[question.slot] = answer or ("no" if before == UNCLEAR else UNCLEAR)
    task.note(message.text)
    dialogue.told_detail = True
    return [each for each in message.requests if is_beside_pick(dialogue, each, task.intent)]


def _leaves_out(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether the words only exclude one of the things on offer: "never mind the lamp"."""
    begins = tells(message.words[:2], "left out") and len(message.words) <= _SHORT
    return (
        begins
        and dialogue.names_something(message.text)
        and _ONE_OF_TWO.search(message.text) is None
    )


def _is_own(dialogue: Dialogue, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
    """Whether a request belongs to the current task."""
    if request.modality == "denied":
        return dialogue.denies(request, task)
    if request.intent == "other" and dialogue.answer_sentence(task, request.text):
        return True
    return dialogue.adds_detail_to(request, task, filled=filled)


def _is_replacement(
    dialogue: Dialogue, task: Task, request: ParsedRequest, message: ParsedMessage
) -> bool:
    """Whether another change is wanted instead of the current one."""
    lets_go = any(each.modality == "denied" for each in message.requests)
    revised = dialogue.question is not None and dialogue.question.slot == "revise"
    instead = tells(message.words, "instead") and not has(message.words, *_BESIDE)
    return (
        dialogue.declined
        or task.what_if
        or (revised and not has(message.words, *_BESIDE))
        or lets_go
        or (instead and task.intent in dialogue.reader.catalog.acts)
    )


def _settle(
    dialogue: Dialogue, task: Task, message: ParsedMessage, *, filled: bool, rest: bool
) -> bool:
    """Handle a reply that is a yes or a no, or that drops the task; return whether it was one."""
    gone = [e for e in message.requests if e.modality == "denied" and dialogue.denies(e, task)]
    denied = " . ".join(each.text for each in gone)
    reasons = dialogue.question is not None and dialogue.question.slot == "reason"
    surely = reasons and all(each.modality_probability >= SURELY for each in gone)
    whole = all(dialogue.lets_go_of(task, each.text) for each in gone)
    if denied and whole and (surely or not filled) and not dialogue.names_something(denied):
        dialogue.drop(task)
        return True
    ask = dialogue.question
    if ask is not None and ask.slot in _YES_OR_NO and "no" in message.aside_intents and not filled:
        dialogue.drop(task)
        return True
    bare = not filled and not rest and not dialogue.names_something(message.text)
    if bare and (
        "farewell" in message.aside_intents
        or ("no" in message.aside_intents and len(message.words) <= _SHORT)
    ):
        dialogue.drop(task)
        return True
    return "yes" in message.aside_intents and not filled and _take_yes(dialogue, task, message)


def _take_yes(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Let a yes pick the only choice, or repeat a declined proposal; return whether it did.

    Signs that are no word at all are no yes, whatever they were read as.
    """
    ask = dialogue.question
    if ask is None or dialogue.declined or not _has_a_word(message):
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    if len(own) == 1:
        task.note(dialogue.pick(task, ask, own[0]))
        dialogue.told_detail = True
        return True
    if ask.slot == "revise":
        task.wait = ""
        dialogue.declined_calls.clear()
        dialogue.told_detail = True
        return True
    return False


def _has_a_word(message: ParsedMessage) -> bool:
    """Whether there is a word in a message, or a letter that stands for a yes."""
    words = (each for each in message.words if each.isascii() and each.isalpha())
    return any(each in _YES_LETTERS or (len(each) > 1 and is_word(each)) for each in words)
