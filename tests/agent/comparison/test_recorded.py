from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sessions.statistics.evidence import card_report
from tests.recorded_writes import (
    DEV,
    RecordedWrite,
    of_runs,
    of_strangers,
    stranger_files,
    tau2_domain,
)
from tests.shared_data import TAU2_AIRLINE, TAU2_RETAIL

needs_the_records = pytest.mark.skipif(
    not (TAU2_RETAIL.is_dir() and TAU2_AIRLINE.is_dir()), reason="τ²-bench's records are not here"
)
needs_the_runs = pytest.mark.skipif(
    not (DEV.is_file() and TAU2_AIRLINE.is_dir()), reason="GPT-4o's recorded runs are not here"
)


@cache
def strangers(path: Path) -> tuple[RecordedWrite, ...]:
    return tuple(of_strangers(path))


@needs_the_records
@pytest.mark.parametrize("domain", ["retail", "airline"])
@pytest.mark.heavy
def test_cards_speak_against_most_wrong_writes_of_strangers(domain: str) -> None:
    files = [path for path in stranger_files() if path.stem.endswith(domain)]
    found = [each.judged for path in files for each in strangers(path)]
    caught = card_report(domain, (), found).any_speaks_against.wrong
    assert caught.n >= 50
    assert caught.count >= 0.85 * caught.n


@needs_the_records
@pytest.mark.heavy
def test_cards_hardly_ever_speak_against_right_writes_of_strangers() -> None:
    found = [each.judged for path in stranger_files() for each in strangers(path)]
    caught = card_report("strangers", (), found).any_speaks_against.right
    assert caught.n >= 200
    assert caught.count <= 0.05 * caught.n


@needs_the_runs
@pytest.mark.heavy
def test_on_a_real_models_writes_cards_catch_most_that_is_wrong_and_hardly_ever_cry_wolf() -> None:
    played = of_runs(DEV, tau2_domain("airline"))
    found = [each.judged for run in played for each in run.writes]
    caught = card_report("dev", (), found).any_speaks_against
    assert caught.wrong.n >= 35
    assert caught.wrong.count >= 0.8 * caught.wrong.n
    assert caught.right.n >= 45
    assert caught.right.count <= 0.05 * caught.right.n
