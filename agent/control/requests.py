"""Whether a sentence of the customer asks for a certain kind of change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agent.comparison.sentences import Clause, Sentence, words
from agent.comparison.verbs import has_verb
from domains.core.routing import ChangeKind

_NOUN_BEFORE = frozenset(words("a an the this that my your any some no of"))
_MEANS = frozenset(words("on onto to with via by using from through"))
_FAR = 4
"""The most words between one of these and what it belongs to: *on my old gift card*."""

_INSTEAD = frozenset(words("instead rather"))
_NOUN_BEHIND = frozenset({"of", "in", "fee", "policy", "flight", "trip", "label"})


def asks_for(
    sentence: Sentence, request: ChangeKind, moods: Collection[str] = ("said", "then")
) -> bool:
    """Whether a sentence asks for this kind of change: its verb and its thing, not denied or past.

    A question does not count as a request, and neither does a clause with *if*, which is a
    condition.
    """
    if request.things and request.things.isdisjoint(sentence.words):
        return False
    return any(_has_request(clause, request.verbs, moods) for clause in sentence.clauses)


def changes_asked_in(sentence: Sentence, requests: Mapping[str, ChangeKind]) -> list[str]:
    """The kinds of change that a sentence asks for, without those it only mentions in passing."""
    found = [name for name, request in requests.items() if asks_for(sentence, request)]
    return [each for each in found if not _in_passing(sentence, requests[each], len(found) == 1)]


def _in_passing(sentence: Sentence, request: ChangeKind, alone: bool) -> bool:
    """Whether a thing is only named as the means of something else: *swap it, on my Visa*.

    A change that is requested alone may name its thing in this way: *switch it to my Visa*.
    """
    if not request.passing_verbs or not _INSTEAD.isdisjoint(sentence.words):
        return False
    places = [at for at, word in enumerate(sentence.words) if word in request.things]
    if not all(_is_means(sentence.words, at, request) for at in places):
        return False
    return not (alone and has_verb(request.verbs - request.passing_verbs, sentence.words))


def _is_means(spoken: Sequence[str], at: int, request: ChangeKind) -> bool:
    """Whether the word at this place is the means of something, judged by the words before it."""
    for before in range(at - 1, max(-1, at - 1 - _FAR), -1):
        if spoken[before] in _MEANS:
            return True
        if has_verb(request.verbs, (spoken[before],)):
            return False
    return False


def _has_request(clause: Clause, verbs: frozenset[str], moods: Collection[str]) -> bool:
    if clause.mood not in moods:
        return False
    spoken = clause.words[: clause.start_of_denial]
    return any(
        _stands_as_verb(words(verb)[0], spoken) and has_verb(frozenset({verb}), spoken)
        for verb in verbs
    )


def _stands_as_verb(verb: str, spoken: Sequence[str]) -> bool:
    """Whether the word is used as a verb, as in *cancel it*, not as a noun: *a change of*.

    The neighbouring words of a noun give it away: an article before it, or *of* after it.
    """
    return any(
        word == verb
        and (not at or spoken[at - 1] not in _NOUN_BEFORE)
        and (at + 1 == len(spoken) or spoken[at + 1] not in _NOUN_BEHIND)
        for at, word in enumerate(spoken)
    )
