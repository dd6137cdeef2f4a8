"""What the clerk has read of its memory: in the results of ``retrieve_policy``, or handed to it.

Nothing else is known of a memory: whoever wrote the entries, a clerk reads them as a model does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from agent.clerk.lessons.nearest import Header, header, nearest
from sessions.events.memory import ANY_TOOL, KEPT_BOUNDARY

Effect = Literal["relaxes", "tightens"]

AT_ONCE = 10
"""Entries that are read in one look-up."""


class Rule(NamedTuple):
    """A check of a tool's card that a refusal rests on."""

    tool: str
    check: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """An entry that says something else than the policy's words."""

    capability: str
    tool: str
    check: str
    """The check that is read differently; empty where the card has none for it."""

    effect: Effect
    condition: str
    clauses: tuple[str, ...]
    """The policy's clauses that it interprets, and what has to hold besides."""

    limits: tuple[str, ...] = ()
    """When it does not hold, by what was learned since, beside the limit in its condition."""

    def is_of(self, rule: Rule) -> bool:
        """Whether it may be about what a refusal rests on."""
        same = self.check.casefold() == rule.check.casefold()
        return self.tool == rule.tool and (same or not self.check)


@dataclass
class Learned:
    """What was read so far."""

    there: bool = False
    """Whether there is a memory to read."""

    headers: list[Header] | None = None
    """What there is to read; None before it was asked for."""

    entries: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """Capabilities that were asked for, whatever came back."""

    def take(self, arguments: Mapping[str, Any], text: str) -> None:
        """Take in what a look-up told; what is no JSON, or has another shape, tells nothing."""
        self.there = True
        wanted = arguments.get("capabilities")
        found = _objects(text)
        if not wanted:
            self.headers = [header(each) for each in found]
            return
        self.asked.update(map(str, wanted) if isinstance(wanted, list) else ())
        self.entries.update((str(each["capability"]), each) for each in found)

    def take_handed(self, text: str) -> None:
        """Take in what a console's note hands over, an entry a line: there is nothing to ask."""
        self.there, self.headers = True, self.headers or []
        for line in text.splitlines():
            for each in _objects(f"[{line.removeprefix('- ')}]"):
                self.entries[str(each["capability"])] = each

    def next_look_up(self, tool: str, check: str, said: Iterable[str]) -> dict[str, Any] | None:
        """The arguments of what is read next before anything is said of a tool; None for nothing.

        First the headers, then the entries that are nearest to the check that stands in the way,
        and to what was said: a few look-ups, whatever there is.
        """
        if not self.there:
            return None
        if self.headers is None:
            return {}
        found = nearest(self.headers, tool, check, said)
        wanted = [each for each in found if each not in self.asked][:AT_ONCE]
        return {"capabilities": wanted} if wanted else None

    def lessons(self, tool: str, effect: Effect) -> Iterator[Lesson]:
        """The entries that relax or tighten a check of a tool, in the order they were read.

        What was learned of a gap of this tool's that no check is about is taken to relax; what was
        learned of any tool counts where it names a check.
        """
        for name, entry in self.entries.items():
            check, own = entry.get("check"), entry["tool"] == tool
            if own and check is None and entry.get("gap") and entry.get("key_insight"):
                check = {"name": "", "effect": "relaxes", "condition": entry["key_insight"]}
            if not (own or entry["tool"] == ANY_TOOL) or not isinstance(check, dict):
                continue
            if check.get("effect") == effect:
                about, condition = str(check.get("name", "")), str(check.get("condition", ""))
                clauses = (*_texts(entry, "policy_lines"), *_texts(entry, "preconditions"))
                limits = tuple(
                    each.removeprefix(KEPT_BOUNDARY)
                    for each in _texts(entry, "eligibility")
                    if each.startswith(KEPT_BOUNDARY)
                )
                yield Lesson(name, tool, about, effect, condition, clauses, limits)


def _texts(entry: Mapping[str, Any], name: str) -> Iterator[str]:
    found = entry.get(name)
    return map(str, found if isinstance(found, list) else ())


def _objects(text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    named = (each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()
    return [each for each in named if {"capability", "tool"} <= each.keys()]
