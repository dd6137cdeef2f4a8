"""Handles replies to a question or to a declined proposal."""

from __future__ import annotations

import re
from collections.abc import Container

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.lessons.adjusting import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place, pick_places
from agent.clerk.understanding.retracting import ends_by_taking_back
from agent.clerk.understanding.scope import without_exceptions, without_kept
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import MORE

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
_ONE_OF_TWO = re.compile(r",|;|\bnot\b.*\bbut\b|\binstead\b|\bonly\b", re.IGNORECASE)
_BESIDE = ("also", "as well", "first", "something else")
"""Words which show that a change is wanted in addition to another."""

_FEW = 4
"""The most words of a reply in which a choice may be named by its own words.

A yes or a no is looked for only among this many words at the start.
"""

_TELLS_MORE = 2
"""A reply to an offer with fewer words tells nothing more of an unclear request."""

_SHORT = 6
"""The most words of a message that is nothing but a no."""


def take_reply(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply to the current task, and return the requests that are new."""
    ask, acts = dialogue.question, dialogue.reader.catalog.acts
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(dialogue, task, ask, message)
    if ask is not None and (
        _take_refusal(dialogue, task, ask, message) or _take_several(dialogue, task, ask, message)
    ):
        return []
    may = ask is not None and dialogue.may_pick(ask, message.text)
    place = _place_picked(ask, task, message.text) if ask is not None and may else None
    if task.intent is None and place is None and (ask is None or ask.slot == "intent"):
        return _take_instead_of_pick(task, dialogue, message)
    if ask is not None and place is not None:
        return _take_pick(dialogue, task, ask, place, message)
    sentence = dialogue.answer_sentence(task, message.text)
    own = [e for e in message.requests if _is_own(dialogue, e, task, filled=bool(sentence))]
    rest = [each for each in message.requests if not any(each is other for other in own)]
    changes = [each for each in rest if each.modality == "meant" and each.intent in acts]
    if changes and not own and not message.detail_sentences:
        sentence = ""
    if changes and dialogue.declined and has(message.words, *_BESIDE):
        task.wait = ""
        dialogue.declined_calls.clear()
        return changes
    if changes and _is_replacement(dialogue, task, changes[0], message):
        dialogue.drop(task)
        dialogue.told_detail = False
        dialogue.pass_on_details(task, changes[0])
        return rest
    if _settle(dialogue, task, message, filled=bool(sentence), rest=bool(rest)):
        return rest
    told_more = any(e.modality == "meant" for e in own) or (
        _tells_more(dialogue, message) and not rest
    )
    if sentence or told_more:
        _note(task, message, sentence or message.text)
        dialogue.told_detail = True
    return rest


def _tells_more(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message names something specific, or sets a limit or a condition."""
    return (
        dialogue.names_something(message.text)
        or message.limit is not None
        or bool(message.condition)
    )


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
    if ends_by_taking_back(message.text):
        dialogue.drop(task)
        return True
    return False


def _take_yes_or_no(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> list[ParsedRequest]:
    """Record whether a lesson applies, and return the message's other requests.

    An answer that is neither yes nor no is asked about once more, and then counts as a no.
    """
    first = message.words[:_FEW]
    if "farewell" in message.aside_intents:
        dialogue.drop(task)
        return []
    answer = "no" if tells(first, "not so") else "yes" if tells(first, "so") else ""
    before = task.chosen.get(question.slot)
    task.chosen[question.slot] = answer or ("no" if before == UNCLEAR else UNCLEAR)
    task.note(message.text)
    dialogue.told_detail = True
    return [each for each in message.requests if _is_beside_pick(dialogue, each, task.intent)]


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
    return dialogue.adds_detail_to(request, task, filled=filled)


def _take_pick(
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
    _note(task, message, f"{sentence} , {message.text}" if sentence else message.text)
    return [each for each in message.requests if _is_beside_pick(dialogue, each, task.intent)]


def _take_several(
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


def _take_instead_of_pick(
    task: Task, dialogue: Dialogue, message: ParsedMessage
) -> list[ParsedRequest]:
    """Handle a reply that picks nothing from an offer: return its own requests, if it has any."""
    sure = [
        each for each in message.requests if not each.is_uncertain and each.modality != "denied"
    ]
    denied = any(each.modality == "denied" for each in message.requests)
    lets_go = "or" in task.chosen or (denied and not _accepts(message))
    certain = any(each.has_verb or each.has_cue for each in sure)
    plain = None if lets_go or certain else dialogue.implied_request(message, task)
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
    return len(message.words) <= _FEW + 1 and tells(message.words, "suits")


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


def _is_beside_pick(dialogue: Dialogue, request: ParsedRequest, intent: str | None) -> bool:
    """Whether a request that came with a pick is separate from it."""
    plain = request.has_verb and request.intent != intent and request.modality == "meant"
    asks = request.has_cue and request.intent not in dialogue.reader.catalog.acts
    return plain or asks


def _is_replacement(
    dialogue: Dialogue, task: Task, request: ParsedRequest, message: ParsedMessage
) -> bool:
    """Whether another change is wanted instead of the current one."""
    lets_go = any(each.modality == "denied" for each in message.requests)
    revised = dialogue.question is not None and dialogue.question.slot == "revise"
    instead = tells(message.words, "instead") and not has(message.words, *_BESIDE)
    return (
        dialogue.declined
        or (revised and not has(message.words, *_BESIDE))
        or lets_go
        or dialogue.replaces(task, request)
        or (instead and task.intent in dialogue.reader.catalog.acts)
    )


def _settle(
    dialogue: Dialogue, task: Task, message: ParsedMessage, *, filled: bool, rest: bool
) -> bool:
    """Handle a reply that is a yes or a no, or that drops the task; return whether it was one."""
    lets_go = any(each.modality == "denied" for each in message.requests)
    if lets_go and not filled and not dialogue.names_something(message.text):
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


def _place_picked(question: Question, task: Task, text: str) -> int | None:
    """The index of the choice that is meant; None if that is unclear.

    A yes to the question about a condition picks the first choice, which is to go ahead.
    """
    words = tokens(text)
    if question.slot == CONDITION and tells(words, "yes") and not tells(words, "not so"):
        return 0
    short = question.slot != "intent" or len(text.split()) <= _FEW
    told_apart = question.slot == "items" and len(words) <= _FEW and words[-1:] == ("one",)
    by_words = (question.slot in _BY_WORDS or told_apart) and "or" not in task.chosen and short
    meant = without_kept(text) if by_words else text
    return pick_place(meant, [each.words for each in question.choices], by_words=by_words)


def _note(task: Task, message: ParsedMessage, sentence: str) -> None:
    main, excepted = without_exceptions(sentence)
    task.note(main)
    task.excepted += excepted
    for wish in message.requests:
        task.alternatives += wish.otherwise
        task.limit = wish.limit if wish.limit is not None else task.limit
    task.alternatives += message.otherwise
    task.limit = message.limit if message.limit is not None else task.limit
    task.condition = message.condition or task.condition


def _take_yes(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Let a yes pick the only choice, or repeat a declined proposal; return whether it did."""
    ask = dialogue.question
    if ask is None or dialogue.declined:
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    if len(own) == 1:
        task.note(dialogue.pick(task, ask, own[0]))
        dialogue.told_detail = True
        return True
    if ask.slot == "revise" and tells(message.words, "yes"):
        task.wait = ""
        dialogue.declined_calls.clear()
        dialogue.told_detail = True
        return True
    return False
