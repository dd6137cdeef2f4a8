"""Words by which no booking is wanted: "I'm not booking anything, I have a reservation"."""

from __future__ import annotations

import re

from agent.clerk.understanding.tokens import Tokens, tokens

_CLAUSE = re.compile(r"\s*(?:[,.;!?]|\bbut\b)\s*")
_NOUNS = frozenset(
    tokens("ticket tickets booking flight flights reservation reservations trip one")
)
_BOOKS = frozenset(tokens("book booking buy buying new"))
_DENIES = frozenset(tokens("not never no don't dont didn't didnt why"))
_HAS = frozenset(tokens("have got booked i've"))
_FILLERS = frozenset(
    tokens("anything something a an any some the my our that new you to it please")
)
_OWNER = frozenset(tokens("i we already yes no"))
_CHANGES = frozenset(
    f"{stem}{end}"
    for stem in ("chang", "mov", "switch", "reschedul", "postpon", "push")
    for end in ("", "e", "es", "ed", "ing")
)


def without_booking(text: str) -> str | None:
    """What is left of a message that wants no booking; None where it does not say so."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    denied = [each for each in clauses if _denies(tokens(each))]
    owned = [each for each in clauses if _owns(set(tokens(each)))]
    rest = " , ".join(each for each in clauses if each not in denied and each not in owned)
    words = set(tokens(text))
    existing = {"existing", "current"} & words and _NOUNS & words and changes(text)
    return rest if denied or existing or (owned and (not rest or changes(rest))) else None


def changes(text: str) -> bool:
    """Whether a text speaks of changing what there is."""
    return not _CHANGES.isdisjoint(tokens(text))


def _denies(words: Tokens) -> bool:
    """Whether booking is denied, or asked why, and nothing that is to be booked is told apart."""
    place = next((n for n, word in enumerate(words) if word in _BOOKS), None)
    if place is None or _DENIES.isdisjoint(words[:place]):
        return False
    return set(words[place:]) <= _BOOKS | _NOUNS | _FILLERS


def _owns(words: set[str]) -> bool:
    """Whether it says that there is a reservation, and tells no more of it or that it is there."""
    has = _HAS & words and _NOUNS & words
    return bool(has) and ("already" in words or words <= _HAS | _NOUNS | _FILLERS | _OWNER)
