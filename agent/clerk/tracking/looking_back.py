"""What is said of a change that was just made: that it is not right yet, or is to be undone."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.tracking.taking_up import NOTHING
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.scope import says_also
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.wishes import Message, Wish

_SHORT = 8
"""Words up to which a sentence only says that what was done is to be undone."""


def look_back(talk: Dialogue, told: Message) -> bool:
    """Whether a message is about the change that was made last, and asks for nothing else."""
    last = next((each for each in reversed(talk.requests) if each.intent != NOTHING), None)
    if last is None or talk.open or last.outcome != "done" or not last.written:
        return False
    undoes = [each for each in told.order if _undoes(talk, each)]
    for each in undoes:
        told.wishes = [wish for wish in told.wishes if wish is not each]
    if undoes or _means_another(talk, told):
        told.wishes = [each for each in told.wishes if each.intent != NOTHING]
        talk.requests.append(Task(NOTHING, told.text, message=told.text, chosen={"late": "yes"}))
        talk.fresh = True
        return not told.wishes
    if _adds(talk, last, told):
        told.wishes = [Wish(str(last.intent), told.text, 1.0, told.guesses, has_cue=True)]
        talk.handed = last.words
        return False
    if not _corrects(talk, last, told):
        return False
    notes = [*last.notes, talk.fills(last, told.text) or told.text]
    fresh = replace(last, notes=notes, written=[], closed=False, outcome="")
    talk.requests.append(replace(fresh, chosen={**last.chosen}))
    talk.fresh = True
    return True


def _undoes(talk: Dialogue, said: Wish | str) -> bool:
    """Whether a sentence says no more than that what was done is to be undone."""
    text = said if isinstance(said, str) else said.text
    words = tokens(text)
    return len(words) <= _SHORT and tells(words, "undone") and not talk.names(text)


def _means_another(talk: Dialogue, told: Message) -> bool:
    """Whether a message tells of nothing but what was meant instead: "sorry, i meant the lamp"."""
    left = {each.intent for each in told.wishes} == {NOTHING}
    return left and tells(told.words, "put right") and talk.names(told.text)


def _adds(talk: Dialogue, last: Task, told: Message) -> bool:
    """Whether a message names no more than another thing for the same: "and the lamp too"."""
    short = len(told.words) <= _SHORT and "?" not in told.text
    manner = talk.reader.manner
    alone = manner.verb(told.words) is None and last.intent in manner.acts
    return short and alone and says_also(told.words) and talk.names(told.text)


def _corrects(talk: Dialogue, last: Task, told: Message) -> bool:
    """Whether a message puts right a detail of a change that can be made once more."""
    again = last.intent in talk.reader.manner.kept
    plain = "?" in told.text or any(not each.unsure for each in told.wishes)
    tells_more = talk.fills(last, told.text) or talk.names(told.text)
    puts_right = "not" in told.words or tells(told.words, "put right")
    return again and not plain and puts_right and bool(tells_more)
