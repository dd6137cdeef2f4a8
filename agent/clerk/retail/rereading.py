"""What a message says that its sentences, read one by one, would not: exceptions, limits, owners.

*Return the rest, it's the puzzle I keep* and *the puzzle stays, everything else goes back* name the
one thing that is not meant: both are read as *everything … except the puzzle*.
"""

from __future__ import annotations

import re

from agent.clerk.retail.manner import SAID, tells
from agent.clerk.understanding.wishes import Message, Wish

_THING = (
    r"(?P<{}>(?:the|my|that|this)\s+[\w'-]+"
    r"(?:\s+(?!stays?\b|is\b|that\b|which\b|i\b)[\w'-]+){{0,2}})"
)
_STAYS = (
    r"(?:\s+(?:that|which|is\s+what|is\s+the\s+(?:one|thing)))?\s+(?:i(?:'m|\s+am|'ll|\s+will)?"
    r"(?:\s+(?:want\s+to|wanna|would\s+like\s+to))?\s+keep(?:ing)?"
    r"|(?:stays?|remains?|is\s+staying|should\s+stay|can\s+stay)(?:\s+(?:here|put|with\s+me))?)"
)
_KEEPS = (
    r"(?:(?:i(?:'m|\s+am|'ll|\s+will)?(?:\s+(?:want\s+to|wanna))?|just|only)\s+)?keep(?:ing)?\s+"
)
_KEPT = re.compile(
    r"(?:^|(?<=[,;.!?\s]))(?:(?:and|but|because|since)\s+)?"
    rf"(?:(?:it'?s\s+|it\s+is\s+)?{_THING.format('one')}{_STAYS}|{_KEEPS}{_THING.format('other')})"
    r"(?=\s*(?:[,;.!?]|$|and\b|but\b))\s*[,;]?\s*(?:(?:and|but)\s+)?",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:the\s+rest(?:\s+of\s+(?:it|them|the\s+order))?|(?:everything|all)\s+else"
    r"|(?:all\s+)?the\s+other(?:s|\s+(?:ones|things|items|two|three)))\b",
    re.IGNORECASE,
)
_REST_IS_KEPT = re.compile(
    rf"\bkeep(?:ing)?\s+(?:{_REST.pattern})|{_REST.pattern}\s+(?:stays?|remains?|is\s+fine"
    r"|can\s+stay|should\s+stay|i\s+keep)\b",
    re.IGNORECASE,
)
_END = re.compile(r"\s*(?:[,;.!?]|$)")
_ASKS_PRICE = re.compile(
    r"\b(?:does|do|did|will|would|is|are|shall)\s+"
    r"(?:(?!not\b|never\b|no\b|only\b)[\w'-]+\s+){1,5}?"
    r"(?:costs?|pay|be|charged?)\s+(?:(?:any|much|me|us|a lot|something)\s+)*(?:more|extra)\b",
    re.IGNORECASE,
)
"""*Does olive cost more*, *would I pay extra*; not *as long as it does not cost more*."""


def with_exception(text: str) -> str:
    """A message in which what is kept stands as the exception to everything; else as it is."""
    kept = _KEPT.search(text)
    if kept is None or _REST_IS_KEPT.search(text) or not _REST.search(text):
        return text
    before, after = text[: kept.start()].rstrip(" ,;"), text[kept.end() :].lstrip(" ,;")
    joint = ", " if before and after and after[0] not in ".!?" else ""
    text = f"{before}{joint}{after}"
    rest = _REST.search(text)
    if rest is None:
        return text
    end = _END.search(text, rest.end())
    stop = end.start() if end else len(text)
    but = f"{text[rest.end() : stop]} except {kept['one'] or kept['other']}"
    return f"{text[: rest.start()]}everything{but}{text[stop:]}"


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
