"""Foreign text on one line and in plain sight, wherever it appears on a card.

Foreign text is the value of an argument or a record, what someone said, and what a model wrote. In
the middle of a sentence of ours it must neither begin a new line nor pass for our own words: line
ends and odd blanks are spelled out, anything out of the ordinary is put in “…”, and a long text is
cut, with its length given. Spelled-out characters are put between ``‹`` and ``›``, which are
spelled out themselves, so nothing in a text can look like what this module adds to it.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LONGEST_VALUE = 60
"""The most characters of one value inside a sentence."""

LONGEST_QUOTATION = 160
"""The most characters of someone's own words, quoted on a line of their own."""

LONGEST_LINE = 2_000
"""The most characters in any line of a card, whatever its origin."""

MOST_MARKS = 2
"""The most combining marks on one letter; more would only hide what is below or above."""

_WORD = r"[A-Za-z0-9#@&'./+_,%-]+(?::\d\d(?:\+\d)?)*"
_PLAIN = re.compile(rf"(?=.{{1,{LONGEST_VALUE}}}\Z)(?!.*[.,] ){_WORD}(?: {_WORD}){{0,3}}\Z")
"""Matches a few words or figures with single blanks, and no sentence."""

_OF_A_SENTENCE = 3
"""How many lower-case words could make a value read as part of the sentence around it."""

_OWN = "“”‹›⏎⇥·×→–—…’−"
"""Characters beyond ASCII that the sentences of cards use themselves."""

_CLEAR = re.compile(rf"[\x20-\x7e{_OWN}]*\Z")
"""Matches a text with nothing to spell out, except for runs of blanks."""

_ODD = re.compile(rf"[^\x00-\x7f{_OWN}]")
_CODE_POINT = re.compile(r"‹(U\+[0-9A-F]{4,6})[×0-9,]*›")
_RUNS = re.compile(r"(.)\1*", re.DOTALL)
_SIGNS = {"\n": "⏎", "\t": "⇥", " ": "·"}
_QUOTES = frozenset("“”„‟❝❞〝〞〟＂″‶ʺ˝")
_OURS = frozenset("‹›⏎⇥")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
"""Letters, symbols and marks that take up space but show nothing."""


def value(text: object) -> str:
    """A value inside a sentence: as it is if it is ordinary, else quoted.

    ``12 Elm Street``; ``“12 Elm Street⏎⏎Before⏎✓ You were…” (1,204 characters)``.
    """
    words = str(text)
    if len(words) > LONGEST_VALUE:
        return quotation(words, LONGEST_VALUE)
    return words if _is_plain(words) else quotation(words, LONGEST_VALUE)


@lru_cache(maxsize=4096)  # names and options of the catalogue recur often
def _is_plain(text: str) -> bool:
    """Whether a text reads as a value: *no longer needed* does, *and nothing else is* does not."""
    if not _PLAIN.match(text):
        return False
    small = sum(word.isalpha() and word.islower() for word in text.split(" "))
    return small < _OF_A_SENTENCE or (small == _OF_A_SENTENCE and text.count(" ") < _OF_A_SENTENCE)


def quotation(text: object, limit: int = LONGEST_QUOTATION) -> str:
    """A text in “…”, with odd characters spelled out, and its length if it is cut."""
    words = str(text)
    if len(words) <= limit and "  " not in words and words.isascii() and words.isprintable():
        return f"“{words}”"  # most texts have nothing to spell out
    kept, whole = _spell(words, limit, _QUOTES | _OURS)
    return f"“{kept}”" if whole else f"“{kept}…” ({len(words):,} characters)"


def quotations(texts: Iterable[str], limit: int) -> str:
    """Several texts in one “…”, each cut by itself so that none can push the others out."""
    spelled_texts = [(_spell(each, limit, _QUOTES | _OURS), len(each)) for each in texts]
    kept = ", ".join(words if whole else f"{words}…" for (words, whole), _ in spelled_texts)
    if all(whole for (_, whole), _ in spelled_texts):
        return f"“{kept}”"
    return f"“{kept}” ({sum(length for _, length in spelled_texts):,} characters)"


def line(text: object, limit: int = LONGEST_LINE) -> str:
    """A whole line of any origin; the quotations in it are left as they are."""
    words = str(text)
    if len(words) <= limit and "  " not in words and _CLEAR.match(words):
        return words
    kept, whole = _spell(words, limit, frozenset())
    if whole:
        return kept
    told = f"… ({len(words):,} characters)"
    return _spell(words, limit - len(told), frozenset())[0] + told


def spell(text: str) -> str:
    """A whole text, with the code point of every character that shows nothing by itself."""
    return _spell(text, sys.maxsize, _OURS)[0]


def odd_characters(text: str) -> tuple[str, ...]:
    """Letters that could pass for others, and invisible characters, each once: ``é U+00E9``."""
    return tuple(_name_character(each) for each in dict.fromkeys(_ODD.findall(text)))


def spelled_code_points(text: str) -> tuple[str, ...]:
    """The code points spelled out in a text for invisible characters, each once: ``U+200B``."""
    return tuple(dict.fromkeys(_CODE_POINT.findall(text)))


def _name_character(character: str) -> str:
    alone = _is_unseen(character) or _is_mark(character)
    return code_point(character) if alone else f"{character} {code_point(character)}"


def code_point(character: str) -> str:
    """The code point of a character: ``U+00E9``."""
    return f"U+{ord(character):04X}"


def _spell(text: str, room: int, guarded: frozenset[str]) -> tuple[str, bool]:
    """The beginning of a text, spelled out in at most ``room`` characters; whether it is all."""
    parts: list[str] = []
    marks = MOST_MARKS  # a mark with no letter before it is spelled out
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
    """A run of one character, spelled out.

    ``⏎`` for a single line end; ``‹⏎×60›`` and ``‹U+00A0×3›`` for longer runs.
    """
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
    """Whether a character shows nothing by itself: a control, or a blank other than a space."""
    if character.isascii():
        return not " " <= character <= "~"
    kind = unicodedata.category(character)
    return kind[0] in "CZ" or character in _FILLERS or _is_selector(character)


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
