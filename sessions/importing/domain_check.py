"""Refuse runs of another domain: their calls fail here, and their rewards mislead.

Airline runs that were imported as retail runs once came out with twice their true success rate. An
agent whose calls fail changes nothing, and for many tasks changing nothing is the right end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from domains.core.domain import Domain
from sessions.cleaning import clean
from sessions.events import ProposedCall
from sessions.importing.runs import Agent, Run
from sessions.store.errors import ImportRefused

IGNORED_TOOLS = frozenset({"think"})
"""A tool of τ-bench's first edition that only notes a thought; a domain need not have it."""

MOST_MISFITS = 3
"""The number of misfits tolerated in any file: calls of made-up tools, or unknown customers."""

MOST_UNKNOWN_SHARE = 0.05
"""The share of calls of unknown tools above which they are no longer mere slips."""


def refuse_other_domain(runs: Sequence[Run], domain: Domain, file: Path) -> None:
    """Raise ImportRefused if the tools or the customers of the runs belong to another domain."""
    made = Counter(call.name for run in runs for call in _calls(run))
    expected = Counter(name for run in runs for name in tools_of_task(run))
    for calls, what in ((made, "calls"), (expected, "calls that its tasks expect")):
        unknown = Counter({each: calls[each] for each in calls if is_unknown(each, domain)})
        if _too_many(unknown.total(), calls.total()):
            raise ImportRefused(
                f"{clean(file.name)} does not fit {domain.name}: {unknown.total():,} of its "
                f"{calls.total():,} {what} are of tools that {domain.name} does not have "
                f"({_some(unknown)}). If it belongs to another domain, name that with --domain. "
                "Nothing was imported."
            )
    _customers_must_be_here(runs, domain, file)


def _customers_must_be_here(runs: Sequence[Run], domain: Domain, file: Path) -> None:
    named = {run.customer for run in runs if run.customer}
    missing = named - set(domain.customer_ids.values())
    if domain.customer_ids and len(missing) > max(MOST_MISFITS, len(named) / 2):
        raise ImportRefused(
            f"{clean(file.name)} does not fit these records: of the {len(named)} customers that "
            f"its tasks are about, {len(missing)} are not in them ({_some(Counter(missing))}). "
            "Name its domain and records with --domain and --data. Nothing was imported."
        )


def tools_of_task(run: Run) -> Iterator[str]:
    """Yield the tool names of the calls that a run's task lists."""
    criteria = (run.task or {}).get("evaluation_criteria")
    actions = criteria.get("actions") if isinstance(criteria, dict) else None
    for each in actions if isinstance(actions, list) else ():
        if isinstance(each, dict) and isinstance(each.get("name"), str):
            yield each["name"]


def is_unknown(name: str, domain: Domain) -> bool:
    """Whether a domain lacks a tool whose absence matters."""
    return name not in domain.tools and name not in IGNORED_TOOLS


def _calls(run: Run) -> Iterator[ProposedCall]:
    return (call for step in run.steps if isinstance(step, Agent) for call in step.calls)


def _too_many(unknown: int, of: int) -> bool:
    return unknown * 2 > of or (unknown > MOST_MISFITS and unknown > MOST_UNKNOWN_SHARE * of)


def _some(names: Iterable[str]) -> str:
    listed = sorted(clean(each)[:40] for each in names)
    return ", ".join(listed[:3]) + (", …" if len(listed) > 3 else "")
