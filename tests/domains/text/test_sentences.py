from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.text.sentences import lines
from tests.shared_data import TAU2, TAU2_VERIFIED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (".", ()),
        (" . \n\n. ", ()),
        ("One. Two! Three? Four", ("One.", "Two!", "Three?", "Four")),
        ("It cost $12.50. You paid 1,131.", ("It cost $12.50.", "You paid 1,131.")),
        ("Order #W12 is lost. #W13 is not.", ("Order #W12 is lost.", "#W13 is not.")),
        ("Use 9502127 first. Then say no.", ("Use 9502127 first.", "Then say no.")),
        ("Ask mia.b@example.com. You wait.", ("Ask mia.b@example.com.", "You wait.")),
        ("Delay it (i.e. by a day). You pay.", ("Delay it (i.e. by a day).", "You pay.")),
        ("You live on St. Louis Ave. You moved.", ("You live on St. Louis Ave.", "You moved.")),
        ("It is No. 5. You say no. Go.", ("It is No. 5.", "You say no.", "Go.")),
        ("Leave at 5 p.m. EST. You stay.", ("Leave at 5 p.m. EST.", "You stay.")),
        ("Leave at 5 p.m. You stay.", ("Leave at 5 p.m.", "You stay.")),
        ("You are J. Smith. You go.", ("You are J. Smith.", "You go.")),
        ("Cups, mugs, etc. You keep them.", ("Cups, mugs, etc.", "You keep them.")),
        ("Say 'You are kind.' Then go.", ("Say 'You are kind.'", "Then go.")),
        ('Say "No. Never." and go. Bye.', ('Say "No. Never." and go.', "Bye.")),
        ("Go (slowly. Very). Stop.", ("Go (slowly. Very).", "Stop.")),
        ("It went... Also, it came.", ("It went...", "Also, it came.")),
        ("Change it. if asked, say no.", ("Change it.", "if asked, say no.")),
        (".You want two.. You get one", ("You want two..", "You get one")),
        ("Keep {'size': '1.5 l'};  You pay.", ("Keep {'size': '1.5 l'};", "You pay.")),
        ("You want:\n- a cup\n* a mug.\n1. Go on.", ("You want:", "a cup", "a mug.", "1. Go on.")),
        ("If told no,\nmention it. \n\n You go.", ("If told no, mention it.", "You go.")),
        ("Your id is a_1.\nYour zip is 2", ("Your id is a_1.", "Your zip is 2")),
        ("Number:\nh8q05l", ("Number:", "h8q05l")),
        ("two   blanks\tand\u00a0more", ("two blanks and more",)),
        ("a\x1b[31mred\u202e thing", ("a[31mred thing",)),
    ],
)
def test_prose_is_read_line_by_line(text: str, expected: tuple[str, ...]) -> None:
    assert lines(text) == expected


def said(text: str) -> str:
    return "".join(each for each in text if each.isalnum() and each.isprintable())


WORDS = ["You", "if", "no", "St", "e.g", "p.m", "#W12", "$1.50", "(", ")", '"', "'", "-", "etc"]
BREAKS = [". ", "? ", "...", "\n", "\n\n", " ", ", ", ": ", "; ", "• ", "1. ", "\x1b", "\u2028"]
PIECES = st.sampled_from(WORDS + BREAKS)


@given(st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join))
def test_nothing_is_lost_and_nothing_is_moved(text: str) -> None:
    told = lines(text)
    assert said("".join(told)) == said(text)
    assert all(line.strip() == line and line.isprintable() and line for line in told)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_reading_a_line_again_gives_that_line(text: str) -> None:
    for line in lines(text):
        assert "".join(lines(line)).replace(" ", "") == line.replace(" ", "")


@pytest.mark.parametrize("folder", [TAU2, TAU2_VERIFIED])
@pytest.mark.parametrize("name", ["retail", "airline"])
def test_lines_of_the_published_tasks_are_short_enough_to_be_ticked_off(
    folder: Path, name: str
) -> None:
    path = folder / name / "tasks.json"
    if not path.is_file():
        pytest.skip("τ²-bench's tasks are not here")
    told = [
        line
        for task in json.loads(path.read_text(encoding="utf-8"))
        for part, text in task["user_scenario"]["instructions"].items()
        for line in lines(text or "")
        if part != "domain"
    ]
    assert len(told) > 300
    assert max(map(len, told)) < 400
    assert sum(len(line) > 200 for line in told) < len(told) / 20
    assert sum(line[0].islower() for line in told) < len(told) / 20


@pytest.mark.parametrize("text", ["." * 20_000, "(" * 20_000, " " * 20_000, "a. " * 6_000])
def test_a_text_of_one_sign_does_not_hold_the_program_up(text: str) -> None:
    began = time.perf_counter()
    lines(text)
    assert time.perf_counter() - began < 5
