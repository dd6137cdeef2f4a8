"""Selects what an agent is handed from its memory at each customer turn, without asking for it.

PolicyBank, section 5 (the adaptation of the baselines) and the variants of figure 5. What is handed
over is stored with the turn's context in the log, word for word, so that the model's messages are a
function of the log even if the memory has changed since.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from agent.context.selection import PATIENCE, Ranker
from agent.memory.bank import Bank
from agent.memory.entry import Entry
from agent.memory.example import as_example
from agent.memory.retrieval import as_read
from agent.models.redaction import without_secrets
from agent.reflection.policy_lines import closeness
from sessions.events import CustomerSaid
from sessions.events.memory import Recalled
from sessions.log import Log
from sessions.store.store import Store

CLOSEST = 5
"""How many entries are handed over when they are chosen by closeness."""

COMPARED = 100
"""How many entries are compared by their vectors, which takes some seconds the first time."""

EXAMPLES = 2
"""How many past conversations are handed over: each is as long as many entries."""


async def recall(bank: Bank | None, log: Log, ranker: Ranker | None) -> tuple[Recalled, ...]:
    """The part of its memory that the agent is handed in the turn that has just begun."""
    if bank is None or bank.read_by in ("tool", "none") or not bank.entries:
        return ()
    if bank.read_by == "whole":
        return tuple(
            Recalled(capability=name, text=as_read(entry)) for name, entry in bank.entries.items()
        )
    most = EXAMPLES if bank.read_by == "examples" else CLOSEST
    chosen = await _closest(bank, _latest_words(log), ranker, most)
    return await asyncio.to_thread(_recall, log.store, bank, chosen)


async def _closest(
    bank: Bank, query: str, ranker: Ranker | None, most: int
) -> Mapping[str, float | None]:
    """The capabilities that are closest to the customer's words, closest first, with similarities.

    If nothing can be ranked, the newest ones.
    """
    compared = await asyncio.to_thread(_worth_comparing, bank, query)
    texts = list(compared.values())
    found = None if ranker is None else await ranker.rank(query, texts, PATIENCE)
    if found is None:
        return dict.fromkeys(list(bank.entries)[-most:])
    by_name = dict(zip(compared, found, strict=True))
    ranked = sorted(compared, key=lambda name: by_name[name], reverse=True)
    return {name: round(by_name[name], 4) for name in ranked[:most]}


def _worth_comparing(bank: Bank, query: str) -> Mapping[str, str]:
    """The text of each entry to compare with the customer's words, by capability, in their order.

    In a large memory, only those that share most words with them, and then the newest: a turn
    cannot wait until thousands of texts are embedded. The choice depends only on the words and the
    memory, and not on what an earlier run has left behind.
    """
    texts = {name: _text_to_search(entry) for name, entry in bank.entries.items()}
    if len(texts) <= COMPARED:
        return texts
    names = list(texts)
    found = closeness(tuple(texts.values()), query)
    nearest = sorted(range(len(names)), key=lambda n: (found[n], n), reverse=True)[:COMPARED]
    return {names[n]: texts[names[n]] for n in sorted(nearest)}


def _text_to_search(entry: Entry) -> str:
    """The text of an entry that is compared with the customer's words."""
    return " ".join(filter(None, (entry.trigger, *entry.eligibility, entry.key_insight)))


def _recall(store: Store, bank: Bank, chosen: Mapping[str, float | None]) -> tuple[Recalled, ...]:
    return tuple(
        Recalled(capability=name, text=_text(store, bank, name), similarity=similarity)
        for name, similarity in chosen.items()
    )


def _text(store: Store, bank: Bank, name: str) -> str:
    """The text of an entry as the agent reads it."""
    entry = bank.entries[name]
    if bank.read_by == "insights":
        return f"{entry.trigger} {entry.key_insight}"
    if bank.read_by == "examples":
        origin = bank.capabilities[name].versions[-1].origin
        return without_secrets(as_example(store.read(origin.session)))
    return as_read(entry)


def _latest_words(log: Log) -> str:
    said: Sequence[str] = [
        each.event.text for each in log.events if isinstance(each.event, CustomerSaid)
    ]
    return said[-1] if said else ""
