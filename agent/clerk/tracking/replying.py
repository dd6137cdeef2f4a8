"""Handles replies to a question or to a declined proposal."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.lessons.adjusting import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.tracking.denials import (
    SHORT,
    denials_of,
    denials_of_pick,
    leaves_out,
    refuses_all,
    slot_asked,
)
from agent.clerk.tracking.picks import (
    FEW,
    agrees,
    goes_ahead,
    note,
    only_supposes,
    place_picked,
    requests_beside,
    take_pick,
    take_several,
)
from agent.clerk.tracking.task_creation import RULES, add_terms
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import SENTENCES, any_will_do, only_asks
from agent.clerk.understanding.tokens import has, tokens

_BESIDE = ("also", "as well", "first", "something else")
"""Words which show that a change is wanted in addition to another."""

_OF_SEVERAL = frozenset({"rebook"})
"""Slots of questions that propose several changes, each of which a reply may name."""

_YES_OR_NO = frozenset({"go", "whole"})
"""Slots of questions that a no answers, whatever else is said."""

HARDLY_OWN = 0.25
"""Less likely than this, what a reply wants or asks is no part of what it answers."""


def take_reply(dialogue: Dialogue, task: Task, message: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply to the current task, and return the requests that are new."""
    ask = dialogue.question
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(dialogue, task, ask, message)
    own = _without_other_wishes(dialogue, task, message)
    if _is_asked_to_pick(dialogue):
        own = _without_questions(dialogue, own)
        _ask_beside(task, message)
    place = place_picked(dialogue, ask, task, own) if ask is not None else None
    shrugs = ask is not None and len(ask.choices) > 1 and any_will_do(own.text, "your choice")
    if ask is not None and place is not None:
        gone = denials_of_pick(dialogue, task, ask.choices[place], message)
    else:
        gone = denials_of(dialogue, task, message)
    if (gone and not shrugs) or (ask is not None and ask.choices and refuses_all(message)):
        dialogue.drop(task)
        return [each for each in message.requests if not any(each is one for one in gone)]
    if ask is not None and ask.slot == "items" and leaves_out(dialogue, message):
        task.excepted.append(message.text)
        dialogue.told_detail = True
        return []
    if ask is not None and take_several(dialogue, task, ask, own):
        return requests_beside(dialogue, task, message)
    if ask is not None and place is not None:
        return take_pick(dialogue, task, ask, place, own)
    if task.intent is None and slot_asked(dialogue) == "intent":
        return _take_instead_of_pick(dialogue, task, message)
    return _take_answer(dialogue, task, message, own)


def _without_other_wishes(dialogue: Dialogue, task: Task, message: ParsedMessage) -> ParsedMessage:
    """A message without what it surely wants or asks besides a task, if anything else is left.

    After a no that is also what is unclear: "oh no, forget it. but can I use the $180 card for the
    insurance" does not pick that card.
    """
    text, catalog = message.text, dialogue.reader.catalog
    own = {catalog.family(str(task.intent)), catalog.detail, *catalog.asides}
    known = task.intent is not None and slot_asked(dialogue) not in _OF_SEVERAL
    for each in message.requests if known else ():
        likely = sum(e.probability for e in each.guesses if catalog.family(e.name) in own)
        doubted = each.is_uncertain and "no" in message.asides_before(each)
        other = doubted or not dialogue.adds_detail_to(each, task, filled=False)
        if each.modality != "denied" and likely < HARDLY_OWN and other:
            text = text.replace(each.text, f" {_led_up_to(each.text)} ")
            for said in message.details_before(each):
                if tells(tokens(said), "i mean"):  # "I mean the jacket. was that refunded?"
                    text = text.replace(said, " ")
    return replace(message, text=text) if any(map(str.isalnum, text)) else message


def _led_up_to(question: str) -> str:
    """What stands before a question in one sentence with it: "the third, but how long is it?"."""
    parts = SENTENCES.split(question)
    return " ".join(e for e in parts if not only_asks(e)) if only_asks(parts[-1]) else ""


def _is_asked_to_pick(dialogue: Dialogue) -> bool:
    """Whether the message before this one asked to choose, and not what to do instead."""
    ask = dialogue.question
    return ask is not None and bool(ask.choices) and ask.slot != "revise" and not dialogue.declined


def _ask_beside(task: Task, message: ParsedMessage) -> None:
    """Make what a reply only asks of the change that is under way a question of its own."""
    for each in message.requests:
        if only_supposes(each, task) and each.intent == task.intent:
            each.become(RULES)


