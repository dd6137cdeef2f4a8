"""Recognizes the verbs of an act, such as *send back*, in any of their forms."""

from __future__ import annotations

from functools import lru_cache

from agent.comparison.sentences import Tokens, words

_ENDINGS = (
    *("", "e", "ed", "d", "t", "ing", "led", "ling", "ped", "ping"),
    *("ation", "lation", "er", "ion", "es"),
)

MOST_BETWEEN = 4
"""How many words may separate a verb from its particle: *send the small blue lamp back*."""

_IRREGULAR = {
    "send": ("sent",),
    "take": ("took", "taken"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "bring": ("brought",),
    "buy": ("bought",),
}


def has_verb(verbs: frozenset[str], spoken: Tokens) -> bool:
    """Whether any of these verbs occurs in the words, in any of its forms."""
    forms = forms_of(verbs)
    return not forms.keys().isdisjoint(spoken) and any(
        _follows(rest, spoken, place)
        for place, word in enumerate(spoken)
        for rest in forms.get(word, ())
    )


def place_of_verb(verb: str, spoken: Tokens) -> int | None:
    """The index of a verb in any of its forms (*cancel*, *cancelled*, *cancelling*), or None."""
    forms = forms_of(frozenset({verb}))
    for place, word in enumerate(spoken):
        for rest in forms.get(word, ()):
            if _follows(rest, spoken, place):
                return place
    return None


def _follows(rest: Tokens, spoken: Tokens, place: int) -> bool:
    """Whether the rest of a verb follows, either directly or as a particle after the object."""
    if len(rest) == 1:
        return rest[0] in spoken[place + 1 : place + 2 + MOST_BETWEEN]
    return spoken[place + 1 : place + 1 + len(rest)] == rest


@lru_cache(maxsize=256)
def forms_of(verbs: frozenset[str]) -> dict[str, tuple[Tokens, ...]]:
    """Map every form of the verbs to what must follow it: *send* and *sending* both to *back*."""
    found: dict[str, tuple[Tokens, ...]] = {}
    for verb in verbs:
        first, *rest = words(verb)
        regular = (first.removesuffix("e") + ending for ending in _ENDINGS)
        for form in (*regular, *_IRREGULAR.get(first, ())):
            found[form] = (*found.get(form, ()), tuple(rest))
    return found
