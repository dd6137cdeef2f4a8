"""Replies that pick from a numbered offer, or say something else to it."""

from __future__ import annotations

from collections.abc import Container

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.clauses import without_exceptions
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place, pick_places
from agent.clerk.understanding.sentence_kinds import without_kept
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import MORE

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
FEW = 4
"""The most words of a reply in which a choice may be named by its own words.

A yes or a no is looked for only among this many words at the start.
"""

_TELLS_MORE = 2
"""A reply to an offer with fewer words tells nothing more of an unclear request."""


def take_pick(
    dialogue: Dialogue, task: Task, question: Question, place: int, message: ParsedMessage
) -> list[ParsedRequest]:
    """Apply the choice that was picked, and return the separate requests that came with it."""
    dialogue.told_detail = True
    if question.slot == CONDITION:
        task.condition = ""
        if question.choices[place].value == "leave":
            dialogue.drop(task)
        return []
    if _take_intent(task, question, place, dialogue.reader.catalog.acts):
        if len(message.words) > 1:
            task.note(message.text)
        dialogue.inherit_context(task)
        return []
    sentence = dialogue.pick(task, question, question.choices[place])
    if question.slot == "either":
        return []
    note(dialogue, task, message, f"{sentence} , {message.text}" if sentence else message.text)
    return [each for each in message.requests if is_beside_pick(dialogue, each, task.intent)]


def take_several(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> bool:
    """Apply several choices picked at once, as in "1 and 3"; return whether there were any."""
    if question.slot not in dialogue.multi_choice_slots or question.text.endswith(MORE):
        return False
    own = [each for each in question.choices if not each.value.startswith(OFFER)]
    main, excepted = without_exceptions(message.text)
    places = pick_places(main, len(own))
    if places:
        task.chosen.pop(question.slot, None)
        task.note(" and ".join(own[place].value for place in places))
        task.excepted += excepted
        dialogue.told_detail = True
    return bool(places)


def take_instead_of_pick(
    task: Task, dialogue: Dialogue, message: ParsedMessage
) -> list[ParsedRequest]:
    """Handle a reply that picks nothing from an offer: return its own requests, if it has any."""
    sure = [
        each for each in message.requests if not each.is_uncertain and each.modality != "denied"
    ]
    denied = any(each.modality == "denied" for each in message.requests)
    lets_go = "or" in task.chosen or (denied and not _accepts(message))
    plain = None if lets_go or sure else dialogue.implied_request(message, task)
    if lets_go or sure or plain is not None:
        task.closed, task.outcome = True, "dropped"
        dialogue.inherited = task.words
        return message.requests if plain is None else [plain]
    if {"no", "farewell"} & set(message.aside_intents):
        dialogue.drop(task)
        return []
    return _read_with_reply(task, dialogue, message)


def _read_with_reply(task: Task, dialogue: Dialogue, message: ParsedMessage) -> list[ParsedRequest]:
    """Read an unclear request again together with what was said to its offer."""
    again = dialogue.reader.read(f"{task.text.rstrip('.')} , {message.text}")
    clear = [e for e in again.requests if e.modality == "meant" and not e.is_uncertain]
    if len(message.words) < _TELLS_MORE:
        return []
    if not clear:
        task.note(message.text)
        dialogue.told_detail = True
        return []
    task.closed, task.outcome = True, "dropped"
    dialogue.inherited = task.words
    return clear


def _accepts(message: ParsedMessage) -> bool:
    """Whether a short reply only says that something suits: "plum is fine"."""
    return len(message.words) <= FEW + 1 and tells(message.words, "suits")


def _take_intent(task: Task, question: Question, place: int, acts: Container[str]) -> bool:
    """Set the task's intent if the pick is one; "none of these" turns to the next page.

    Returns whether the pick was one of these.
    """
    value = question.choices[place].value
    if question.slot != "intent" and not value.startswith(OFFER):
        return False
    name = value.removeprefix(OFFER)
    task.what_if = name == "hypothetical"
    if not name:
        task.chosen["page"] = str(int(task.chosen.get("page", "0")) + 1)
        return True
    likely = (each.name for each in task.guesses if each.name in acts)
    task.intent = next(likely, name) if task.what_if else name
    task.chosen.pop("or", None)
    task.wait = ""
    return True


def is_beside_pick(dialogue: Dialogue, request: ParsedRequest, intent: str | None) -> bool:
    """Whether a request that came with a pick is separate from it."""
    asks = request.intent not in dialogue.reader.catalog.acts
    another = request.intent != intent and request.modality == "meant"
    return not request.is_uncertain and (asks or another)


def place_picked(question: Question, task: Task, text: str) -> int | None:
    """The index of the choice that is meant; None if that is unclear.

    A yes to the question about a condition picks the first choice, which is to go ahead.
    """
    words = tokens(text)
    if question.slot == CONDITION and tells(words, "yes") and not tells(words, "not so"):
        return 0
    short = question.slot != "intent" or len(text.split()) <= FEW
    told_apart = question.slot == "items" and len(words) <= FEW and words[-1:] == ("one",)
    by_words = (question.slot in _BY_WORDS or told_apart) and "or" not in task.chosen and short
    meant = without_kept(text) if by_words else text
    return pick_place(meant, [each.words for each in question.choices], by_words=by_words)


def _keeps(request: ParsedRequest) -> bool:
    """Whether something is to be left out of a change: "the sweater no, leave it"."""
    words = tokens(request.text)
    told = has(words, "keep", "leave", "stays", "stay", "not", "no") or tells(words, "keeping")
    return request.modality == "denied" and told


def note(dialogue: Dialogue, task: Task, message: ParsedMessage, sentence: str) -> None:
    """Add a sentence to a task, with the message's exceptions, fallbacks, limit and condition."""
    main, excepted = without_exceptions(sentence)
    task.note(main)
    task.excepted += excepted
    for wish in message.requests:
        if _keeps(wish) and dialogue.names_things(wish.text):
            task.excepted.append(wish.text)
        task.alternatives += wish.otherwise
        task.limit = wish.limit if wish.limit is not None else task.limit
    task.alternatives += message.otherwise
    task.limit = message.limit if message.limit is not None else task.limit
    task.condition = message.condition or task.condition
