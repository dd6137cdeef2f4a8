"""Replies that pick from a numbered offer, by number, by words or by a yes."""

from __future__ import annotations

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import add_terms
from agent.clerk.understanding.clauses import without_exceptions
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import (
    any_will_do,
    beside_shrug,
    decided_part,
    pick_by_difference,
    pick_by_position,
    pick_place,
    pick_places,
)
from agent.clerk.understanding.segmenting import clause_spans
from agent.clerk.understanding.spelling import is_word
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import MORE

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
"""Slots of questions whose choices may be named by their own words."""

_TO_GO_ON = frozenset({CONDITION, "refund"})
"""Slots of questions whether to go on, or to leave it."""

_SEVERAL = frozenset({"items", "order", "reservation"})
"""Slots that take more than one choice at once; the value of each choice is an id."""

FEW = 4
"""The most words of a reply that names an intent by its own words."""

ASKS = 0.9
"""How likely a question must be to be about no change for it to pick none."""


def place_picked(
    dialogue: Dialogue, question: Question, task: Task, message: ParsedMessage
) -> int | None:
    """The index of the choice that is meant; None if that is unclear.

    A choice is meant by its number, by its words or, if the message is no other answer, by what
    only it has; a yes picks the only one, or to go ahead whatever a condition is.
    """
    words = message.words
    if _only_asks(dialogue, message):
        return None
    begins = "" if question.slot == "transfer" else OFFER  # "put me through" picks the human
    wanted = {f"{begins}{e.intent}" for e in message.requests if e.modality == "meant"}
    named = [n for n, each in enumerate(question.choices) if each.value in wanted]
    if named:
        return named[0]
    text = decided_part(message.text)
    placed = pick_by_position(text, [each.words for each in question.choices])
    rest = beside_shrug(text) if any_will_do(text) and placed is None else ""
    if rest and dialogue.answer_sentence(task, rest):
        return None  # "either is fine. Let's say the evening one"
    goes = tells(words, "yes") and not tells(words, "not so")
    if question.slot in _TO_GO_ON and goes:
        return 0
    brief = question.slot != "intent" or len(message.text.split()) <= FEW
    by_words = question.slot in _BY_WORDS and "or" not in task.chosen and brief
    place = pick_place(text, [each.words for each in question.choices], by_words=by_words)
    own = [each.words for each in question.choices if not each.value.startswith(OFFER)]
    if place is not None or question.slot == "intent" or not own:
        return place
    if dialogue.answer_sentence(task, message.text):
        return None
    if len(own) > 1:
        asks = message.text.rstrip().endswith("?") and len(words) > FEW
        return None if asks else pick_by_difference(text, own)
    takes = tells(words, "takes it") and "no" not in message.aside_intents
    return 0 if agrees(message) or takes else None


def agrees(message: ParsedMessage) -> bool:
    """Whether a message says yes; signs that are no word at all do not, whatever they look like."""
    words = (each for each in message.words if each.isascii() and each.isalpha())
    said = any(each in {"y", "k"} or (len(each) > 1 and is_word(each)) for each in words)
    return said and "yes" in message.aside_intents


def goes_ahead(message: ParsedMessage) -> bool:
    """Whether a message only says to make a change: "make that change, all on the visa"."""
    return tells(message.words, "go ahead") and "?" not in message.text


def _only_asks(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message is one question, without a clause beside it, surely not about a change."""
    asks = message.text.rstrip().endswith("?") or tells(message.words[:1], "asking")
    asks = asks and len(clause_spans(message.text)) == 1
    acts = dialogue.reader.catalog.acts
    return asks and any(e.intent not in acts and e.probability >= ASKS for e in message.requests)


def take_several(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> bool:
    """Apply several choices picked at once, as in "1 and 3"; return whether there were any."""
    if question.slot not in _SEVERAL or question.text.endswith(MORE):
        return False
    main, excepted = without_exceptions(message.text)
    own = [each.value for each in question.choices if not each.value.startswith(OFFER)]
    places = pick_places(main, len(own))
    if places:
        task.chosen.pop(question.slot, None)
        task.note(" and ".join(own[place] for place in places))
        task.excepted += excepted
        dialogue.told_detail = True
    return bool(places)


def take_pick(
    dialogue: Dialogue, task: Task, question: Question, place: int, message: ParsedMessage
) -> list[ParsedRequest]:
    """Apply the choice that was picked, and return the separate requests that came with it."""
    dialogue.told_detail = True
    choice = question.choices[place]
    leaves = choice.value == "leave" and question.slot in {*_TO_GO_ON, "transfer"}
    ends = not choice.value and ends_talk(message)
    if leaves or ends:
        dialogue.drop(task)
        dialogue.farewell |= ends
        return requests_beside(dialogue, task, message)
    if question.slot == CONDITION:
        task.condition, task.doubtful = "", False
        return requests_beside(dialogue, task, message)
    if question.slot == "intent" or choice.value.startswith(OFFER):
        _take_intent(task, choice.value.removeprefix(OFFER), dialogue)
        if len(message.words) > 1:
            task.note(message.text)
        dialogue.inherit_context(task)
        return []
    sentence = dialogue.pick(task, question, choice)
    if question.slot == "either":
        return []
    said = message.text
    if question.slot in _SEVERAL:  # "the sky one" tells which one it is, not what it should be
        own = {*tokens(choice.words)}
        said = " ".join(each for each in said.split() if not {*tokens(each)} & own)
    note(dialogue, task, message, f"{sentence} , {said}" if sentence else said)
    return requests_beside(dialogue, task, message)


def only_supposes(request: ParsedRequest, task: Task) -> bool:
    """Whether a part of a reply only asks what something would do, beside a change that is meant.

    "How long would it take if it goes back to the visa?" picks no payment method.
    """
    asks = request.modality == "what_if" and request.text.rstrip().endswith("?")
    return asks and not task.what_if


def ends_talk(message: ParsedMessage) -> bool:
    """Whether a message says that nothing more is wanted: "none of these, bye", "nothing else"."""
    return "farewell" in message.aside_intents or has(message.words, "nothing else", "nothing")


def _take_intent(task: Task, name: str, dialogue: Dialogue) -> None:
    """Set the task's intent to the one picked; "none of these" turns to the next page."""
    if not name:
        task.chosen["page"] = str(int(task.chosen.get("page", "0")) + 1)
        return
    task.what_if = name == "hypothetical"
    acts = (each.name for each in task.guesses if each.name in dialogue.reader.catalog.acts)
    task.intent = next(acts, name) if task.what_if else name
    task.chosen.pop("or", None)
    task.wait = ""


def requests_beside(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """The requests of a message that are clearly separate from what it says of a task."""
    acts = dialogue.reader.catalog.acts
    return [
        each
        for each in message.requests
        if not each.is_uncertain
        and (
            each.intent not in acts
            or (
                each.intent != task.intent
                and each.modality == "meant"
                and not dialogue.adds_detail_to(each, task, filled=True)
            )
        )
    ]


def note(dialogue: Dialogue, task: Task, message: ParsedMessage, sentence: str) -> None:
    """Add a sentence to a task, with the message's exceptions, fallbacks, limit and condition."""
    main, excepted = without_exceptions(sentence)
    task.note(main)
    task.excepted += excepted
    for said in (*message.requests, message):
        add_terms(dialogue, task, said)
