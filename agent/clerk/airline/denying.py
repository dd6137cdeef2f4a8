"""Words by which no booking is wanted: "I'm not booking anything, I have a reservation"."""

from __future__ import annotations

import re
from functools import cache

from agent.clerk.airline.words import phrases
from agent.clerk.understanding.tokens import Tokens, tokens

_CLAUSE = re.compile(r"\s*(?:[,.;!?]|\bbut\b)\s*")


@cache
def _words(*names: str) -> frozenset[str]:
    """Words of ``words.json`` as they are compared here."""
    return frozenset(word for name in names for each in phrases(name) for word in tokens(each))


def without_booking(text: str) -> str | None:
    """What is left of a message that wants no booking; None where it does not say so."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    denied = [each for each in clauses if _denies(tokens(each))]
    owned = [each for each in clauses if _owns(set(tokens(each)))]
    rest = " , ".join(each for each in clauses if each not in denied and each not in owned)
    words = set(tokens(text))
    existing = {"existing", "current"} & words and _words("bookings") & words and changes(text)
    return rest if denied or existing or (owned and (not rest or changes(rest))) else None


def changes(text: str) -> bool:
    """Whether a text speaks of changing what there is."""
    return not _words("changes").isdisjoint(tokens(text))


def _denies(words: Tokens) -> bool:
    """Whether booking is denied, or asked why, and nothing that is to be booked is told apart."""
    place = next((n for n, word in enumerate(words) if word in _words("books")), None)
    if place is None or _words("books not").isdisjoint(words[:place]):
        return False
    return set(words[place:]) <= _words("books", "bookings", "fillers")


def _owns(words: set[str]) -> bool:
    """Whether it says that there is a reservation, and tells no more of it or that it is there."""
    has = _words("has") & words and _words("bookings") & words
    plain = words <= _words("has", "bookings", "fillers", "owner")
    return bool(has) and ("already" in words or plain)
