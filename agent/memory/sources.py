"""Which files have words in an entry that holds: what is learned later keeps what was there."""

from __future__ import annotations

import re

from agent.memory.bank import Capability, Version
from agent.memory.entry import Entry
from sessions.events.memory import KEPT_BOUNDARY

_JOINT = re.compile(r" – (?:but|also): ")


def is_foreign(version: Version) -> bool:
    """Whether it came with a file, of entries or of sessions, and so from somebody unknown."""
    return version.origin.kind == "file" or bool(version.origin.file)


def foreign_sources(capability: Capability) -> list[Version]:
    """What came with files and was taken over before the version that holds, which has its words.

    What was undone since counts as well: something that was learned meanwhile may have its words.
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
    """What it says, each part of what was joined by itself; clauses of the policy are nobody's."""
    condition = entry.check.condition if entry.check else ""
    texts = (entry.trigger, entry.action, entry.key_insight, condition,
             *entry.preconditions, *entry.eligibility)  # fmt: skip
    parts = (part for text in texts for part in _JOINT.split(text.removeprefix(KEPT_BOUNDARY)))
    return set(filter(None, parts))
