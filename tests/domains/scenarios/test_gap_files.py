"""Files of gaps: what is wrong with one is told; one that was written for others says nothing."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domains.core.domain import Domain, DomainError, Gaps
from domains.scenarios.gaps import fingerprint, load
from tests.toy import toy_domain

GAP = {
    "id": "few", "kind": "missing exception", "tool": "take", "check": "", "clause": ["nine"],
    "problem": "It forgets the rich.", "clarification": "The rich may take more.",
}  # fmt: skip
PARENT = {
    "id": "coins", "title": "Coins", "gap": "few", "role": {"who": "You are Ann."}, "ends": [[]],
}  # fmt: skip
SISTER = {**PARENT, "id": "coins-2", "parent": "coins", "variant": "complex"}


def domain() -> Domain:
    return replace(toy_domain(), policy="Be kind.\nTake at most nine coins. Or fewer.")


def content(records: dict[str, str]) -> dict[str, Any]:
    return deepcopy({"records": records, "gaps": [GAP], "scenarios": [PARENT, SISTER]})


def read(tmp_path: Path, told: Any, played: Domain | None = None) -> Gaps:
    path = tmp_path / "gaps.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    return load(path, played or domain())


def test_a_gap_has_its_clause_from_the_policy_and_its_parents_from_the_scenarios(
    tmp_path: Path,
) -> None:
    known = {"jars/red": fingerprint(domain(), "jars/red")}
    found = read(tmp_path, content(known))
    assert all(known.values())
    assert [(each.policy, each.parents) for each in found.gaps] == [
        ("Take at most nine coins.", ("coins",))
    ]
    assert [each.splits for each in found.scenarios] == [("gaps",), ("gaps",)]


def test_one_that_was_written_for_other_records_or_another_policy_says_nothing(
    tmp_path: Path,
) -> None:
    known = {"jars/red": fingerprint(domain(), "jars/red")}
    assert read(tmp_path, content(known), replace(domain(), base=toy_domain(3).base)) == Gaps()
    assert read(tmp_path, content({"jars/none": "0"})) == Gaps()
    assert read(tmp_path, content(known), toy_domain()) == Gaps()


@pytest.mark.parametrize(
    ("place", "told", "words"),
    [
        (("gaps", 0, "kind"), "typing error", "kind should be one of 'false dependency'"),
        (("gaps", 0, "tool"), 7, "tool should be text"),
        (("gaps", 0, "more"), "", "a gap has an unknown 'more'"),
        (("scenarios", 0, "gap"), "many", "coins is not about any gap in this file"),
        (("scenarios", 1, "parent"), "coins-2", "coins-2 has no parent about the same gap"),
        (("scenarios", 1, "variant"), "harder", "variant should be one of 'simplified'"),
        (("records",), [], "records should be an object"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, place: tuple[Any, ...], told: Any, words: str
) -> None:
    broken: Any = content({})
    *way, last = place
    part = broken
    for step in way:
        part = part[step]
    part[last] = told
    with pytest.raises(DomainError, match=words):
        read(tmp_path, broken)
