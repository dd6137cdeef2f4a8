"""Handles messages without a request: remarks on a change just made, small talk, a no."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.understanding.parsed_message import CERTAIN, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.sentence_kinds import says_also
from agent.clerk.understanding.tokens import Tokens, tokens

SHORT = 8
"""The most words of a sentence that does nothing but undo a change, or add a thing to it, and of
manners; who writes more has said something that is not to be lost."""

ONLY_TALK = 0.8
"""How likely small talk must be for nothing to be offered."""

RATHER_TALK = 0.5
"""More likely small talk than this, a message implies no wish by its details."""

MANNERS = frozenset({"greeting", "smalltalk", "about_clerk", "chat"})
"""Intents of small talk."""


def take_remark_on_change(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Handle a message about the change made last; return whether nothing is left to handle.

    "Scratch that" comes too late, "and the lamp too" asks for the same change of another thing, and
    "sorry, I meant number 5" makes it again with the detail put right, if that is possible.
    """
    last = next((each for each in reversed(dialogue.tasks) if each.intent != NOTHING), None)
    if last is None or dialogue.open_tasks or last.outcome != "done" or not last.written:
        return False
    undoes = [each for each in message.in_order if _undoes(dialogue, each)]
    if len(message.in_order) > 1:  # "no wait, what do we get for the delay?"
        undoes = [each for each in undoes if _words_of(each) not in _WAITS]
    others = [e for e in message.requests if not any(e is each for each in undoes)]
    clear = [e for e in others if e.intent != NOTHING and not e.is_uncertain]
    sentence = dialogue.answer_sentence(last, message.text)
    named = dialogue.names_something(message.text)
    puts_right = (sentence or named) and tells(message.words, "put right")
    if puts_right and not (undoes or clear or "?" in message.text):
        if last.intent in dialogue.reader.catalog.kept:
            notes = [*last.notes, sentence or message.text]
            again = replace(last, notes=notes, written=[], closed=False, outcome="")
            dialogue.tasks.append(replace(again, chosen={**last.chosen}))
            dialogue.has_new_request = True
            return True
        undoes.append(message.text)
    if undoes:
        late = Task(NOTHING, message.text, message=message.text, chosen={"late": "yes"})
        dialogue.tasks.append(late)
        dialogue.has_new_request = True
        message.requests = [each for each in others if each.intent != NOTHING]
        return not message.requests
    short = len(message.words) <= SHORT and "?" not in message.text
    others = [e for e in others if e.intent != last.intent and e.probability >= CERTAIN]
    adds = last.intent in dialogue.reader.catalog.acts and not others
    if adds and short and named and says_also(message.words):
        message.requests = [ParsedRequest(str(last.intent), message.text, 1.0, ())]
        dialogue.inherited = last.words
    return False


_WAITS = frozenset({("wait",), ("no", "wait"), ("oh", "wait")})


def _words_of(said: ParsedRequest | str) -> Tokens:
    return tokens(said if isinstance(said, str) else said.text)


def _undoes(dialogue: Dialogue, said: ParsedRequest | str) -> bool:
    """Whether a sentence only says that the change is to be undone."""
    text = said if isinstance(said, str) else said.text
    words = tokens(text)
    return len(words) <= SHORT and tells(words, "undone") and not dialogue.names_something(text)


def take_aside(dialogue: Dialogue, message: ParsedMessage) -> None:
    """Handle a message without a request: small talk, a no, or words without a known meaning."""
    kinds, task = set(message.aside_intents), dialogue.current_task
    if task is not None and not task.closed and dialogue.question is not None:
        return
    named = dialogue.names_something(message.text)
    details = [each for each in message.detail_sentences if dialogue.names_something(each)]
    if details and dialogue.open_tasks:
        dialogue.open_tasks[-1].note(" . ".join(details))
    elif dialogue.names_finished(message) or (dialogue.gave_identity and "" not in kinds):
        return
    elif {"farewell", "no"} & kinds:
        take_leave(dialogue, drops="no" in kinds)
    elif dialogue.records.user is None:
        manners = bool(kinds & MANNERS) and len(message.words) <= SHORT
        mannerly = {"identify", "yes"} & kinds or (manners and _asks_nothing(dialogue, message))
        if named and not mannerly:
            _take_unclear(dialogue, message)
        elif not mannerly:
            dialogue.opening = dialogue.opening or message.text
    else:
        _take_talk(dialogue, message)


def _take_talk(dialogue: Dialogue, message: ParsedMessage) -> None:
    """Handle small talk, a yes, or words without a known meaning, of a customer who is known."""
    kinds = {*message.aside_intents}
    if {"about_clerk", "greeting"} & kinds:
        dialogue.tasks.append(Task("greeting", message.text))
    elif "yes" in kinds and dialogue.has_offered_human and not tells(message.words, "thanking"):
        asked = dialogue.customer_texts[-2]
        dialogue.tasks.append(Task("other", asked, message=message.text))
    elif not ({"identify", "yes"} & kinds or _asks_nothing(dialogue, message)):
        _take_unclear(dialogue, message)


def _take_unclear(dialogue: Dialogue, message: ParsedMessage) -> None:
    """Add a task for a message that has no known meaning, so that some are offered.

    What is mostly small talk is only quoted back: "it's me again" wants nothing from a menu.
    """
    if _is_talk(dialogue, message):
        dialogue.opening = message.text
    elif not dialogue.open_tasks:
        words = any(map(str.isalpha, message.text))
        guesses = dialogue.reader.guesses(message.text) if words else ()
        dialogue.tasks.append(Task(None, message.text, guesses, message=message.text))
        dialogue.has_new_request, dialogue.not_understood = True, []  # it is quoted as a whole


def _asks_nothing(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a whole message is surely small talk or only says who is speaking."""
    kinds = {*dialogue.reader.catalog.empty, *MANNERS}
    return message.likelihood_of(kinds) >= ONLY_TALK


def _is_talk(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a first message is small talk, at most with mere details beside it."""
    catalog, kinds = dialogue.reader.catalog, {*message.aside_intents}
    talk = {*catalog.empty, *MANNERS}
    return not dialogue.tasks and bool(kinds & talk) and kinds <= talk | {catalog.detail}


def take_leave(dialogue: Dialogue, *, drops: bool) -> None:
    """Note that the customer says goodbye, or no to all that is still open."""
    dialogue.farewell = True
    for each in dialogue.open_tasks if drops else []:
        dialogue.drop(each)