def _without_questions(dialogue: Dialogue, message: ParsedMessage) -> ParsedMessage:
    """A reply without the sentences that only ask something, and so choose nothing.

    What asks for a change is no such question: "would it go on the visa instead?".
    """
    acts = dialogue.reader.catalog.acts
    wanted = [e.text for e in message.requests if e.intent in acts and e.modality == "meant"]
    parts = SENTENCES.split(message.text)
    kept = [
        each
        for each in parts
        if not only_asks(each) or any(each in text or text in each for text in wanted)
    ]
    return message if len(kept) == len(parts) else replace(message, text=" ".join(kept))


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
    return requests_beside(dialogue, task, message)


def _take_answer(
    dialogue: Dialogue, task: Task, message: ParsedMessage, said: ParsedMessage
) -> list[ParsedRequest]:
    """Apply a reply that picks no place in a list, and return the requests that are new.

    ``said`` is the message without what surely is about something else.
    """
    acts = dialogue.reader.catalog.acts
    sentence = dialogue.answer_sentence(task, said.text)
    own = [
        each
        for each in message.requests
        if (
            dialogue.denies(each, task)
            if each.modality == "denied"
            else each.text in said.text
            and not (each.is_uncertain and dialogue.declined and each.text.rstrip().endswith("?"))
            and dialogue.adds_detail_to(each, task, filled=bool(sentence))
        )
    ]
    rest = [each for each in message.requests if not any(each is other for other in own)]
    changes = any(each.modality == "meant" and each.intent in acts for each in rest)
    if changes and not own and not message.detail_sentences:
        sentence = ""
    denied = any(each.modality == "denied" for each in message.requests)
    wanted = [each for each in own if each.modality == "meant" and not denied]
    if dialogue.declined and any(dialogue.starts_over(task, each, message) for each in wanted):
        dialogue.drop(task)
        return [*wanted, *rest]
    if changes and dialogue.declined and (wanted or has(message.words, *_BESIDE)):
        _propose_again(dialogue, task)
        for each in wanted:
            note(dialogue, task, message, each.text)
            dialogue.told_detail = True
        return rest
    answered = any(dialogue.answer_sentence(task, each) for each in message.detail_sentences)
    if changes and not (answered or wanted) and _is_replaced(dialogue, task, message):
        dialogue.drop(task)
        dialogue.told_detail = False
        return rest
    begins = isinstance(message.in_order[0], str) if message.in_order else False
    alone = not rest or (said is not message and begins)  # "add the lamp? no" is a no to that
    if not sentence and _says_no(dialogue, said, alone=alone):
        dialogue.drop(task)
        return rest
    if slot_asked(dialogue) == "revise" and not denied and (agrees(said) or goes_ahead(said)):
        _propose_again(dialogue, task)
        if sentence:
            note(dialogue, task, message, sentence)
        else:  # it may hang on something: "yes, if it is free"
            add_terms(dialogue, task, message)
        dialogue.told_detail = True
        return rest
    more = message.limit is not None or message.condition or dialogue.tells_of(task, said.text)
    meant = any(each.modality == "meant" for each in own)
    if sentence or meant or (more and alone):
        own_words = _without_others(dialogue, task, sentence or said.text, rest)
        note(dialogue, task, message, own_words)
        dialogue.told_detail = True
    return rest


def _without_others(dialogue: Dialogue, task: Task, text: str, rest: list[ParsedRequest]) -> str:
    """A reply without what is wanted or asked beside it and tells nothing of this task.

    That is another change, and a question about another record or day.
    """
    for each in rest:
        sure = each.modality == "meant" and not each.is_uncertain
        changes = each.intent in dialogue.reader.catalog.acts
        if sure and (changes or dialogue.names_another(task, each)):
            text = text.replace(each.text, " ")
    return text


def _propose_again(dialogue: Dialogue, task: Task) -> None:
    """Allow a declined proposal to be made once more."""
    task.wait = ""
    dialogue.declined_calls.clear()


def _is_replaced(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Whether another change is wanted instead of the current one, and not beside it."""
    denied = any(each.modality == "denied" for each in message.requests)
    revised = task.what_if or dialogue.declined or slot_asked(dialogue) == "revise"
    instead = revised or denied or tells(message.words, "instead")
    return instead and not has(message.words, *_BESIDE)


def _says_no(dialogue: Dialogue, message: ParsedMessage, *, alone: bool) -> bool:
    """Whether a reply that answers nothing lets go of the task by a bare no."""
    no = "no" in message.aside_intents
    if no and slot_asked(dialogue) in _YES_OR_NO:
        return True
    bare = alone and not dialogue.names_something(message.text)
    no = no and len(message.words) <= SHORT
    return bare and (no or "farewell" in message.aside_intents)
