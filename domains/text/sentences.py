"""Prose split into lines, one for each sentence or list item, without rewording."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENDING = re.compile(
    r"""(?<![.!?…])[.!?…]+["'”’)\]]*\s+(?=["'“‘(\[#$]*[A-Z0-9]|(?:if|you)\b)|;\s+(?=[A-Z])"""
)
"""Where a sentence may end: its mark, closing characters, and a clear beginning after it.

A clear beginning is a capital, a figure, *if* or *you*.
"""

_NEVER_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:e\.g|i\.e|cf|vs|approx|mrs?|ms|dr|prof|no(?=\.\s+[#\d]))\.\s+",
    re.IGNORECASE,
)
"""Abbreviations after whose period the sentence always goes on."""

_SELDOM_LAST = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:(?i:etc|st|ave|apt|rd|blvd|ste|inc|ltd|co|jr|sr|[ap]\.m|u\.s(?:\.a)?)"
    r"|[A-HJ-Z])\.\s+"
)
"""Abbreviations whose period may be in the middle of a sentence or at its end."""

_OPENING = re.compile(
    r"\W*(?:you|your|if|the|there|then|this|that|it|also|but|and|or|make|do|don|ask|be|when|once|"
    r"after|before|in|for|first|finally|otherwise|only|under|mention|tell|say|try|use|insist)\b",
    re.IGNORECASE,
)
"""Words that begin sentences of instructions, and not names."""

_POINT = re.compile(r"\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)")
"""The beginning of a list item."""

_NUMBER = re.compile(r"\s*\(?\d{1,2}[.)]\s*")
_SAYS_NOTHING = re.compile(r"^(?:[\s.,;:!]+|[-*•–]\s+)+")
"""Punctuation at the beginning of a line that it does not need."""

_BLANKS = re.compile(r"\s+")


def lines(text: str) -> tuple[str, ...]:
    """Each sentence, and each list item, as one line without unprintable characters."""
    return tuple(
        line
        for paragraph in _paragraphs(text)
        for sentence in _sentences(paragraph)
        if (line := _SAYS_NOTHING.sub("", _printable(sentence)))
    )


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the text's lines as they were meant: a wrapped line is joined to the next."""
    held = ""
    for line in text.splitlines():
        if held and not _goes_on(held, line):
            yield held
            held = ""
        held = f"{held} {line}" if held else line
    yield held


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence was merely wrapped: no end before the break, and no beginning after it."""
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
    """Whether it is more than an item's number, with all parentheses and quotation marks closed."""
    closed = sentence.count("(") <= sentence.count(")") and sentence.count('"') % 2 == 0
    return closed and not _NUMBER.fullmatch(sentence)


def _may_end(paragraph: str, end: int) -> bool:
    """Whether the period before ``end`` can be a sentence's, not only an abbreviation's."""
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
