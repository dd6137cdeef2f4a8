"""Handles remarks on a change that was just made: to correct it, to extend it, or to undo it."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.understanding.parsed_message import CERTAIN, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.sentence_kinds import says_also
from agent.clerk.understanding.tokens import tokens

_SHORT = 8
"""The most words of a sentence that does nothing but undo a change, or add a thing to it."""


def take_remark_on_change(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Handle a message about the change made last; return whether nothing is left to handle."""
    last = next((each for each in reversed(dialogue.tasks) if each.intent != NOTHING), None)
    if last is None or dialogue.open_tasks or last.outcome != "done" or not last.written:
        return False
    undoes = [each for each in message.in_order if _undoes(dialogue, each)]
    for each in undoes:
        message.requests = [wish for wish in message.requests if wish is not each]
    if undoes or (_means_another(dialogue, message) and not _corrects(dialogue, last, message)):
        message.requests = [each for each in message.requests if each.intent != NOTHING]
        dialogue.tasks.append(
            Task(NOTHING, message.text, message=message.text, chosen={"late": "yes"})
        )
        dialogue.has_new_request = True
        return not message.requests
    if _adds(dialogue, last, message):
        message.requests = [ParsedRequest(str(last.intent), message.text, 1.0, ())]
        dialogue.inherited = last.words
        return False
    if not _corrects(dialogue, last, message):
        return False
    notes = [*last.notes, dialogue.answer_sentence(last, message.text) or message.text]
    fresh = replace(last, notes=notes, written=[], closed=False, outcome="")
    dialogue.tasks.append(replace(fresh, chosen={**last.chosen}))
    dialogue.has_new_request = True
    return True


def _undoes(dialogue: Dialogue, said: ParsedRequest | str) -> bool:
    """Whether a sentence only says that the change is to be undone."""
    text = said if isinstance(said, str) else said.text
    words = tokens(text)
    return len(words) <= _SHORT and tells(words, "undone") and not dialogue.names_something(text)


def _means_another(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message only says what was meant instead: "sorry, i meant the lamp"."""
    left = {each.intent for each in message.requests} <= {NOTHING}
    return left and tells(message.words, "put right") and dialogue.names_something(message.text)


def _adds(dialogue: Dialogue, last: Task, message: ParsedMessage) -> bool:
    """Whether a message only names another thing for the same change: "and the lamp too"."""
    short = len(message.words) <= _SHORT and "?" not in message.text
    catalog = dialogue.reader.catalog
    alone = last.intent in catalog.acts and not any(
        each.intent != last.intent and each.probability >= CERTAIN for each in message.requests
    )
    return short and alone and says_also(message.words) and dialogue.names_something(message.text)


def _corrects(dialogue: Dialogue, last: Task, message: ParsedMessage) -> bool:
    """Whether a message corrects a detail of a change that can be made again."""
    again = last.intent in dialogue.reader.catalog.kept
    plain = "?" in message.text or any(not each.is_uncertain for each in message.requests)
    tells_more = dialogue.answer_sentence(last, message.text) or dialogue.names_something(
        message.text
    )
    puts_right = "not" in message.words or tells(message.words, "put right")
    return again and not plain and puts_right and bool(tells_more)
