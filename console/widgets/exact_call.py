"""The exact call of a card, in which every character can be told apart from similar ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from textual.content import Content

from domains.text.one_line import code_point, line, spell
from sessions.events import Card

LONGEST_CALL = 8_000
"""The most characters of the exact call to show."""

MOST_READ = 100_000
"""The most characters of the call to process; no real call is longer."""

_PARTS = re.compile(r"(‹[^›]*›)")


def exact_call(card: Card) -> Content:
    """The call as indented JSON.

    JSON itself escapes line ends and quotes, and its indentation is kept; all other unusual
    characters are spelled out here. A letter beyond ASCII is followed by its code point.
    """
    text = json.dumps(card.arguments, indent=2, ensure_ascii=False)
    shown = "\n".join(_without_gaps(row) for row in text[:MOST_READ].split("\n"))
    left = len(shown) - LONGEST_CALL + max(0, len(text) - MOST_READ)
    more = f"\n… {left:,} more characters" if left > 0 else ""
    told = _merge(
        [part for each in _PARTS.split(shown[:LONGEST_CALL]) for part in _argument_lines(each)]
    )
    return Content.assemble(f"{line(card.tool, 80)} ", *told, more)


def _without_gaps(row: str) -> str:
    bare = row.lstrip(" ")
    return row[: len(row) - len(bare)] + spell(bare)


def _argument_lines(text: str) -> Iterator[tuple[str, str]]:
    if text.startswith("‹") or text.isascii():
        yield text, "" if text.isascii() else "$text-warning"
        return
    for character in text:
        if character.isascii():
            yield character, ""
        else:
            yield character, "$warning reverse"
            yield f"‹{code_point(character)}›", "$text-warning"


def _merge(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    merged: list[tuple[str, str]] = []
    for text, style in parts:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged
