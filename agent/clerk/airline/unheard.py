"""The parts of a sentence that wish or ask for something of which nothing is understood."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.clerk.airline.language import first_meaning, pattern, says
from agent.clerk.airline.replying import tells
from agent.clerk.airline.slots.details import Context, details

_MANNERS = 2
"""Words that a part may have and still be nothing but manners."""


def unheard(sentence: str, asks: Callable[[str], bool], context: Context) -> list[str]:
    """What is not understood of a sentence.

    Args:
        sentence: plain text.
        asks: whether a part of it asks for something known.
        context: what the message tells as a whole.
    """
    parts = (part.strip(" ,") for part in pattern("unheard_joints").split(sentence))
    return [part for part in parts if _wishes(part) and not (asks(part) or _tells(part, context))]


def _wishes(part: str) -> bool:
    """Whether a part has a wish or a question of its own, which needs no other to be read."""
    if not says("unheard_wish", part) or says("no_matter", part) or says("upset", part):
        return False
    rest = pattern("small_talk").sub(" ", part)
    return len(re.findall(r"[a-z']{3,}", rest)) > _MANNERS


def _tells(part: str, context: Context) -> bool:
    return bool(first_meaning("reasons", part)) or tells(details(part, None, context))
