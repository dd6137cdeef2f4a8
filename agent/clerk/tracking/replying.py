"""Handles replies to a question, to a numbered offer, or to a declined proposal."""

from __future__ import annotations

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.lessons.adjusting import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import add_terms
from agent.clerk.understanding.clauses import without_exceptions
from agent.clerk.understanding.intents import is_word
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_by_difference, pick_place, pick_places
from agent.clerk.understanding.segmenting import clause_spans
from agent.clerk.understanding.tokens import has
from agent.clerk.wording import MORE

_BESIDE = ("also", "as well", "first", "something else")
"""Words which show that a change is wanted in addition to another."""

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
"""Slots of questions whose choices may be named by their own words."""

_YES_OR_NO = frozenset({"go", "whole"})
"""Slots of questions that a no answers, whatever else is said."""

FEW, SHORT = 4, 6
"""The most words of a reply that names an intent by its words, and of one that only says no."""

SURELY, LIKELY = 0.9, 0.6
"""How likely a denial must be to let go of a task if the message answers the question, and if not.
"""


def take_reply(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply to the current task, and return the requests that are new."""
    ask = dialogue.question
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(dialogue, task, ask, message)
    gone = _denials_of(dialogue, task, message)
    if gone:
        dialogue.drop(task)
        return [each for each in message.requests if not any(each is one for one in gone)]
    if ask is not None:
        if ask.slot == "items" and _leaves_out(dialogue, message):
            task.excepted.append(message.text)
            dialogue.told_detail = True
            return []
        if _take_several(dialogue, task, ask, message):
            return []
        place = place_picked(dialogue, ask, task, message)
        if place is not None:
            return _take_pick(dialogue, task, ask, place, message)
        if task.intent is None and ask.slot == "intent":
            return _take_instead_of_pick(dialogue, task, message)
    return _take_answer(dialogue, task, message)


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
    if question.slot == CONDITION and tells(words, "yes") and not tells(words, "not so"):
        return 0
    brief = question.slot != "intent" or len(message.text.split()) <= FEW
    by_words = question.slot in _BY_WORDS and "or" not in task.chosen and brief
    place = pick_place(message.text, [each.words for each in question.choices], by_words=by_words)
    own = [each.words for each in question.choices if not each.value.startswith(OFFER)]
    if place is not None or question.slot == "intent" or not own:
        return place
    if dialogue.answer_sentence(task, message.text):
        return None
    if len(own) > 1:
        return pick_by_difference(message.text, own)
    return 0 if _agrees(message) else None


def _agrees(message: ParsedMessage) -> bool:
    """Whether a message says yes; signs that are no word at all do not, whatever they look like."""
    words = (each for each in message.words if each.isascii() and each.isalpha())
    said = any(each in {"y", "k"} or (len(each) > 1 and is_word(each)) for each in words)
    return said and "yes" in message.aside_intents


def _slot(dialogue: Dialogue) -> str:
    """The slot that was asked for, or an empty string."""
    return dialogue.question.slot if dialogue.question is not None else ""


def _only_asks(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message is one question, without a clause beside it, surely not about a change."""
    asks = message.text.rstrip().endswith("?") and len(clause_spans(message.text)) == 1
    acts = dialogue.reader.catalog.acts
    return asks and any(e.intent not in acts and e.probability >= SURELY for e in message.requests)


def _denials_of(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """The denials by which a message lets go of a whole task and asks for nothing more of it."""
    family = dialogue.reader.catalog.family
    wanted = [e for e in message.requests if e.modality == "meant"]
    if any(family(each.intent) == family(str(task.intent)) for each in wanted):
        return []
    told = [each for each in message.in_order if isinstance(each, str)]
    answers = [message.text] if _slot(dialogue) == "reason" else told
    least = SURELY if any(dialogue.answer_sentence(task, each) for each in answers) else LIKELY

    def goes_on(denial: ParsedRequest) -> bool:
        after = message.in_order[message.in_order.index(denial) :]
        more = [each for each in told if each in after]
        return not wanted and any(dialogue.tells_of(task, each) for each in more)

    return [
        each
        for each in message.requests
        if each.modality == "denied"
        and min(each.probability, each.modality_probability) >= least
        and dialogue.denies(each, task)
        and dialogue.lets_go_of(task, each.text)
        and not goes_on(each)
    ]


def _leaves_out(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message only keeps one thing out of what was offered: "never mind the lamp"."""
    words = message.words
    instead = "," in message.text or {"not", "but"} <= {*words} or has(words, "instead", "only")
    alone = len(words) <= SHORT and not instead
    return alone and tells(words[:2], "left out") and dialogue.names_something(message.text)


def _take_several(
    dialogue: Dialogue, task: Task, question: Question, message: ParsedMessage
) -> bool:
    """Apply several choices picked at once, as in "1 and 3"; return whether there were any."""
    if question.slot not in dialogue.multi_choice_slots or question.text.endswith(MORE):
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


def _take_pick(
    dialogue: Dialogue, task: Task, question: Question, place: int, message: ParsedMessage
) -> list[ParsedRequest]:
    """Apply the choice that was picked, and return the separate requests that came with it."""
    dialogue.told_detail = True
    choice = question.choices[place]
    if question.slot == CONDITION:
        task.condition = ""
        if choice.value == "leave":
            dialogue.drop(task)
        return []
    if question.slot == "intent" or choice.value.startswith(OFFER):
        _take_intent(task, choice.value.removeprefix(OFFER), dialogue)
        if len(message.words) > 1:
            task.note(message.text)
        dialogue.inherit_context(task)
        return []
    sentence = dialogue.pick(task, question, choice)
    if question.slot == "either":
        return []
    note(dialogue, task, message, f"{sentence} , {message.text}" if sentence else message.text)
    return _beside(dialogue, task, message)


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


def _beside(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """The requests of a message that are clearly separate from what it says of a task."""
    acts = dialogue.reader.catalog.acts
    return [
        each
        for each in message.requests
        if not each.is_uncertain
        and (each.intent not in acts or (each.intent != task.intent and each.modality == "meant"))
    ]


def _take_instead_of_pick(
    dialogue: Dialogue, task: Task, message: ParsedMessage
) -> list[ParsedRequest]:
    """Handle a reply that picks nothing of what an unclear request may have meant.

    Its own requests replace that one, as does one that both together imply or make clear.
    """
    sure = any(not e.is_uncertain and e.modality != "denied" for e in message.requests)
    lets_go = "or" in task.chosen or any(e.modality == "denied" for e in message.requests)
    implied = None if lets_go or sure else dialogue.implied_request(message, task)
    if implied is not None:
        clear = [implied]
    elif lets_go or sure:
        clear = message.requests
    elif {"no", "farewell"} & set(message.aside_intents):
        dialogue.drop(task)
        return []
    else:
        again = dialogue.reader.read(f"{task.text.rstrip('.')} , {message.text}")
        clear = [e for e in again.requests if e.modality == "meant" and not e.is_uncertain]
        if not clear:
            if len(message.words) > 1:
                task.note(message.text)
                dialogue.told_detail = True
            return []
    task.close("dropped")
    dialogue.inherited = task.words
    return clear


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
    return _beside(dialogue, task, message)


def _take_answer(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply that picks no place in a list, and return the requests that are new."""
    acts = dialogue.reader.catalog.acts
    sentence = dialogue.answer_sentence(task, message.text)
    own = [
        each
        for each in message.requests
        if (
            dialogue.denies(each, task)
            if each.modality == "denied"
            else dialogue.adds_detail_to(each, task, filled=bool(sentence))
        )
    ]
    rest = [each for each in message.requests if not any(each is other for other in own)]
    changes = any(each.modality == "meant" and each.intent in acts for each in rest)
    if changes and not own and not message.detail_sentences:
        sentence = ""
    if changes and dialogue.declined and has(message.words, *_BESIDE):
        _propose_again(dialogue, task)
        return rest
    answered = any(dialogue.answer_sentence(task, each) for each in message.detail_sentences)
    if changes and not answered and _is_replaced(dialogue, task, message):
        dialogue.drop(task)
        dialogue.told_detail = False
        return rest
    if _says_no(dialogue, task, message, filled=bool(sentence), alone=not rest):
        dialogue.drop(task)
        return rest
    if not sentence and _slot(dialogue) == "revise" and _agrees(message):
        _propose_again(dialogue, task)
        dialogue.told_detail = True
        return rest
    wanted = any(each.modality == "meant" for each in own)
    more = message.limit is not None or message.condition or dialogue.tells_of(task, message.text)
    if sentence or wanted or (more and not rest):
        note(dialogue, task, message, sentence or message.text)
        dialogue.told_detail = True
    return rest


def _propose_again(dialogue: Dialogue, task: Task) -> None:
    """Allow a declined proposal to be made once more."""
    task.wait = ""
    dialogue.declined_calls.clear()


def _is_replaced(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Whether another change is wanted instead of the current one, and not beside it."""
    denied = any(each.modality == "denied" for each in message.requests)
    revised = task.what_if or dialogue.declined or _slot(dialogue) == "revise"
    instead = revised or denied or tells(message.words, "instead")
    return instead and not has(message.words, *_BESIDE)


def _says_no(
    dialogue: Dialogue, task: Task, message: ParsedMessage, *, filled: bool, alone: bool
) -> bool:
    """Whether a reply lets go of the task: by a denial or, if it answers nothing, by a bare no."""
    slot = _slot(dialogue)
    gone = [e for e in message.requests if e.modality == "denied" and dialogue.denies(e, task)]
    surely = slot == "reason" and all(each.modality_probability >= SURELY for each in gone)
    if gone and (surely or not filled):
        denied = " . ".join(each.text for each in gone)
        whole = all(dialogue.lets_go_of(task, each.text) for each in gone)
        return whole and not dialogue.names_something(denied)
    if filled:
        return False
    if slot in _YES_OR_NO and "no" in message.aside_intents:
        return True
    no = "no" in message.aside_intents and len(message.words) <= SHORT
    bare = alone and not dialogue.names_something(message.text)
    return bare and (no or "farewell" in message.aside_intents)


def note(dialogue: Dialogue, task: Task, message: ParsedMessage, sentence: str) -> None:
    """Add a sentence to a task, with the message's exceptions, fallbacks, limit and condition."""
    main, excepted = without_exceptions(sentence)
    task.note(main)
    task.excepted += excepted
    for said in (*message.requests, message):
        add_terms(dialogue, task, said)
