"""How a clerk of any trade says things: what it always says, lists, words given back."""

from __future__ import annotations

from collections.abc import Iterable

TRANSFER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
ANYTHING_ELSE = "Is there anything else I can help you with?"
SHOWN = 12
"""Entries of a list that are spelled out before "and n more"."""

LONGEST = 120
"""Characters of the customer's words that are repeated."""


MORE = " more"
"""How a list ends that goes on."""


def list_lines(lines: Iterable[str], shown: int = SHOWN) -> str:
    """A Markdown list."""
    return _lines([f"- {each}" for each in lines], shown, "- … and")


def number_lines(lines: Iterable[str], shown: int = SHOWN, first: int = 1) -> str:
    """A Markdown list with numbers, so that "the second one" can be said."""
    return _lines([f"{n}. {each}" for n, each in enumerate(lines, first)], shown, "…and")


def _lines(lines: list[str], shown: int, more: str) -> str:
    rest = [f"{more} {len(lines) - shown}{MORE}"] if len(lines) > shown else []
    return "\n".join([*lines[:shown], *rest])


def join_parts(parts: Iterable[str], last: str = "and") -> str:
    """Parts as in speech: ``a, b and c``."""
    *before, final = [*parts] or [""]
    return f"{', '.join(before)} {last} {final}" if before else final


def quote(text: str) -> str:
    """Words between quotes, on one line, cut where they are long."""
    line = " ".join(text.split()).strip(" ,;")
    short = line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{short}”"
