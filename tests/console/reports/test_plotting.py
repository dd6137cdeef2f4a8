from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

from console.reports.evidence_tables import rows
from console.reports.plotting import WIDTH, draw, panel_layout
from sessions.statistics.evidence import CardReport, Caught, Line
from sessions.statistics.intervals import share

pytestmark = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed"
)

NEVER = Caught(share(0, 40), share(0, 40))
OFTEN = Caught(share(30, 40), share(2, 40))


def report(lines: int, caught: Caught) -> CardReport:
    told = tuple(Line("check", f"rule number {place} is kept", caught) for place in range(lines))
    return CardReport(
        name="airline", remarks=(), sessions=40, recorded=80, live=0, wrong=40, right=40,
        against_the_policy=0, not_decidable=0, lines=told, any_check=OFTEN,
        any_disagreement=NEVER, any_speaks_against=OFTEN, any_question=NEVER, readers=(),
        all_readers=(),
    )  # fmt: skip


def size(reports: list[CardReport], folder: Path) -> tuple[int, int]:
    """Width and height in pixels."""
    out = folder / "cards.png"
    draw(reports, out, force=True)
    width, height = struct.unpack(">II", out.read_bytes()[16:24])
    return width, height


def test_what_fires_on_nothing_takes_no_line_of_the_picture(tmp_path: Path) -> None:
    assert size([report(40, NEVER)], tmp_path) == size([report(0, NEVER)], tmp_path)


@pytest.mark.parametrize(("groups", "each"), [(1, 36), (5, 4)])
def test_a_picture_is_as_large_as_was_shared_out(groups: int, each: int, tmp_path: Path) -> None:
    drawn = report(each, OFTEN)
    lines = sum(any(side.count for side in (c.wrong, c.right)) for _, c in rows(drawn))
    columns, heights = panel_layout([lines] * groups)
    width, height = size([drawn] * groups, tmp_path)
    assert height / width == pytest.approx(sum(heights) / (columns * WIDTH), abs=0.01)


@pytest.mark.parametrize("groups", range(1, 41))
def test_a_picture_of_many_groups_is_not_much_higher_than_wide(groups: int) -> None:
    columns, heights = panel_layout([36 + 2] * groups)
    assert sum(heights) <= 1.3 * columns * WIDTH
