"""Answers yes-or-no questions about a card from its trial, without a model.

*Does that change my default address too?* can be read from the trial. What the trial does not know
(why, what the store is like, what would be better) is left to the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.comparison.mentions import speaks_of
from agent.comparison.sentences import words
from domains.core.changes import Change
from domains.core.facts import Ways
from domains.core.records import Preview
from domains.core.tool import Effect, WriteDeclaration
from domains.core.topics import Topic

_YES_OR_NO = re.compile(
    r"^\W*(?:(?:and|so|but|wait|ok(?:ay)?|hm+|um+|um,?|then)[\s,]+)*"
    r"(?:does|do|will|would|is|are|did|has|can you confirm|so)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:chang\w+|affect\w*|touch\w*|updat\w+|cancel\w*|mov\w+|remov\w+|alter\w*|los[et]\w*|keep"
    r"|sta(?:y|ys)|remain\w*|same|differ\w*|also|too|as well|still|refund\w*)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:how|why|what|which|when|where|who|should|better|smarter|instead|or)\b"
    r"|\b(?:is|are) there\b|\bfor (?:the|my|our)\b"
    r"|\band (?:do|does|did|is|are|was|were|will|would|can|could)\b",
    re.IGNORECASE,
)
"""What makes a question more than one whether something changes: it asks for more, for what there
is, or whether what changes does so *for the way back, too*."""

_STATUS, ENDED = "status", "cancelled"
"""The field that says whether a record is still in force, and its text for one that is not."""

_STAYS = re.compile(
    r"\b(?:keep|still|stays?|staying|remains?|the same|untouched|unchanged)\b", re.I
)
_ANYTHING_ELSE = re.compile(
    r"\b(?:anything|something|nothing) else\b|\bother changes\b", re.IGNORECASE
)


def answer_from_trial(
    topics: Iterable[Topic], notes: WriteDeclaration, preview: Preview, question: str
) -> str | None:
    """The trial's answer to a question, beginning with yes or no; None if it cannot tell."""
    if not _YES_OR_NO.match(question) or _OPEN.search(question):
        return None
    effects = notes.effects(preview.after, preview.call.arguments, preview.changes)
    if _ANYTHING_ELSE.search(question):
        return f"No. All that would be different: {_list_effects(each.text for each in effects)}."
    topic = _topic(topics, question)
    if topic is None or not _CHANGES.search(question):
        return None
    told = list(
        dict.fromkeys(_about(topic, preview, effects) or _ending_effects(topic, preview, effects))
    )
    return _phrase_answer(topic, told, asks_if_stays=_STAYS.search(question) is not None)


def _phrase_answer(topic: Topic, told: list[str], *, asks_if_stays: bool) -> str:
    if not told:
        return f"{'Yes' if asks_if_stays else 'No'}. This changes nothing about {topic.words}."
    return f"{'No' if asks_if_stays else 'Yes'}. {_list_effects(told)}."


def _list_effects(told: Iterable[str]) -> str:
    listed = "; ".join(told)
    return f"{listed[:1].upper()}{listed[1:]}"


def _topic(topics: Iterable[Topic], question: str) -> Topic | None:
    """The topic that a question names, by the longest phrase; None unless it is exactly one."""
    spoken = words(question)
    known = list(topics)
    ways: Ways = {
        way: frozenset({str(number)}) for number, topic in enumerate(known) for way in topic.ways
    }
    named = speaks_of(spoken, ways)
    return known[int(next(iter(named)))] if len(named) == 1 else None


def _about(topic: Topic, preview: Preview, effects: Iterable[Effect]) -> list[str]:
    """The effects, in words, that are about a topic."""
    labels = {
        each.label
        for change in preview.changes
        if _is_meant(topic, change, preview.call.arguments.values())
        for each in change.fields
        if _is_field(topic, each.label)
    }
    return [effect.text for effect in effects if labels & set(effect.covers)]


def _ending_effects(topic: Topic, preview: Preview, effects: Iterable[Effect]) -> list[str]:
    """The effects, in words, that end the record of a topic.

    The parts of a record that has ended stay in it and no longer mean anything.
    """
    ended = any(
        each.label == _STATUS and ENDED in str(each.after)
        for change in preview.changes
        if _is_meant(topic, change, preview.call.arguments.values())
        for each in change.fields
    )
    return [each.text for each in effects if _STATUS in each.covers] if ended else []


def _is_meant(topic: Topic, change: Change, arguments: Iterable[object]) -> bool:
    if change.collection != topic.collection:
        return False
    named = [each for each in arguments if isinstance(each, str)]
    return not topic.other or change.key not in named


def _is_field(topic: Topic, label: str) -> bool:
    if label.rpartition(".")[2] in topic.but:
        return False
    return not topic.fields or any(
        label == name or label.startswith(f"{name}.") for name in topic.fields
    )
