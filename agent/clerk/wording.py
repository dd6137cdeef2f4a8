"""How the clerk words things in every domain: fixed sentences, lists and quotations."""

from __future__ import annotations

from collections.abc import Iterable

TRANSFER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
HOLD_ON = "A human agent will be with you shortly."
HUMAN_OFFER = "I can pass you on to a human agent for that."
"""How what is known of something that no tool can do ends, in the rules of every domain."""

ANYTHING_ELSE = "Is there anything else I can help you with?"
REVISE = "All right, I haven't done that. What would you like instead, or shall I leave it?"
"""The question when a change was declined."""

SHOWN = 12
"""How many entries of a list are spelled out before "and n more"."""

LONGEST = 120
"""How many characters of the customer's words are quoted at most."""


MORE = " more"
"""The ending of a list that was cut short."""


def list_lines(lines: Iterable[str], shown: int = SHOWN) -> str:
    """A Markdown list of at most ``shown`` lines."""
    return _lines([f"- {each}" for each in lines], shown, "- … and")


def number_lines(lines: Iterable[str], shown: int = SHOWN, first: int = 1) -> str:
    """A numbered Markdown list, so that the customer can say "the second one"."""
    return _lines([f"{n}. {each}" for n, each in enumerate(lines, first)], shown, "…and")


def _lines(lines: list[str], shown: int, more: str) -> str:
    rest = [f"{more} {len(lines) - shown}{MORE}"] if len(lines) > shown else []
    return "\n".join([*lines[:shown], *rest])


def join_parts(parts: Iterable[str], last: str = "and") -> str:
    """The parts joined as in speech: ``a, b and c``."""
    *before, final = [*parts] or [""]
    return f"{', '.join(before)} {last} {final}" if before else final


def quote(text: str) -> str:
    """The words in quotation marks on one line, shortened if they are long."""
    line = " ".join(text.split()).strip(" ,;.")
    short = line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{short}”"
