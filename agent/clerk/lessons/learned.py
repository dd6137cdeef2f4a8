"""What the clerk has read of its memory: results of ``retrieve_policy``, or entries handed to it.

The clerk knows nothing else about a memory. It reads the entries as a model does, whoever wrote
them.
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
"""How many entries one look-up reads at most."""


class Rule(NamedTuple):
    """A check of a tool's card that a refusal is based on."""

    tool: str
    check: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """An entry that deviates from the policy's wording."""

    capability: str
    tool: str
    check: str
    """The check that is interpreted differently; empty if the card has no check for it."""

    effect: Effect
    condition: str
    clauses: tuple[str, ...]
    """The policy's clauses that it interprets, and its further preconditions."""

    limits: tuple[str, ...] = ()
    """Exceptions that were learned later, besides the limit in its condition."""

    def is_of(self, rule: Rule) -> bool:
        """Whether it may be about the check that a refusal is based on."""
        same = self.check.casefold() == rule.check.casefold()
        return self.tool == rule.tool and (same or not self.check)


@dataclass
class Learned:
    """What has been read so far."""

    is_available: bool = False
    """Whether there is a memory to read."""

    headers: list[Header] | None = None
    """The headers of all entries; None until they have been read."""

    entries: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """Capabilities that were requested, whatever came back."""

    def take(self, arguments: Mapping[str, Any], text: str) -> None:
        """Store the result of a look-up; anything but the expected JSON counts as empty."""
        self.is_available = True
        wanted = arguments.get("capabilities")
        found = _objects(text)
        if not wanted:
            self.headers = [header(each) for each in found]
            return
        self.asked.update(map(str, wanted) if isinstance(wanted, list) else ())
        self.entries.update((str(each["capability"]), each) for each in found)

    def take_handed(self, text: str) -> None:
        """Store the entries of a console note, one per line; nothing has to be looked up then."""
        self.is_available, self.headers = True, self.headers or []
        for line in text.splitlines():
            for each in _objects(f"[{line.removeprefix('- ')}]"):
                self.entries[str(each["capability"])] = each

    def next_look_up(self, tool: str, check: str, said: Iterable[str]) -> dict[str, Any] | None:
        """The arguments of the next look-up before anything is said about a tool; None for nothing.

        The headers are read first, then the entries closest to the check that prevents the change
        and to the customer's words. The number of look-ups is small, whatever the size of the
        memory.
        """
        if not self.is_available:
            return None
        if self.headers is None:
            return {}
        found = nearest(self.headers, tool, check, said)
        wanted = [each for each in found if each not in self.asked][:AT_ONCE]
        return {"capabilities": wanted} if wanted else None

    def lessons(self, tool: str, effect: Effect) -> Iterator[Lesson]:
        """Yield the lessons that relax or tighten a check of a tool, in the order they were read.

        An entry about a gap for this tool without a check counts as relaxing. An entry for any tool
        counts if it names a check.
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
