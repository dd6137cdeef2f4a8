"""Sanitize text written by others, in one place (law 6).

Model output, tool results, imported files, and pasted input pass through here once, before they
become an event. Control characters except newline and tab, C1 controls, and characters that reorder
or hide text on a screen are removed, because Textual writes them to the terminal unchanged.
"""

from __future__ import annotations

import re
from typing import Any

from sessions.json_strings import map_strings

_CARRIAGE = re.compile(r"\r\n?")
_FORBIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f"  # C0 except tab and newline, plus DEL
    "\x80-\x9f"  # C1
    "\u00ad\u061c\u180e"  # soft hyphen, Arabic letter mark, Mongolian vowel separator
    "\u200b-\u200f\u2028-\u202e"  # zero width, line separators, bidi marks, embeddings, overrides
    "\u2060-\u206f\ufeff"  # word joiner, isolates, deprecated controls, byte order mark
    "\ufff9-\ufffb"  # interlinear annotation
    "\ud800-\udfff"  # lone surrogates: not text, and no encoding accepts them
    "\U000e0000-\U000e007f"  # tags
    "]"
)


def clean(text: str) -> str:
    """The text without any character that could control a terminal or hide what is shown."""
    if text.isprintable():  # no forbidden character is printable, and most texts are one line
        return text
    return _FORBIDDEN.sub("", _CARRIAGE.sub("\n", text))


def removed_characters(text: str) -> tuple[str, ...]:
    """The code points that :func:`clean` removes, each kind once, in the form ``U+202E``."""
    if text.isprintable():
        return ()
    found = _FORBIDDEN.findall(_CARRIAGE.sub("\n", text))
    return tuple(dict.fromkeys(f"U+{ord(character):04X}" for character in found))


def clean_json(value: Any) -> Any:
    """A copy of a JSON value with every string cleaned, keys included."""
    return map_strings(value, clean)
