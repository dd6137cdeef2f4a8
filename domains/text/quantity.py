"""A number of things, in words."""

from __future__ import annotations


def quantity(number: int | str, thing: str) -> str:
    """``1 bag``, ``0 bags``, ``1,204 bags``: for nouns whose plural takes an *s*.

    A number that somebody else wrote comes as its text, which is put as it is.
    """
    counted = number if isinstance(number, str) else f"{number:,}"
    return f"{counted} {thing}{'' if counted == '1' else 's'}"
