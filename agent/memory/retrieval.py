"""The agent's look-ups in its memory (PolicyBank, section 4, agent-triggered retrieval).

Only what is in force is read, as it was when the session began: an entry that is accepted or undone
in the meantime belongs to later sessions.
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
"""The maximum number of entries read at once: a model that asks for all of them reads none."""

HEADED = 120
"""How many characters of what was learned a header has."""


def with_memory_lookup(domain: Domain, bank: Bank | None) -> Domain:
    """The domain, with a look-up for the bank if that is how the agent reads it.

    Raises MemoryRefused for a bank of another domain.
    """
    if bank is None:
        return domain
    if bank.domain != domain.name:
        raise MemoryRefused(
            f"The memory {bank.name} is about {bank.domain}, but this session is about "
            f"{domain.name}."
        )
    if bank.read_by != "tool":
        return domain
    return with_retrieval(domain, lambda wanted: retrieve(bank, wanted))


def recall(store: Store, session: str, used: MemoryUsed | None) -> Bank | None:
    """The bank as it was for a session that began with this memory; None without a memory.

    Raises MemoryRefused if the session file does not have the memory as it was.
    """
    if used is None:
        return None
    bank = open_bank(store, used.bank, used.revision)
    # Older versions identified a memory by its name alone, which means nothing in another file.
    unsaid = not used.digest and store.foreign_origin(session) is None
    if used.digest != bank.digest and not unsaid:
        raise MemoryRefused(
            f"This session used another memory {used.bank} than the one with that name here. "
            "Continue it in the session file in which it was recorded."
        )
    return replace(bank, read_by=used.by, digest=used.digest)


def recall_if_here(store: Store, session: str, used: MemoryUsed | None) -> Bank | None:
    """The same for a session that is only viewed: None if the memory is not as it was."""
    try:
        return recall(store, session, used)
    except MemoryRefused:
        return None


def retrieve(bank: Bank, wanted: Sequence[str]) -> str:
    """The headers of all entries, or the requested entries whole, as JSON.

    Raises ToolError for an unknown entry and for too many at once.
    """
    if not wanted:
        return json.dumps([_header(each) for each in bank.entries.values()], ensure_ascii=False)
    if len(wanted) > MOST:
        raise ToolError(f"At most {MOST} capabilities can be read at once.")
    unknown = next((each for each in wanted if each not in bank.entries), None)
    if unknown is not None:
        raise ToolError(
            "There is no such capability; call this without arguments to see which there are."
        )
    entries = [bank.entries[each] for each in dict.fromkeys(wanted)]
    return f"[{', '.join(map(as_read, entries))}]"


def _header(entry: Entry) -> dict[str, str]:
    """The fields that show whether an entry is relevant, with the first words of the lesson."""
    told = {"capability": entry.capability, "tool": entry.tool, "trigger": entry.trigger}
    if entry.check is not None:
        told["check"] = entry.check.name
    learned = entry.check.condition if entry.check is not None else entry.key_insight
    return {**told, "learned": learned[:HEADED]} if learned else told


def as_read(entry: Entry) -> str:
    """An entry as the agent reads it: JSON, without fields that have their default."""
    told = entry.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(told, ensure_ascii=False)
