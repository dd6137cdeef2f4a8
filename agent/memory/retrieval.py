"""What the agent reads of its memory (PolicyBank, section 4, agent-triggered retrieval).

Only what is in force is read, as it stood when the session began: an entry that is accepted or
undone meanwhile is another session's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from agent.memory.bank import Bank
from agent.memory.entry import Entry
from agent.memory.keeping import open_bank
from domains.core.domain import Domain
from domains.core.retrieval import with_retrieval
from domains.core.tool import ToolError
from sessions.events.memory import MemoryUsed
from sessions.store.memory import MemoryRefused
from sessions.store.store import Store

MOST = 10
"""Entries that are read at once: a model that asks for all of them reads none."""

HEADED = 120
"""Characters of what was learned that a header has."""


def remember(domain: Domain, bank: Bank | None) -> Domain:
    """The domain whose agent can read a bank, if any; MemoryRefused for another domain's.

    It has the look-up only where that is how it reads.
    """
    if bank is None:
        return domain
    if bank.domain != domain.name:
        raise MemoryRefused(
            f"The memory {bank.name} is about {bank.domain}, and this session about {domain.name}."
        )
    if bank.read_by != "tool":
        return domain
    return with_retrieval(domain, lambda wanted: retrieve(bank, wanted))


def recall(store: Store, session: str, used: MemoryUsed | None) -> Bank | None:
    """The bank as a session had it that began with this memory; None for a session without one.

    Raises MemoryRefused where the memory is not in the session file as it was.
    """
    if used is None:
        return None
    bank = open_bank(store, used.bank, used.revision)
    # Older versions knew a memory by its name alone; a name says nothing in another file.
    unsaid = not used.digest and store.taken_in(session) is None
    if used.digest != bank.digest and not unsaid:
        raise MemoryRefused(
            f"This session was held with another memory {used.bank} than the one that has that "
            "name here. Go on with it in the session file that it was recorded in."
        )
    return replace(bank, read_by=used.by, digest=used.digest)


def recall_if_here(store: Store, session: str, used: MemoryUsed | None) -> Bank | None:
    """The same for somebody who only looks at the session: None where it is not as it was."""
    try:
        return recall(store, session, used)
    except MemoryRefused:
        return None


def retrieve(bank: Bank, wanted: Sequence[str]) -> str:
    """The headers of all entries, or these entries whole, as JSON; ToolError for what is none."""
    if not wanted:
        return json.dumps([_header(each) for each in bank.entries.values()], ensure_ascii=False)
    if len(wanted) > MOST:
        raise ToolError(f"At most {MOST} capabilities are read at once.")
    unknown = next((each for each in wanted if each not in bank.entries), None)
    if unknown is not None:
        raise ToolError("There is no such capability; call without arguments to see which.")
    entries = [bank.entries[each] for each in dict.fromkeys(wanted)]
    return f"[{', '.join(map(as_read, entries))}]"


def _header(entry: Entry) -> dict[str, str]:
    """What tells whether an entry bears on a request: of what was learned also its first words."""
    told = {"capability": entry.capability, "tool": entry.tool, "trigger": entry.trigger}
    if entry.check is not None:
        told["check"] = entry.check.name
    learned = entry.check.condition if entry.check is not None else entry.key_insight
    return {**told, "learned": learned[:HEADED]} if learned else told


def as_read(entry: Entry) -> str:
    """An entry as the agent reads it: JSON, without what it says nothing of."""
    told = entry.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(told, ensure_ascii=False)
