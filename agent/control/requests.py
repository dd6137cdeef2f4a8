"""Whether a sentence of the customer's asks for a change of some kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agent.comparison.sentences import Clause, Sentence, words
from agent.comparison.verbs import has_verb
from domains.core.routing import Request

_NOUN_BEFORE = frozenset(words("a an the this that my your any some no of"))
_MEANS = frozenset(words("on onto to with via by using from through"))
_FAR = 4
"""How many words may stand between these and what they are about: *on my old gift card*."""

_INSTEAD = frozenset(words("instead rather"))
_NOUN_BEHIND = frozenset({"of", "in", "fee", "policy", "flight", "trip", "label"})


def asks(sentence: Sentence, request: Request, moods: Collection[str] = ("said", "then")) -> bool:
    """Whether a sentence asks for such a change: its verb, of the thing, neither denied nor past.

    A question is none, and neither is what hangs on *if*: that is a condition.
    """
    if request.things and request.things.isdisjoint(sentence.words):
        return False
    return any(_has_request(clause, request.verbs, moods) for clause in sentence.clauses)


def asked_in(sentence: Sentence, requests: Mapping[str, Request]) -> list[str]:
    """The kinds of change that a sentence asks for; what it names in passing is none of them."""
    found = [name for name, request in requests.items() if asks(sentence, request)]
    return [each for each in found if not _in_passing(sentence, requests[each], len(found) == 1)]


def _in_passing(sentence: Sentence, request: Request, alone: bool) -> bool:
    """Whether a thing is only named as what something else is done with: *swap it, on my Visa*.

    A change asked for by itself may name its thing so: *switch it to my Visa*.
    """
    if not request.passing or not _INSTEAD.isdisjoint(sentence.words):
        return False
    places = [at for at, word in enumerate(sentence.words) if word in request.things]
    if not all(_is_means(sentence.words, at, request) for at in places):
        return False
    return not (alone and has_verb(request.verbs - request.passing, sentence.words))


def _is_means(spoken: Sequence[str], at: int, request: Request) -> bool:
    """Whether what stands there is what something is done with, by the words before it."""
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
    """Whether it stands there as one asks for it: *cancel it*, not *was cancelled*, *a change of*.

    A noun's neighbours tell: an article before it, or *of* behind.
    """
    return any(
        word == verb
        and (not at or spoken[at - 1] not in _NOUN_BEFORE)
        and (at + 1 == len(spoken) or spoken[at + 1] not in _NOUN_BEHIND)
        for at, word in enumerate(spoken)
    )
