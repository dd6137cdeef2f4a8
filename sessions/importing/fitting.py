"""Whether runs are of this domain at all: on another, their calls fail and their rewards mislead.

Runs of an airline that were taken for a store's once came out with twice their true success: what
an agent cannot do changes nothing, and for many tasks nothing is the right end.
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

HARMLESS = frozenset({"think"})
"""A tool of the first edition that notes a thought and gives nothing back."""

FEW = 3
"""Calls of tools that are not there which an agent may have made up, in any file."""

MOST = 0.05
"""The share of such calls beyond which they are no slips."""


def must_fit(runs: Sequence[Run], domain: Domain, file: Path) -> None:
    """Raises ImportRefused where the tools, or the customers, of runs are another domain's."""
    made = Counter(call.name for run in runs for call in _calls(run))
    expected = Counter(name for run in runs for name in tools_of_task(run))
    for calls, what in ((made, "calls"), (expected, "calls that its tasks expect")):
        unknown = Counter({each: calls[each] for each in calls if is_unknown(each, domain)})
        if _too_many(unknown.total(), calls.total()):
            raise ImportRefused(
                f"{clean(file.name)} does not fit {domain.name}: {unknown.total():,} of its "
                f"{calls.total():,} {what} are of tools that {domain.name} does not have "
                f"({_some(unknown)}). If it is of another domain, name that with --domain. "
                "Nothing was imported."
            )
    _customers_must_be_here(runs, domain, file)


def _customers_must_be_here(runs: Sequence[Run], domain: Domain, file: Path) -> None:
    named = {run.customer for run in runs if run.customer}
    missing = named - set(domain.customer_ids.values())
    if domain.customer_ids and len(missing) > max(FEW, len(named) / 2):
        raise ImportRefused(
            f"{clean(file.name)} does not fit these records: of the {len(named)} customers that "
            f"its tasks are about, {len(missing)} are not in them ({_some(Counter(missing))}). Say "
            "which domain and which records it was held on with --domain and --data. Nothing was "
            "imported."
        )


def tools_of_task(run: Run) -> Iterator[str]:
    """The tools of the calls that a run's task lists."""
    criteria = (run.task or {}).get("evaluation_criteria")
    actions = criteria.get("actions") if isinstance(criteria, dict) else None
    for each in actions if isinstance(actions, list) else ():
        if isinstance(each, dict) and isinstance(each.get("name"), str):
            yield each["name"]


def is_unknown(name: str, domain: Domain) -> bool:
    """Whether a domain has no such tool, and that means something."""
    return name not in domain.tools and name not in HARMLESS


def _calls(run: Run) -> Iterator[ProposedCall]:
    return (call for step in run.steps if isinstance(step, Agent) for call in step.calls)


def _too_many(unknown: int, of: int) -> bool:
    return unknown * 2 > of or (unknown > FEW and unknown > MOST * of)


def _some(names: Iterable[str]) -> str:
    listed = sorted(clean(each)[:40] for each in names)
    return ", ".join(listed[:3]) + (", …" if len(listed) > 3 else "")
