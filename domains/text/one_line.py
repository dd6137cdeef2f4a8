"""Foreign text as one line that can be seen through: what others wrote, where it stands on a card.

Foreign are the values of arguments and records, what somebody said, and what a model worded. In
the middle of a sentence of ours such a text must neither begin a new line nor pass for ours: line
ends and odd blanks are spelled, what is out of the ordinary stands in “…”, and a long text is cut
and its length told. What was spelled stands between ``‹`` and ``›``, and these never stand for
themselves: nothing in a text can look like what this module adds to it.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LONGEST_VALUE = 60
"""Characters of one value inside a sentence."""

LONGEST_QUOTATION = 160
"""Characters of somebody's own words, quoted on a line of their own."""

LONGEST_LINE = 2_000
"""Characters of any line of a card, whoever composed it."""

MOST_MARKS = 2
"""Combining marks that may stand on one letter; more only hide what is below or above."""

_WORD = r"[A-Za-z0-9#@&'./+_,%-]+(?::\d\d(?:\+\d)?)*"
_PLAIN = re.compile(rf"(?=.{{1,{LONGEST_VALUE}}}\Z)(?!.*[.,] ){_WORD}(?: {_WORD}){{0,3}}\Z")
"""A few words or figures with single blanks, and no sentence."""

_OF_A_SENTENCE = 3
"""Small words by which a value could go on the sentence that it stands in."""

_OWN = "“”‹›⏎⇥·×→–—…’−"
"""Characters beyond ASCII that the sentences of cards themselves are written with."""

_CLEAR = re.compile(rf"[\x20-\x7e{_OWN}]*\Z")
"""Nothing to spell, but for a run of blanks."""

_ODD = re.compile(rf"[^\x00-\x7f{_OWN}]")
_CODE_POINT = re.compile(r"‹(U\+[0-9A-F]{4,6})[×0-9,]*›")
_RUNS = re.compile(r"(.)\1*", re.DOTALL)
_SIGNS = {"\n": "⏎", "\t": "⇥", " ": "·"}
_QUOTES = frozenset("“”„‟❝❞〝〞〟＂″‶ʺ˝")
_OURS = frozenset("‹›⏎⇥")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
"""Letters, symbols and marks that have a place and nothing to see in it."""


def value(text: object) -> str:
    """A value inside a sentence: as it is where it is ordinary, else quoted.

    ``12 Elm Street``; ``“12 Elm Street⏎⏎Before⏎✓ You were…” (1,204 characters)``.
    """
    words = str(text)
    if len(words) > LONGEST_VALUE:
        return quotation(words, LONGEST_VALUE)
    return words if _is_plain(words) else quotation(words, LONGEST_VALUE)


@lru_cache(maxsize=4096)  # names and options of the catalogue turn up again and again
def _is_plain(text: str) -> bool:
    """Whether it reads as a value by itself: *no longer needed*, and not *and nothing else is*."""
    if not _PLAIN.match(text):
        return False
    small = sum(word.isalpha() and word.islower() for word in text.split(" "))
    return small < _OF_A_SENTENCE or (small == _OF_A_SENTENCE and text.count(" ") < _OF_A_SENTENCE)


def quotation(text: object, limit: int = LONGEST_QUOTATION) -> str:
    """Somebody's words in “…”, spelled, with their length told where they are cut."""
    words = str(text)
    if len(words) <= limit and "  " not in words and words.isascii() and words.isprintable():
        return f"“{words}”"  # nothing to spell in most of them
    kept, whole = _spell(words, limit, _QUOTES | _OURS)
    return f"“{kept}”" if whole else f"“{kept}…” ({len(words):,} characters)"


def quotations(texts: Iterable[str], limit: int) -> str:
    """Several texts in one “…”, so that none can push the others out: each is cut by itself."""
    spelled_texts = [(_spell(each, limit, _QUOTES | _OURS), len(each)) for each in texts]
    kept = ", ".join(words if whole else f"{words}…" for (words, whole), _ in spelled_texts)
    if all(whole for (_, whole), _ in spelled_texts):
        return f"“{kept}”"
    return f"“{kept}” ({sum(length for _, length in spelled_texts):,} characters)"


def line(text: object, limit: int = LONGEST_LINE) -> str:
    """A whole line of whatever origin, its quotations left as they are."""
    words = str(text)
    if len(words) <= limit and "  " not in words and _CLEAR.match(words):
        return words
    kept, whole = _spell(words, limit, frozenset())
    if whole:
        return kept
    told = f"… ({len(words):,} characters)"
    return _spell(words, limit - len(told), frozenset())[0] + told


def spell(text: str) -> str:
    """All of a text, with every character that has no looks of its own by its code point."""
    return _spell(text, sys.maxsize, _OURS)[0]


def odd_characters(text: str) -> tuple[str, ...]:
    """Letters that could pass for others and what cannot be seen, each once: ``é U+00E9``."""
    return tuple(_name_character(each) for each in dict.fromkeys(_ODD.findall(text)))


def spelled_code_points(text: str) -> tuple[str, ...]:
    """The code points that stand in a text for what cannot be seen, each once: ``U+200B``."""
    return tuple(dict.fromkeys(_CODE_POINT.findall(text)))


def _name_character(character: str) -> str:
    alone = _is_unseen(character) or _is_mark(character)
    return code_point(character) if alone else f"{character} {code_point(character)}"


def code_point(character: str) -> str:
    """``U+00E9``."""
    return f"U+{ord(character):04X}"


def _spell(text: str, room: int, guarded: frozenset[str]) -> tuple[str, bool]:
    """The beginning of a text, spelled, in at most so many characters, and whether it is all."""
    parts: list[str] = []
    marks = MOST_MARKS  # one that has no letter before it is spelled
    for found in _RUNS.finditer(text):
        run = found[0]
        if _is_mark(run[0]):
            marks += len(run)
            shown = run if marks <= MOST_MARKS else _spelling(run)
        else:
            shown = _spelling(run) if _is_odd(run, guarded) else run
            marks = 0 if shown is run and run != " " else MOST_MARKS
        if len(shown) > room:
            return "".join((*parts, shown[:room] if shown is run else "")), False
        parts.append(shown)
        room -= len(shown)
    return "".join(parts), True


def _is_odd(run: str, guarded: frozenset[str]) -> bool:
    if run[0] == " ":
        return len(run) > 1
    return run[0] in guarded or _is_unseen(run[0])


def _spelling(run: str) -> str:
    """``⏎`` for one line end; ``‹⏎×60›`` and ``‹U+00A0×3›`` for a run."""
    sign = _SIGNS.get(run[0])
    if sign is not None and len(run) == 1:
        return sign
    times = f"×{len(run):,}" if len(run) > 1 else ""
    return f"‹{sign or code_point(run[0])}{times}›"


def _is_mark(character: str) -> bool:
    if character.isascii() or character in _FILLERS or _is_selector(character):
        return False
    return unicodedata.category(character)[0] == "M"


def _is_unseen(character: str) -> bool:
    """Whether a character has no looks of its own: controls, blanks other than the plain one."""
    if character.isascii():
        return not " " <= character <= "~"
    kind = unicodedata.category(character)
    return kind[0] in "CZ" or character in _FILLERS or _is_selector(character)


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
