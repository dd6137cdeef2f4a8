"""Words by which no booking is wanted: "I'm not booking anything, I have a reservation"."""

from __future__ import annotations

import re

_NOUN = r"(?:ticket|booking|flight|reservation|trip|one)s?"
_THING = rf"(?:anything|(?:a|any|some)? ?(?:new )?{_NOUN})"
_ASKED = r"(?:(?:do not|don'?t|did not|didn'?t|never|not) (?:\w+ )?(?:want|need|ask|mean)(?:ed|t)?)"
_DENIED = (
    re.compile(rf"\b(?:not|never) (?:\w+ )?(?:booking|buying)(?: {_THING})?$"),
    re.compile(rf"\b{_ASKED} (?:for )?(?:a |any |the |to )*new {_NOUN}$"),
    re.compile(rf"\b{_ASKED} (?:you )?to (?:book|buy)(?: {_THING})?$"),
    re.compile(rf"\b{_ASKED} for (?:a |any |the )?(?:new )?booking$"),
    re.compile(rf"^(?:no |please )*(?:no|not) (?:a |any )?(?:new {_NOUN}|booking)(?: please)?$"),
)
_OWN = rf"(?:(?:a|my|our|the|that) )?{_NOUN}"
_OWNED = (
    re.compile(rf"\b(?:have|got|booked) {_OWN} already$"),
    re.compile(rf"\balready (?:have|got|booked) {_OWN}(?: (?:for|on) \w+(?: \w+)?)?$"),
)
_EXISTING = re.compile(rf"\b(?:existing {_NOUN}|current (?:reservation|ticket)s?)\b")
_CHANGED = re.compile(r"\b(?:chang|mov|switch|reschedul|postpon|push)(?:e|es|ed|ing)?\b")
_CLAUSE = re.compile(r"\s*(?:[,.;!?]|\bbut\b)\s*")


def without_booking(text: str) -> str | None:
    """What is left of a message that wants no booking; None where it does not say so."""
    clauses = [each for each in _CLAUSE.split(text) if each]
    denied = [each for each in clauses if _says(_DENIED, each)]
    owned = [each for each in clauses if _says(_OWNED, each)]
    rest = " , ".join(each for each in clauses if each not in denied and each not in owned)
    if denied or (owned and (not rest or changes(rest))):
        return rest
    return rest if changes(text) and _EXISTING.search(text.lower()) else None


def changes(text: str) -> bool:
    """Whether a text speaks of changing what there is."""
    return _CHANGED.search(text.lower()) is not None


def _says(forms: tuple[re.Pattern[str], ...], clause: str) -> bool:
    plain = clause.lower().replace("’", "'")
    return any(form.search(plain) for form in forms)
