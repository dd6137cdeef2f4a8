"""Which entries of a memory bear on a change: by their headers, before any is read.

A memory may hold thousands of entries, and a turn has so many steps: what is read is bounded,
whatever the memory's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agent.reflection.policy_lines import closeness
from sessions.events.memory import ANY_TOOL

MOST = 20
"""Entries of one tool that are read in view of the same words."""


class Header(NamedTuple):
    """What is known of an entry before it is read."""

    capability: str
    tool: str
    check: str
    """The check that it reads differently; empty for none."""

    text: str


def header(told: Mapping[str, Any]) -> Header:
    """The header as a look-up told it."""
    name, tool = str(told["capability"]), str(told["tool"])
    words = (name, str(told.get("trigger", "")), str(told.get("learned", "")))
    return Header(name, tool, str(told.get("check", "")), " ".join(words))


def nearest(headers: Sequence[Header], tool: str, check: str, said: Iterable[str]) -> list[str]:
    """The capabilities to read for a change, the nearest first.

    Those of the check that stands in the way come first, then those whose headers share most with
    the customer's words, then the newest.
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
