"""The act that a change is: whether and how a sentence speaks of it."""

from __future__ import annotations

from functools import lru_cache

from agent.comparison.sentences import Tokens, words
from agent.comparison.talk import Utterance

_ENDINGS = (
    *("", "e", "ed", "d", "t", "ing", "led", "ling", "ped", "ping"),
    *("ation", "lation", "er", "ion", "es"),
)


def has_verb(verbs: frozenset[str], spoken: Tokens) -> bool:
    """Whether any of these verbs stands in words, in any of its forms."""
    forms = _forms(verbs)
    return not forms.keys().isdisjoint(spoken) and any(
        spoken[place + 1 : place + 1 + len(rest)] == rest
        for place, word in enumerate(spoken)
        for rest in forms.get(word, ())
    )


def has_verb_in(verbs: frozenset[str], said: Utterance) -> bool:
    """Whether any sentence that somebody said has one."""
    may_have = not _forms(verbs).keys().isdisjoint(said.vocabulary)
    return may_have and any(has_verb(verbs, each.words) for each in said.own)


def place_of_verb(verb: str, spoken: Tokens) -> int | None:
    """Where a verb stands in any of its forms: *cancel*, *cancelled*, *cancelling*."""
    forms = _forms(frozenset({verb}))
    for place, word in enumerate(spoken):
        for rest in forms.get(word, ()):
            if spoken[place + 1 : place + 1 + len(rest)] == rest:
                return place
    return None


@lru_cache(maxsize=256)
def _forms(verbs: frozenset[str]) -> dict[str, tuple[Tokens, ...]]:
    """Every form of the verbs, with what follows it: *send* and *sending*, both before *back*."""
    found: dict[str, tuple[Tokens, ...]] = {}
    for verb in verbs:
        first, *rest = words(verb)
        for ending in _ENDINGS:
            form = first.removesuffix("e") + ending
            found[form] = (*found.get(form, ()), tuple(rest))
    return found
