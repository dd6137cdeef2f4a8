"""Whether the description of a change fits what a role wants: its kind, its ids, its things.

This is how a customer who knows only the role judges. The rules look at English words and nothing
else: options and amounts are not compared, and a change of the right kind passes even if it is made
to the wrong one of two things with the same name.
"""

from __future__ import annotations

import re

from domains.core.domain import Role

_KINDS = tuple(
    (re.compile(rf"\b(?:{shown})", re.IGNORECASE), re.compile(rf"\b(?:{wanted})", re.IGNORECASE))
    for shown, wanted in (
        ("cancel", r"cancel|call off|no longer need|don['’]?t need|get rid"),
        ("return|send back", r"return|refund|send\w* back|money back|give back"),
        ("book", r"book|flight|fly|trip|ticket|reserv"),
        (r"certificate|compensat\w+", r"certificate|compensat|voucher|refund|delay|complain"),
        (r"(?:checked )?bags?\b", r"bag|luggage|suitcase"),
        (r"in place of|passenger", r"passenger|name|yourself|instead|person|travell?er"),
        ("ship|default address|address", r"address|deliver|ship|suite|mov(?:e|ed|ing)|sent? to"),
        ("exchange", r"exchang|swap|replac|switch|chang|different|instead"),
        ("pay the", r"pay|payment|card|paypal|visa|mastercard|amex"),
        (
            "change|modify|update",
            r"chang|modif|switch|exchang|swap|replac|upgrad|downgrad|updat|cabin|class\b|business|"
            r"earlier|later|nonstop|push|move|cheap|fastest|instead",
        ),
    )
)
"""The words for each kind of change, and the words by which a wish for it is recognised. Wishes are
worded more freely than changes. The kind that is named first in the text counts."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_ID = re.compile(r"#W\d+|\b(?=[A-Z]*\d)[A-Z0-9]{6}\b")
_WORD = re.compile(r"[a-z]{4,}")
_ALL = re.compile(r"\b(?:all|every|everything|any|both|whole|entire)\b", re.IGNORECASE)
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        "back with from order orders reservation paid reason want wish wants they their that this "
        "which would like also into your yours instead same item items trip going have more "
        "ending default size black white blue color cancel cancelled return exchange change charge",
    )
)
"""Words that are on nearly every card or in nearly every role."""


def fits(role: Role, words: str) -> bool:
    """Whether a change described in these words is one that the role wants.

    Its kind must be among the wishes, or in the role's manner, which is where second choices are.
    If it has an id, that must be one that the role names for this kind. It must also mention a
    thing that the role mentions, unless the role wants all things of a kind, or names nothing that
    could identify one.
    """
    told = (*role.wants, *_SENTENCE.split(role.manner))
    wishes = [wish for wish in told if _of_kind(words, wish)]
    if not wishes:
        return False
    named = {each for wish in wishes for each in _ID.findall(wish)}
    shown = set(_ID.findall(words))
    if named and shown and not named & shown:
        return False
    if named & shown or any(map(_ALL.search, wishes)):
        return True
    known = " ".join((role.who, *role.knows, *role.wants, role.manner))
    return bool(_things(words) & _things(known)) or not _things(" ".join(wishes))


def _of_kind(words: str, wish: str) -> bool:
    first = min(
        (
            (found.start(), number, wanted)
            for number, (shown, wanted) in enumerate(_KINDS)
            if (found := shown.search(words))
        ),
        key=lambda each: each[:2],
        default=None,
    )
    return bool(_things(words) & _things(wish)) if first is None else bool(first[2].search(wish))


def _things(text: str) -> set[str]:
    """The things a text mentions: its words without plural endings and common card words."""
    return {each.rstrip("s") for each in _WORD.findall(text.lower())} - _PLAIN
