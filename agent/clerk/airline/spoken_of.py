"""Whom words mean without a whole name: "petras birthday", "not me, her", "mine"."""

from __future__ import annotations

from agent.clerk.airline.line import Line

_ANOTHER = frozenset({"she", "she's", "her", "hers", "he", "he's", "his", "him"})
_NOT_SELF = ("not me", "not mine", "not my", "isn't mine", "isn't me")
_SELF = ("mine", "me", "my birthday", "my birth", "my dob", "my date of birth", "i was born")


def is_named(first: str, line: Line) -> bool:
    """Whether somebody is named by the first name, as an owner too: "petra's", "petras"."""
    return not {first, f"{first}'s", f"{first}s"}.isdisjoint(line.words)


def means_another(line: Line) -> bool:
    """Whether somebody is meant who is not the one that speaks."""
    return not _ANOTHER.isdisjoint(line.words) or is_not_self(line)


def is_not_self(line: Line) -> bool:
    """Whether it is denied that the one that speaks is meant."""
    return line.has(*_NOT_SELF)


def means_self(line: Line) -> bool:
    """Whether the one that speaks is meant."""
    return line.has(*_SELF) and not means_another(line)
