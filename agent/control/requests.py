"""Whether a sentence of the customer's asks for a change of some kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.comparison.sentences import Clause, Sentence, words
from agent.comparison.verbs import has_verb
from domains.core.routing import Request

_NOUN_BEFORE = frozenset(words("a an the this that my your any some no of"))
_NOUN_BEHIND = frozenset({"of", "in", "fee", "policy", "flight", "trip", "label"})


def asks(sentence: Sentence, request: Request, moods: Collection[str] = ("said", "then")) -> bool:
    """Whether a sentence asks for such a change: its verb, of the thing, neither denied nor past.

    A question is none, and neither is what hangs on *if*: that is a condition.
    """
    if request.things and request.things.isdisjoint(sentence.words):
        return False
    return any(_has_request(clause, request.verbs, moods) for clause in sentence.clauses)


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
