"""Phrases that mean the same to the clerk and to the comparison made for a card."""

from __future__ import annotations

import re

_MISSPELT = re.compile(
    r"\b(?:everythin|everyting|everyhing|everthing|evrything|evrythin|evything|every thing)\b", re.I
)
_ALL_BUT = re.compile(
    r"\b((?:everything|all|whole|entire)(?: (?!(?:but|and|if|so|or)\b)[\w#'’-]+){0,6})"
    r" (?:but|bar|save(?: for)?)"
    r"(?= (?:not )?(?:the|my|that|those|these)\b)"
    r"(?![^,.;]{0,80}\b(?:is|are|was|were|has|have|had|looks?|works?|should|can|needs?|stays?"
    r"|\w+n['’]?t)\b)",
    re.IGNORECASE,
)

BARE_LIMIT = re.compile(
    r"\b(?:if|only|unless|long as|provided)\b[^.,;]{0,60}?"
    r"\b(?:than|under|below|over|above|at most|within|up ?to|exceeds?)"
    r" (\d[\d,]*(?:\.\d{1,2})?)(?: (?:more|extra|on top|in total|total|altogether))*"
    r"\s*(?:[.,;!)]|$|\b(?:forget|leave|don['’]?t|on (?:my|the)|with (?:my|the))\b)",
    re.IGNORECASE,
)
"""A limit without a word for money: *only if it's under 30 more*; not *30 kg*."""


def with_except(text: str) -> str:
    """The text with *everything* spelled right, and *except* for a *but* that means it.

    *Everythin in my order but the puzzle* is such a text. The *but* in *All of it came, but the mug
    is broken* excepts nothing and stays.
    """
    return _ALL_BUT.sub(r"\1 except", _MISSPELT.sub("everything", text))


CORRECTION = re.compile(
    r"\b(?:no,? wait|wait,? no|(?:i|we) meant?|scratch that|actually,? no|no,? actually|or rather"
    r"|make that|correction)\b",
    re.IGNORECASE,
)
"""Words that replace what was just said: *the tablet, no wait, the grill*."""

_BEFORE_IT = re.compile(r"\W*(?:(?:oh|ah|um+|hm+|sorry|oops|ugh|and|but|well)\W+)*$", re.IGNORECASE)
_BESIDE_IT = re.compile(r"\b(?:also|too|as well|both|either|plus|add)\b", re.IGNORECASE)


def corrects(text: str) -> bool:
    """Whether a part of a sentence begins with a correction; *I mean both* is an addition."""
    hit = CORRECTION.search(text)
    return (
        hit is not None
        and _BEFORE_IT.match(text[: hit.start()]) is not None
        and _BESIDE_IT.search(text) is None
    )
