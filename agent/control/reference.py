"""Recognises sentences of the customer that refer to another record without naming it.

Such a sentence is no evidence against a change of this record. A pronoun in what the customer does
not want refers to the record that the agent named last, a number or *both* to the records that the
agent had listed, and *the other one* to a record that is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from agent.comparison import Talk
from agent.comparison.utterance import Utterance

_PRONOUN = re.compile(r"\b(?:it|that one|this one|that|this)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|don['’]?t|never|leave|keep)\b", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:both|all of (?:them|those|these)|the (?:two|three|four|five|six|others))\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"^(?:the |my |that )?other\b", re.IGNORECASE)
_ID = re.compile(r"[\w-]+")


def is_about_another(said: str, record: str | None, known: Collection[str], talk: Talk) -> bool:
    """Whether the customer's sentence is about something other than a change of this record.

    ``known`` are the ids of all records of its kind.
    """
    if _OTHER.search(said):
        return True
    if record is None:
        return False
    told = _find_telling_before(said, talk)
    listed = [] if told is None else list(_records_named(told.text, known))
    if _GROUP.search(said):
        return record in listed
    denies = _DENIES.search(said) is not None and not any(_records_named(said, known))
    points = denies and _PRONOUN.search(said) is not None
    return points and bool(listed) and listed[-1] != record


def _find_telling_before(said: str, talk: Talk) -> Utterance | None:
    """The agent's message that the customer's sentence answers."""
    found = False
    for each in talk.newest:
        if each.speaker == "customer":
            found = found or any(sentence.text == said for sentence in each.own)
        elif found:
            return each
    return None


def _records_named(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the records that a text names, in the order of the text."""
    for word in _ID.findall(text):
        yield from (each for each in (word, f"#{word}") if each in known)
