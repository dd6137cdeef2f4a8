"""Finds the files whose words are in an entry in force: later lessons keep earlier words."""

from __future__ import annotations

import re

from agent.memory.bank import Capability, Version
from agent.memory.entry import Entry
from sessions.events.memory import KEPT_BOUNDARY

_JOINT = re.compile(r" – (?:but|also): ")


def is_foreign(version: Version) -> bool:
    """Whether it was imported with a file, of entries or sessions; its author is unknown."""
    return version.origin.kind == "file" or bool(version.origin.file)


def foreign_sources(capability: Capability) -> list[Version]:
    """The imported versions accepted before the one in force, which contains their words.

    Versions that were undone since count as well: something learned in between may have their
    words.
    """
    if not capability.versions or not any(map(is_foreign, capability.taken_over)):
        return []
    holding = capability.versions[-1]
    text = "\n".join(_pieces(holding.entry))
    known: set[str] = set()
    found = []
    for version in capability.taken_over:
        if version.revision == holding.revision:
            continue
        pieces = _pieces(version.entry)
        if not is_foreign(version):
            known |= pieces
        elif any(each in text for each in pieces - known):
            found.append(version)
    return found


def _pieces(entry: Entry) -> set[str]:
    """The texts of an entry, with joined texts taken apart.

    Clauses of the policy do not count, because they come from no one in particular.
    """
    condition = entry.check.condition if entry.check else ""
    texts = (entry.trigger, entry.action, entry.key_insight, condition,
             *entry.preconditions, *entry.eligibility)  # fmt: skip
    parts = (part for text in texts for part in _JOINT.split(text.removeprefix(KEPT_BOUNDARY)))
    return set(filter(None, parts))
