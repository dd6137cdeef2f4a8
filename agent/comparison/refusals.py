"""Finds the word from which on a clause refuses what it names.

A negated value is refused. For things it depends on what is negated: *don't return the lamp*
refuses it, while *I can't use the lamp* says why it goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from agent.comparison.sentences import Clause, words
from agent.comparison.verbs import has_verb
from domains.core.facts import Keys

Things = Literal["taken away", "replaced", ""]
"""The effect of a change on the things named; empty if its choice is not about things."""


class Named(NamedTuple):
    """A name found in words, from ``place`` up to ``end``, and the alternatives it stands for."""

    place: int
    end: int
    keys: Keys


_AS_IT_IS = re.compile(
    r"\b(?:(?:as|way|like) (?:it|they)(?: (?:is|are|was|were)|['’]s)|as is|alone|unchanged|be)\b",
    re.I,
)
_OF_IT = re.compile(r"\b(?:in|size|colou?r|same|with|\d+)\b", re.IGNORECASE)

SHORT = 8
"""How many words a clause may have that only asks for a thing to stay."""

_DONE_TO_THINGS = frozenset(
    words(
        "return cancel refund exchange swap change modify replace switch send take give bring "
        "touch include go do remove drop"
    )
)
"""Verbs for what a change does to things; negating one of them refuses the things."""

_BEGINS_ANEW = frozenset(
    words("so and because since as but please can could i we let let's you would")
)
"""Words that begin a new statement, which the negation does not reach."""

_VERBAL = frozenset(
    words(
        "never cannot can't cant don't dont doesn't doesnt didn't didnt won't wont wouldn't "
        "couldn't shouldn't isn't isnt aren't arent wasn't wasnt haven't hasn't hadn't"
    )
)
"""Negations that are followed by a verb and not directly by what is negated."""

_AUXILIARY = frozenset(words("do does did can could would will should have has had is are was am"))
_DETERMINERS = frozenset(words("the my that this these those a an any his her our both either all"))

_NEEDLESS = frozenset(
    words(
        "be really need needed necessary required want wanted for me us this time thanks thank you "
        "at all then today please either interested now"
    )
)
"""Words that may follow a negation after its object: *insurance we don't need*."""

_LEFT = re.compile(
    r"\bleav(?:e|ing)\b.*\b(?:alone|out|untouched|aside)\b"
    r"|\b(?:stay|remain)s? (?:untouched|unused)\b",
    re.IGNORECASE,
)
"""Phrases by which a value is not to be used: *leave the certificate alone*."""

_SUITS = re.compile(
    r"\b(?:is|are|was|were|seems?|looks?|works?)(?: (?:all|just|perfectly|totally|really))? "
    r"(?:fine|good|great|ok(?:ay)?|perfect|right|lovely|well)\b",
    re.IGNORECASE,
)

_WANT = frozenset(words("want need love"))
_EMPHATIC = frozenset(words("still definitely certainly actually really"))
_AFTER_WANT = frozenset(words("it that them after all though too still badly now"))
_NOBODY = frozenset(words("nobody none who what"))


def says_it_is_fine(clause: Clause, things: Things) -> bool:
    """Whether the clause says that a thing is fine, so that it may stay: *the lamp is fine*.

    As an answer to *which one goes?*, the same words take it.
    """
    return (
        things == "taken away"
        and not clause.denies
        and _SUITS.search(clause.text) is not None
        and not has_verb(_DONE_TO_THINGS, clause.words)
    )


def start_of_refusal(clause: Clause, places: Sequence[Named], things: Things) -> int:
    """The index of the word after which names are refused: -1 for all, past the end for none."""
    nothing = len(clause.words)
    if clause.denies:
        if things:
            return _of_things_denied(clause, places)
        return -1 if _is_needless(clause, places) else clause.start_of_denial
    if not things and _LEFT.search(clause.text):
        return -1
    if things == "taken away" and _is_wanted(clause, places):
        return -1
    keeps = clause.keeps_at if things else None
    if keeps is None or (things == "replaced" and not _keeps_whole(clause, keeps)):
        return nothing
    # "keep the lamp", and "the lamp stays with me"
    return keeps if any(place > keeps for place, _, _ in places) else -1


def _of_things_denied(clause: Clause, places: Sequence[Named]) -> int:
    """The same index for a clause about things that contains a negation.

    Things are refused if they are negated themselves, or if something done to them is.
    """
    at = clause.start_of_denial
    after = clause.words[at + 1 :]
    named = next((place - at - 1 for place, _, _ in places if place > at), None)
    if named is None:  # "the lamp should not go back"
        return -1 if has_verb(_DONE_TO_THINGS, _until_anew(after)) else len(clause.words)
    before, behind = after[:named], _until_anew(after[named:])
    if has_verb(_DONE_TO_THINGS, before) or has_verb(_DONE_TO_THINGS, behind):
        return at
    return len(clause.words) if _denies_verb(clause, before) else at


def _until_anew(spoken: tuple[str, ...]) -> tuple[str, ...]:
    end = next((place for place, word in enumerate(spoken) if word in _BEGINS_ANEW), len(spoken))
    return spoken[:end]


def _denies_verb(clause: Clause, before: tuple[str, ...]) -> bool:
    """Whether a verb is negated, not the thing itself: *I can't use the*, *not happy with the*."""
    at = clause.start_of_denial
    word = clause.words[at]
    if word in _VERBAL or (word == "not" and at > 0 and clause.words[at - 1] in _AUXILIARY):
        return bool(before) and not _DETERMINERS.issuperset(before)
    return word == "not" and len(before) > 1 and before[0] not in _DETERMINERS


def _is_needless(clause: Clause, places: Sequence[Named]) -> bool:
    """Whether it says that what it names is not needed: *insurance none*, *a bag is not needed*."""
    at = clause.start_of_denial
    return all(end <= at for _, end, _ in places) and _NEEDLESS.issuperset(clause.words[at + 1 :])


def _is_wanted(clause: Clause, places: Sequence[Named]) -> bool:
    """Whether the thing is still wanted: *the lamp I still want*, *the mat my son needs*."""
    spoken = clause.words
    if _WANT.isdisjoint(spoken) or not _NOBODY.isdisjoint(spoken):
        return False
    wants = any(
        (at > 0 and spoken[at - 1] in _EMPHATIC)
        or (_AFTER_WANT.issuperset(spoken[at + 1 :]) and any(place < at for place, _, _ in places))
        for at, word in enumerate(spoken)
        if word in _WANT
    )
    return wants and not has_verb(_DONE_TO_THINGS, spoken)


def _keeps_whole(clause: Clause, keeps: int) -> bool:
    """Whether a thing is to stay as it is, and not only something about it: its size, its color."""
    if _AS_IT_IS.search(clause.text):
        return True
    short = keeps <= 2 and len(clause.words) <= SHORT
    return short and not _OF_IT.search(clause.text)
