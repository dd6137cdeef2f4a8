"""Selects the entries of a memory that are relevant to a change, by their headers alone.

A memory may hold thousands of entries, but a turn has a limited number of steps. The number of
entries read is therefore bounded, whatever the memory's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agent.reflection.policy_lines import closeness
from sessions.events.memory import ANY_TOOL

MOST = 20
"""How many entries for a tool are read for the same words."""


class Header(NamedTuple):
    """What is known about an entry before it is read."""

    capability: str
    tool: str
    check: str
    """The check that it interprets differently; empty for none."""

    text: str


def header(told: Mapping[str, Any]) -> Header:
    """The header in a look-up's result."""
    name, tool = str(told["capability"]), str(told["tool"])
    words = (name, str(told.get("trigger", "")), str(told.get("learned", "")))
    return Header(name, tool, str(told.get("check", "")), " ".join(words))


def nearest(headers: Sequence[Header], tool: str, check: str, said: Iterable[str]) -> list[str]:
    """The capabilities to read for a change, most relevant first.

    Entries about the check that prevents the change come first, then entries for this very tool,
    then those whose headers share most with the customer's words, then the newest.
    """
    own = [each for each in headers if each.tool in (tool, ANY_TOOL)]
    if len(own) <= MOST:
        return [each.capability for each in own]
    found = closeness(tuple(each.text for each in own), " ".join(said))

    def rank(place: int) -> tuple[bool, bool, float, int]:
        of_check = bool(check) and own[place].check.casefold() == check.casefold()
        return (of_check, own[place].tool == tool, found[place], place)

    places = sorted(range(len(own)), key=rank, reverse=True)
    return list(dict.fromkeys(own[place].capability for place in places))[:MOST]
