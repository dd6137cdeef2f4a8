"""Handles messages without a request: small talk, a goodbye, a no, or words without a meaning."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage

_MANNERS = frozenset({"greeting", "smalltalk", "about_clerk", "chat"})
_CHAT = frozenset({"chat", "smalltalk"})
CERTAIN = 0.85
"""How likely small talk must be, in a message that names something, for nothing to be offered."""

A_FEW_WORDS = 9
"""The most words of manners; who writes more has said something that is not to be lost."""

SURELY = 0.8
"""How likely small talk must be, in a message that names nothing, for nothing to be offered."""


def take_aside(dialogue: Dialogue, message: ParsedMessage) -> None:
    """Handle a message without a request: small talk, a no, or words without a known meaning."""
    kinds = set(message.aside_intents)
    if (
        dialogue.current_task is not None
        and not dialogue.current_task.closed
        and dialogue.question is not None
    ):
        return
    if _note_more(dialogue, message) or dialogue.names_finished(message):
        return
    if dialogue.gave_identity and "" not in kinds:
        return
    unknown, named = dialogue.records.user is None, dialogue.names_something(message.text)
    if "farewell" in kinds or "no" in kinds:
        take_leave(dialogue, drops="no" in kinds)
    elif {"about_clerk", "greeting"} & kinds and not unknown:
        dialogue.tasks.append(Task("greeting", message.text))
    elif kinds & {"identify", "yes"} or (unknown and not named and _is_mannerly(dialogue, message)):
        return
    elif unknown and not named:
        dialogue.opening = dialogue.opening or message.text
    elif kinds & _CHAT and _asks_nothing(dialogue, message) >= (CERTAIN if named else SURELY):
        return
    elif not dialogue.open_tasks:
        guesses = (
            dialogue.reader.guesses(message.text) if any(map(str.isalpha, message.text)) else ()
        )
        dialogue.tasks.append(Task(None, message.text, guesses, message=message.text))
        dialogue.has_new_request = True


def take_leave(dialogue: Dialogue, *, drops: bool) -> None:
    """Note that the customer says goodbye, or no to all that is still open."""
    dialogue.farewell = True
    for each in dialogue.open_tasks if drops else []:
        dialogue.drop(each)


def _is_mannerly(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Whether a message before the account is known is only some small talk, and surely so."""
    kinds = set(message.aside_intents)
    if len(message.words) > A_FEW_WORDS:
        return False
    return bool(kinds & _MANNERS) and _asks_nothing(dialogue, message) >= SURELY


def _asks_nothing(dialogue: Dialogue, message: ParsedMessage) -> float:
    """The probability that a whole message is small talk or only says who is speaking."""
    kinds = {*dialogue.reader.catalog.empty, *_MANNERS}
    return sum(each.probability for each in message.guesses if each.name in kinds)


def _note_more(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Add a message without a request to the newest open task if it names something specific.

    Returns whether it did.
    """
    tells = [each for each in message.detail_sentences if dialogue.names_something(each)]
    if not (dialogue.open_tasks and tells):
        return False
    dialogue.open_tasks[-1].note(" . ".join(tells))
    return True
