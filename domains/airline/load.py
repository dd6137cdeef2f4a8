"""Loading the airline domain: our own demo from the package, or τ²-bench's from a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path

from domains.airline import reading
from domains.airline.facts import facts
from domains.airline.naming import NAMING
from domains.airline.quirks import CORRECT, TAU2, Quirks
from domains.airline.record_sheets import FINDS_CUSTOMER, customer_of, owner_of, sheets
from domains.airline.routing import routing
from domains.airline.tools import toolset
from domains.airline.topics import TOPICS
from domains.core.domain import Domain, Gaps, Scenario
from domains.core.personal import CUSTOMER_FIELDS
from domains.core.reading import read_policy
from domains.core.records import Base
from domains.scenarios import gaps
from domains.tau2 import data as tau2
from domains.tau2 import tasks as tau2_tasks

_OWN = Path(str(files("domains.airline"))) / "data"
TAU2_GAPS = _OWN / "tau2_gaps.json"
"""The known gaps in τ²-bench's policy, used with τ²-bench's records."""

DEMO_GAPS = _OWN / "gaps.json"
"""A gap in the demo airline's policy, so that gaps can be shown without a data folder."""


def load(data: Path | None = None) -> Domain:
    """Load the airline domain on our demo records, or on the records in a folder.

    The folder holds τ²-bench's ``db.json`` and ``policy.md`` in one of the places that
    :func:`domains.tau2.data.folder` searches, and optionally its ``tasks.json`` beside them. Raises
    DomainError if a file is missing or invalid.
    """
    if data is None:
        return _demo()
    folder = tau2.folder(data, "airline")
    return _domain(
        *reading.read_base(folder / "db.json", f"records in {data}"),
        policy=read_policy(folder / "policy.md"),
        quirks=TAU2,
        read_scenarios=partial(tau2_tasks.tasks_beside_records, folder),
        read_gaps=partial(gaps.load, TAU2_GAPS),
    )


def _demo() -> Domain:
    from domains.airline import scenarios

    return _domain(
        *reading.read_base(_OWN / "store.json", "the demo airline"),
        policy=read_policy(_OWN / "policy.md"),
        quirks=CORRECT,
        read_scenarios=lambda _: scenarios.load(),
        read_gaps=partial(gaps.load, DEMO_GAPS),
    )


def _domain(
    base: Base,
    now: str,
    *,
    policy: str,
    quirks: Quirks,
    read_scenarios: Callable[[Domain], tuple[Scenario, ...]],
    read_gaps: Callable[[Domain], Gaps],
) -> Domain:
    return Domain(
        name="airline",
        title="Airline",
        policy=policy,
        tools=toolset(quirks, now),
        base=base,
        sheets=sheets,
        customer_of=customer_of,
        owner_of=owner_of,
        customers="users",
        identifies=FINDS_CUSTOMER,
        naming=NAMING,
        facts=facts,
        topics=TOPICS,
        personal=CUSTOMER_FIELDS,
        routing=routing(),
        read_scenarios=read_scenarios,
        read_gaps=read_gaps,
    )
