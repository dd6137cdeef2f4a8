"""Prose as separate lines: a sentence or a point of a list on each, nothing said differently."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENDING = re.compile(
    r"""(?<![.!?…])[.!?…]+["'”’)\]]*\s+(?=["'“‘(\[#$]*[A-Z0-9]|(?:if|you)\b)|;\s+(?=[A-Z])"""
)
"""Where a sentence may end: its mark, what closes with it, and a capital, a figure or an evident
beginning after it."""

_NEVER_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:e\.g|i\.e|cf|vs|approx|mrs?|ms|dr|prof|no(?=\.\s+[#\d]))\.\s+",
    re.IGNORECASE,
)
"""What ends in a point and has more after it."""

_SELDOM_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:(?i:etc|st|ave|apt|rd|blvd|ste|inc|ltd|co|jr|sr|[ap]\.m|u\.s(?:\.a)?)"
    r"|[A-HJ-Z])\.\s+"
)
"""What may end in a point in the middle of a sentence as well as at its end."""

_OPENING = re.compile(
    r"\W*(?:you|your|if|the|there|then|this|that|it|also|but|and|or|make|do|don|ask|be|when|once|"
    r"after|before|in|for|first|finally|otherwise|only|under|mention|tell|say|try|use|insist)\b",
    re.IGNORECASE,
)
"""Words that sentences of instructions begin with, and names do not."""

_POINT = re.compile(r"\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)")
"""How a point of a list begins."""

_NUMBER = re.compile(r"\s*\(?\d{1,2}[.)]\s*")
_SAYS_NOTHING = re.compile(r"^(?:[\s.,;:!]+|[-*•–]\s+)+")
"""What a line begins with and does not need, being a line."""

_BLANKS = re.compile(r"\s+")


def lines(text: str) -> tuple[str, ...]:
    """Each sentence, and each point of a list, as one line without unprintable characters."""
    return tuple(
        line
        for paragraph in _paragraphs(text)
        for sentence in _sentences(paragraph)
        if (line := _SAYS_NOTHING.sub("", _printable(sentence)))
    )


def _paragraphs(text: str) -> Iterator[str]:
    """Lines of the text as they were meant: one that goes on in the next is joined to it."""
    held = ""
    for line in text.splitlines():
        if held and not _goes_on(held, line):
            yield held
            held = ""
        held = f"{held} {line}" if held else line
    yield held


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence was merely wrapped: no end before the break, no beginning after it."""
    begins = following.lstrip()
    unfinished = not line.rstrip().endswith((".", "!", "?", ":", "…"))
    return begins[:1].islower() and unfinished and not _POINT.match(following)


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for found in _ENDING.finditer(paragraph):
        end = found.end()
        if _is_whole(paragraph[start:end]) and _may_end(paragraph, end):
            yield paragraph[start:end]
            start = end
    yield paragraph[start:]


def _is_whole(sentence: str) -> bool:
    """Not the number of a point, nor in the middle of a parenthesis or of a quotation."""
    closed = sentence.count("(") <= sentence.count(")") and sentence.count('"') % 2 == 0
    return closed and not _NUMBER.fullmatch(sentence)


def _may_end(paragraph: str, end: int) -> bool:
    """Whether the point before that place, blanks included, is more than an abbreviation's."""
    before = max(paragraph.rfind(" ", 0, len(paragraph[:end].rstrip())), 0)
    if _ends_with(_NEVER_LAST, paragraph, before, end):
        return False
    seldom = _ends_with(_SELDOM_LAST, paragraph, before, end)
    return not seldom or _OPENING.match(paragraph, end) is not None


def _ends_with(pattern: re.Pattern[str], text: str, start: int, end: int) -> bool:
    found = pattern.match(text, start)
    return found is not None and found.end() == end


def _printable(text: str) -> str:
    kept = "".join(each for each in _BLANKS.sub(" ", text) if each.isprintable())
    return " ".join(kept.split())
