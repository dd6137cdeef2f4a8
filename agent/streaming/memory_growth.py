"""How the memories of an arm's streams grow: the entries in force when each session began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from agent.memory.bank import Bank, Capability
from agent.memory.keeping import open_bank
from agent.streaming.plan import Lane
from sessions.store import memory as rows
from sessions.store.store import Store


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth over an arm's streams: entries are means, the other numbers are totals."""

    entries: tuple[float, ...]
    """Entries in force before any session, after the first session's update, after the second's
    …"""

    added: int
    """Capabilities about which something was first learned, in all streams together."""

    revised: int
    """Changes learned about a capability that already existed."""

    omitted: int
    """Updates that changed nothing."""

    execution: int
    """Omitted updates where the agent had simply not followed a clear policy."""


def growth(store: Store, lanes: Sequence[Lane]) -> Growth:
    """How the streams' memories grew; raises StoreError."""
    there = {row.name for row in rows.banks(store)}
    banks = [open_bank(store, lane.bank) for lane in lanes if lane.bank in there]
    curves = [_curve(bank) for bank in banks]
    shortest = min(map(len, curves), default=0)
    counts = sum(map(_counts, banks), Counter[str]())
    return Growth(
        entries=tuple(fmean(curve[place] for curve in curves) for place in range(shortest)),
        added=counts["added"],
        revised=counts["revised"],
        omitted=counts["omitted"],
        execution=counts["execution"],
    )


def _changes(bank: Bank) -> list[tuple[int, Capability, int]]:
    """Every change in order: its revision, its capability, and its place in that one's history."""
    found = [
        (revision, each, place)
        for each in bank.capabilities.values()
        for place, (revision, _, _) in enumerate(each.history)
    ]
    return sorted(found, key=lambda each: each[0])


def _curve(bank: Bank) -> list[int]:
    """Entries in force at the beginning, and after each session that was learned from."""
    held: set[str] = set()
    curve: list[int] = []
    last = ""
    for _, capability, place in _changes(bank):
        change = capability.history[place][2]
        if change.origin.session and change.origin.session != last:
            curve.append(len(held))
            last = change.origin.session
        if change.does in ("edit", "accept"):
            held.add(capability.name)
    return [*curve, len(held)]


def _counts(bank: Bank) -> Counter[str]:
    found: Counter[str] = Counter()
    for capability in bank.capabilities.values():
        known = False
        for _, _, change in capability.history:
            match change.does:
                case "omit":
                    found["omitted"] += 1
                    found["execution"] += change.origin.failure == "execution"
                case "edit":
                    known = True
                case "accept":
                    found["revised" if known else "added"] += 1
                    known = True
                case _:
                    pass
    return found
