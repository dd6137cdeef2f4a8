"""Reading a file of policy gaps and of the scenarios that are about them.

The file contains our own words and the ids of the records it was written for, but nothing of these
records themselves: each is recognized by a digest, and the policy's clause by a few of its words.
If any of them differs, the file does not apply to the domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from domains.core.canonical import digest
from domains.core.domain import Domain, DomainError, Gaps, Scenario
from domains.core.gap import GapKind, PolicyGap
from domains.scenarios import files
from domains.scenarios.fields import as_list, as_object, as_one_of, as_text, as_texts
from domains.text.sentences import lines

SPLIT = "gaps"
"""The split of a domain's scenarios to which these belong."""

DIGITS = 12
"""How many hexadecimal digits of its digest identify a record."""

_WHOLE = {"records", "gaps", "scenarios"}
_GAP = {"id", "kind", "tool", "check", "clause", "problem", "clarification"}


def load(path: Path, domain: Domain) -> Gaps:
    """What a file says about a domain; empty if its records or its policy are different ones.

    Raises DomainError if the file is invalid.
    """
    content = files.read(path)
    as_object(content, str(path), needed=_WHOLE, allowed=_WHOLE)
    if not _fits(content["records"], domain):
        return Gaps()
    scenarios = files.scenarios_of(path, content["scenarios"])
    gaps = [_gap(each, domain, scenarios) for each in as_list(content["gaps"], "gaps")]
    if not all(each.policy for each in gaps):
        return Gaps()
    for each in scenarios:
        _must_belong(each, gaps, path)
    return Gaps(tuple(gaps), tuple(replace(each, splits=(SPLIT,)) for each in scenarios))


def fingerprint(domain: Domain, place: str) -> str:
    """The beginning of the digest of the record at ``users/ann_1``, say; empty if there is none."""
    collection, _, key = place.partition("/")
    record = domain.base.collections.get(collection, {}).get(key)
    return "" if record is None else digest(record)[:DIGITS]


def _fits(known: Any, domain: Domain) -> bool:
    if not isinstance(known, Mapping):
        raise DomainError("records should be an object.")
    return all(fingerprint(domain, place) == there for place, there in known.items())


def _gap(entry: Any, domain: Domain, scenarios: Sequence[Scenario]) -> PolicyGap:
    as_object(entry, "a gap", needed=_GAP, allowed=_GAP)
    gap_id = as_text(entry["id"], "id")
    return PolicyGap(
        id=gap_id,
        domain=domain.name,
        kind=as_one_of(get_args(GapKind), entry["kind"], "kind"),
        tool=as_text(entry["tool"], "tool"),
        check=as_text(entry["check"], "check"),
        policy=_clause(domain.policy, as_texts(entry["clause"], "clause")),
        problem=as_text(entry["problem"], "problem"),
        clarification=as_text(entry["clarification"], "clarification"),
        parents=tuple(each.id for each in scenarios if each.gap == gap_id and not each.variant),
    )


def _clause(policy: str, words: Sequence[str]) -> str:
    """The policy's first sentence or list item with all of these words; may be empty."""
    found = (line for line in lines(policy) if all(each in line for each in words))
    return next(found, "")


def _must_belong(scenario: Scenario, gaps: Sequence[PolicyGap], path: Path) -> None:
    """Raise DomainError unless the scenario is about a gap in the file.

    The parent of a sister must be a parent about the same gap.
    """
    gap = next((each for each in gaps if each.id == scenario.gap), None)
    if gap is None:
        raise DomainError(f"{path}: {scenario.id} is not about any gap in this file.")
    if scenario.variant and scenario.parent not in gap.parents:
        raise DomainError(f"{path}: {scenario.id} has no parent about the same gap.")
