"""What a message says that its sentences, read one by one, would not: exceptions, limits, owners.

*Return the rest, it's the puzzle I keep* and *the puzzle stays, everything else goes back* name the
one thing that is not meant: both are read as *everything … except the puzzle*.
"""

from __future__ import annotations

import re

from agent.clerk.retail.manner import SAID, tells
from agent.clerk.understanding.wishes import Message, Wish

_ASKS_PRICE = re.compile(
    r"\b(?:does|do|did|will|would|is|are|shall)\s+"
    r"(?:(?!not\b|never\b|no\b|only\b)[\w'-]+\s+){1,5}?"
    r"(?:costs?|pay|be|charged?)\s+(?:(?:any|much|me|us|a lot|something)\s+)*(?:more|extra)\b",
    re.IGNORECASE,
)
"""*Does olive cost more*, *would I pay extra*; not *as long as it does not cost more*."""


def drop_limits_only_asked(told: Message) -> None:
    """Take back the limits that a message was read to set where it only asks about the price."""
    if _ASKS_PRICE.search(told.text) and not tells(told.words, "hangs on it"):
        places: list[Message | Wish] = [told, *told.wishes]
        for each in places:
            each.limit = each.limit or None


def is_of_another(told: Message) -> bool:
    """Whether another person's order is spoken of: "his order", "my roommate's account"."""
    for place, word in enumerate(told.words):
        owner, mark, rest = word.partition("'")
        own = mark and rest == "s" and owner not in SAID.words["no owners"]
        theirs = own or word in SAID.words["people"]
        if theirs and SAID.words["owned"] & {*told.words[place + 1 : place + 3]}:
            return True
    return False
