"""What is kept while "the rest" goes: said in any order, it is everything with one exception.

*Return the rest, it's the puzzle I keep* and *the puzzle stays, everything else goes back* name the
one thing that is not meant. Both are read as *everything … except the puzzle*.
"""

from __future__ import annotations

import re

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
    thing = kept["one"] or kept["other"]
    said = f"{text[: rest.start()]}everything{text[rest.end() : stop]} except {thing}"
    return said + text[stop:]
