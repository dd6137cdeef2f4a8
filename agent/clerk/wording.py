"""How a clerk of any trade says things: what it always says, and lists."""

from __future__ import annotations

from collections.abc import Iterable

TRANSFER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
ANYTHING_ELSE = "Is there anything else I can help you with?"
SHOWN = 12
"""Entries of a list that are spelled out before "and n more"."""


def list_lines(lines: Iterable[str], shown: int = SHOWN) -> str:
    """A Markdown list."""
    lines = list(lines)
    more = [f"- … and {len(lines) - shown} more"] if len(lines) > shown else []
    return "\n".join([*(f"- {line}" for line in lines[:shown]), *more])


def number_lines(lines: Iterable[str], shown: int = SHOWN) -> str:
    """A Markdown list with numbers, so that "the second one" can be said."""
    lines = list(lines)
    more = [f"…and {len(lines) - shown} more"] if len(lines) > shown else []
    return "\n".join([*(f"{n}. {line}" for n, line in enumerate(lines[:shown], 1)), *more])


def join_parts(parts: Iterable[str], last: str = "and") -> str:
    """Parts as in speech: ``a, b and c``."""
    parts = list(parts)
    return (
        parts[0]
        if len(parts) == 1
        else f"{', '.join(parts[:-1])} {last} {parts[-1]}"
        if parts
        else ""
    )
