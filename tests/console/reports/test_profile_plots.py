from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from console.reports.profile_plots import draw_dialogue, draw_tools
from sessions.statistics.compared import Compared, Way, compare
from sessions.statistics.facts import SessionFacts
from tests.console.reports.test_control_tables import two_ways
from tests.sessions.statistics.rows import row

pytestmark = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed"
)


def drawn(found: Sequence[Compared], folder: Path) -> list[str]:
    """Both pictures."""
    places = [folder / "dialogue.svg", folder / "tools.svg"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        draw_dialogue(found, places[0], force=True)
        draw_tools(found, places[1], force=True)
    return [each.read_text("utf-8") for each in places]


def test_the_same_numbers_are_the_same_picture_every_time(tmp_path: Path) -> None:
    first, again = drawn(two_ways(), tmp_path), drawn(two_ways(), tmp_path)
    assert first == again
    other = two_ways()
    other[1] = replace(other[1], overhead=other[0].overhead)
    assert all(a != b for a, b in zip(first, drawn(other, tmp_path), strict=True))


def test_intervals_are_promised_where_there_are_any(tmp_path: Path) -> None:
    spread, _ = drawn([replace(each, name="x") for each in two_ways()], tmp_path)
    assert "95 % intervals" not in spread  # all sessions of a way are alike there
    rows = [replace(row, turns=place) for place, row in enumerate(_rows())]
    told, _ = drawn(compare([Way("x", True, rows)], None), tmp_path)
    assert "95 % intervals" in told


def _rows() -> list[SessionFacts]:
    return [row(scenario=f"{n}", model="m") for n in range(4)]


def test_whatever_ways_are_called_and_without_sessions_there_is_a_picture(tmp_path: Path) -> None:
    odd = [replace(each, name="$\\frac{$ <b>") for each in two_ways()]
    assert all("svg" in each for each in drawn(odd, tmp_path))
    assert all("svg" in each for each in drawn(compare([Way("w", True, [])], None), tmp_path))
