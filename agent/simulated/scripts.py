"""The scripted customer's words: written for our own scenarios, derived from the role elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from agent.simulated.first_person import first_person, request
from domains.core.domain import Role, Scenario

CLOSING = "No, that's all. Thank you!"
REFUSAL = "No, that is not what I want."

_IDENTITY = re.compile(r"\b(user id|email|e-mail|zip|name is|phone)\b", re.IGNORECASE)
_CONDITIONAL = re.compile(r"^(if|when|should|only)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Script:
    """The customer's words in one scenario."""

    lines: tuple[str, ...]
    """What they say first, one line per turn."""

    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool, words that ask for that change with every detail: the n-th for the n-th time."""

    refusal: str = REFUSAL
    """Their answer to a card for a change that they do not want."""

    closing: str = CLOSING
    again: str = ""
    """All wishes repeated, for a change that ``asks`` has no words for."""

    written: bool = True
    """Whether it was written for this scenario rather than derived from the role."""

    def ask(self, tool: str, times: int) -> str | None:
        """The words that ask for a change of that kind again; None if there are none."""
        words = self.asks.get(tool, ())
        return words[min(times, len(words) - 1)] if words else self.again or None


def script_for(scenario: Scenario) -> Script:
    """The script of one of our own scenarios, or one derived from the scenario's role."""
    written = _read_scripts().get(scenario.id) if scenario.source == "saber" else None
    return written or script_from(scenario.role)


def script_from(role: Role) -> Script:
    """A script that says who the customer is and what they want, in the role's own words."""
    who = first_person(role.who).split(". ", 1)[0].rstrip(".") + "."
    known = [first_person(each) for each in role.knows if _IDENTITY.search(each)]
    wants = [request(each) for each in role.wants if not _CONDITIONAL.match(each)]
    lines = (" ".join(("Hello!", who, *known, *wants)),)
    return Script(lines, again=" ".join(wants), written=False)


@cache
def _read_scripts() -> dict[str, Script]:
    folder = files("agent.simulated") / "data"
    found: dict[str, Script] = {}
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        for scenario, entry in json.loads(file.read_text(encoding="utf-8")).items():
            found[scenario] = _script(entry)
    return found


def _script(entry: Mapping[str, object]) -> Script:
    asks = entry.get("asks", {})
    lines = entry["lines"]
    if not isinstance(asks, dict) or not isinstance(lines, list):
        raise ValueError("a script has a list of lines, and its asks by tool")
    return Script(
        lines=tuple(map(str, lines)),
        asks={tool: tuple(map(str, words)) for tool, words in asks.items()},
        refusal=str(entry.get("refusal", REFUSAL)),
        closing=str(entry.get("closing", CLOSING)),
    )
