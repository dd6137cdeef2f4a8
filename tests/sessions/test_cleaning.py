"""The one cleaner: the same for each character by itself as for a text with others around it."""

from __future__ import annotations

import sys
from unicodedata import bidirectional

from sessions.cleaning import clean, removed_characters

HIDING = {"BN", "LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
"""Unicode's own classes of what is not seen, or turns round what stands beside it."""

WRITTEN = {chr(code) for code in (*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B))}
"""Parts of shorthand and of musical notation."""


def test_a_character_is_removed_alone_as_it_is_beside_a_line_end() -> None:
    """A text of one printable line is passed on unsearched; that must change nothing."""
    for code in range(sys.maxunicode + 1):
        alone = chr(code)
        if alone != "\r":
            assert clean(f"{alone}\n") == f"{clean(alone)}\n"
            assert removed_characters(f"{alone}\n") == removed_characters(alone)


def test_what_acts_on_a_terminal_is_removed_and_told() -> None:
    assert clean("a\x1b[31m\u202eb\r\nc\rd") == "a[31mb\nc\nd"
    assert removed_characters("a\x1b[31m\u202eb\x1b") == ("U+001B", "U+202E")


def test_whatever_unicode_gives_no_width_or_lets_reorder_text_is_removed() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    hiding = [each for each in every if bidirectional(each) in HIDING and each not in WRITTEN]
    assert len(hiding) > 150
    assert [f"U+{ord(each):04X}" for each in hiding if clean(each)] == []
