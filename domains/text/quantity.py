"""A count of things, in words."""

from __future__ import annotations


def quantity(number: int | str, thing: str) -> str:
    """A count with its noun: ``1 bag``, ``0 bags``, ``1,204 bags``.

    The plural of the noun must take an *s*. A number that someone else wrote is passed as text and
    shown as it is.
    """
    counted = number if isinstance(number, str) else f"{number:,}"
    return f"{counted} {thing}{'' if counted == '1' else 's'}"
