"""Compares how many of something a change includes, such as bags, with how many were asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.comparison.assent import agrees
from agent.comparison.scope import Scope
from agent.comparison.sentences import Clause, Sentence
from domains.core.facts import Count
from sessions.events import Disagreement

_NUMBERS = {"one": 1, "a": 1, "an": 1, "another": 1, "single": 1}
_BESIDE = frozenset(
    ["checked", "check", "extra", "additional", "more", "free", "paid", "total", "new", "other"]
)
_NONE = frozenset(["no", "without", "zero", "not", "don't", "dont", "doesn't", "nor", "any"])
_MORE = frozenset(("extra", "additional", "more", "another", "add", "also"))
"""Words by which a number may be an addition to a number that is not stated."""

_ON_TOP = frozenset(("more", "another", "add"))
"""Words by which a number is an addition, where the change adds to what there was."""

_IN_ALL = frozenset(("total", "altogether", "together"))
_MAKE_IT = re.compile(r"\b(?:make it|in all|in total)\b", re.IGNORECASE)
_EACH = re.compile(
    r"(?<!not )\b(?:each|apiece|per (?:person|passenger|head)|for (?:every|each)(?:one|body)?"
    r"|for both|both of us|everyone|everybody)\b",
    re.IGNORECASE,
)
_FREE = frozenset(("allowance", "allowed", "entitled"))


class _Asked(NamedTuple):
    number: int
    clause: Clause
    sentence: Sentence


def compare_counts(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement for each number that is not as requested or that no one mentioned."""
    for count in scope.facts.counts:
        found = _count_asked_for(count, scope)
        if found is not None and not _fits(count, found) and not _was_agreed(count, scope):
            yield Disagreement(
                kind=_kind(count),
                does=count.does,
                said=found.sentence.words_to_quote,
                by="customer",
            )
        elif found is None and _is_unheard_of(count, scope):
            yield Disagreement(kind=_kind(count), does=f"{count.does}, which nobody mentioned")


def _kind(count: Count) -> str:
    return f"number of {min(count.words)}s"


def _fits(count: Count, asked: _Asked) -> bool:
    """Whether the number is the requested one: in all or on top, for one person or for each."""
    added = count.total - count.before
    spoken = frozenset(asked.clause.words)
    several = {count.people} if _EACH.search(asked.sentence.text) else {1}
    given = {asked.number * times for times in several}
    if not _IN_ALL.isdisjoint(spoken) or _MAKE_IT.search(asked.clause.text):
        return count.total in given
    if count.is_added and asked.number and not _ON_TOP.isdisjoint(spoken):
        return added in given
    on_top = asked.number and not _MORE.isdisjoint(asked.sentence.words)
    return bool(on_top) or not given.isdisjoint((count.total, added))


def _was_agreed(count: Count, scope: Scope) -> bool:
    """Whether the agent stated this number of them and the customer agreed."""
    told = scope.answered_message
    if told is None or not told.has_any(count.words):
        return False
    numbers = {count.total, count.total - count.before}
    return any(agrees(each) for each in scope.answer) and any(
        _number_before(clause.words, place) in numbers
        for sentence in told.own
        for clause in sentence.clauses
        for place, word in enumerate(clause.words)
        if word in count.words
    )


def _is_unheard_of(count: Count, scope: Scope) -> bool:
    """Whether the change adds something that neither side ever mentioned."""
    changes = count.is_added and count.total != count.before
    return changes and not any(each.has_any(count.words) for each in scope.talk.newest)


def _count_asked_for(count: Count, scope: Scope) -> _Asked | None:
    for utterance in scope.customer_messages:
        if not utterance.has_any(count.words):
            continue
        for sentence in reversed(utterance.own):
            found = None if sentence.unsure else _number(count, sentence)
            if found is not None:
                return found
    return None


def _number(count: Count, sentence: Sentence) -> _Asked | None:
    """The number of such things that a sentence asks for, or None."""
    if _FREE & set(sentence.words):
        return None
    for clause in sentence.clauses:
        if clause.mood != "said":
            continue
        for place, word in enumerate(clause.words):
            if word in count.words:
                number = _number_before(clause.words, place)
                return None if number is None else _Asked(number, clause, sentence)
    return None


def _number_before(words: tuple[str, ...], place: int) -> int | None:
    """The number in front of a word, or None: *two extra checked bags*, *no bags*."""
    at = place - 1
    while at >= 0 and words[at] in _BESIDE:
        at -= 1
    if at < 0:
        return None
    word = words[at]
    if word.isdecimal() and len(word) < 3:
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    return (
        0
        if word in _NONE
        or (set(words[:place]) & _NONE and word in ("need", "have", "want", "bring", "add"))
        else None
    )
