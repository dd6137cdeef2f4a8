"""How the memories of an arm's streams grow: entries in force as each session began."""

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
    """The mean over an arm's streams, but for what is counted."""

    entries: tuple[float, ...]
    """In force before any session, after the first session's update, after the second's …"""

    added: int
    """Capabilities of which something was first learned, all streams together."""

    revised: int
    """Changes that were learned of a capability that was there."""

    omitted: int
    """Updates that changed nothing."""

    execution: int
    """Of those, because the agent did otherwise than a policy that was clear."""


def growth(store: Store, lanes: Sequence[Lane]) -> Growth:
    """What the streams' banks went through; raises StoreError."""
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
    """Every change in its order: revision, capability, its place in that one's history."""
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
