from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.airline import claims, fares
from sessions.events import AgentSaid, CustomerSaid
from sessions.statistics.evidence import CardReport, card_report
from tests.effort import first
from tests.recorded_writes import DEV, Played, of_runs, tau2_domain
from tests.relabelled import Relabelling, relabelled
from tests.shared_data import TAU2_AIRLINE

pytestmark = pytest.mark.skipif(
    not (DEV.is_file() and TAU2_AIRLINE.is_dir()), reason="GPT-4o's recorded runs are not here"
)

WITHIN = 2
"""Writes by which two tables may differ in a row."""


@cache
def records() -> Any:
    return json.loads((TAU2_AIRLINE / "db.json").read_text())


@cache
def originals() -> list[Played]:
    return of_runs(DEV, tau2_domain("airline"))


def report(played: Sequence[Played]) -> CardReport:
    return card_report("airline", (), [each.judged for run in played for each in run.writes])


def rows(found: CardReport) -> dict[str, tuple[int, int]]:
    """How often each line of the table fires on wrong and on right writes."""
    told = {"any ✗ or line": found.any_speaks_against}
    told |= {f"{each.kind} {each.name}": each.caught for each in found.lines}
    return {name: (each.wrong.count, each.right.count) for name, each in told.items()}


def verdicts(played: Sequence[Played]) -> list[tuple[str, str, str]]:
    return [
        (each.conversation, each.card.tool, each.judged.verdict.verdict)
        for run in played
        for each in run.writes
    ]


def charge(patch: pytest.MonkeyPatch, factor: int) -> None:
    """What the airline charges and gives beside the seats is an amount like any other."""
    for name in ("EXTRA_BAG", "INSURANCE"):
        patch.setattr(fares, name, factor * getattr(fares, name))
    for state, amount in claims.DOLLARS_PER_PASSENGER.items():
        patch.setitem(claims.DOLLARS_PER_PASSENGER, state, factor * amount)


@pytest.mark.parametrize("seed", first(1, [1, 2, 3]))
def test_under_other_names_ids_dates_and_amounts_cards_say_the_same(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = originals()
    made = relabelled(seed, records(), json.loads(DEV.read_text()), tmp_path)
    charge(monkeypatch, made.factor)
    after = of_runs(tmp_path / "runs.json", domains.load("airline", tmp_path))
    assert verdicts(after) == verdicts(before)
    old, new = rows(report(before)), rows(report(after))
    assert old["any ✗ or line"][0] > 0
    for name in old.keys() | new.keys():
        for one, other in zip(old.get(name, (0, 0)), new.get(name, (0, 0)), strict=True):
            assert abs(one - other) <= WITHIN, name


def test_no_customer_reservation_or_flight_keeps_its_id() -> None:
    made = Relabelling(1, records())
    ids = [key for collection in records().values() for key in collection]
    moved = [made.text(key) for key in ids]
    assert len(set(moved)) == len(ids)
    assert not any(one == other for one, other in zip(ids, moved, strict=True))
    said = [
        word
        for run in originals()
        for each in run.log
        if isinstance(each.event, CustomerSaid | AgentSaid)
        for word in re.findall(r"\w+", each.event.text)
    ]
    assert any(word in ids for word in said)
    assert not any(made.text(word) == word for word in set(said) & set(ids))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("The 2 bags go at 07:00 PM, in 24 hours, with 3 people.", True),
        ("May I ask? HATHAT is booked.", True),
        ("It costs $1,194.", False),
        ("Visa ending in 2076", False),
        ("use my 7447 card", False),
        ("certificate_7504069 and Certificate 4856383", False),
        ("May 19th and 20th, 2024", False),
        ("born April 12, 2001", False),
        ("2024-05-15T15:00:00", False),
    ],
)
def test_what_is_no_name_id_date_or_amount_stays(text: str, same: bool) -> None:
    assert (Relabelling(1, records()).text(text) == text) is same
