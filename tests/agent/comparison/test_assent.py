from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.assent import agrees, declines
from agent.comparison.utterance import Utterance


@pytest.mark.parametrize(
    "text", ["Yes.", "yep!", "Go ahead.", "Fine.", "Please do it.", "OK, do that", "Let's do it"]
)
def test_an_answer_agrees(text: str) -> None:
    said = Utterance("customer", text)
    assert agrees(said)
    assert declines(said) == ""


@pytest.mark.parametrize("text", ["No.", "Nope, thanks.", "Never mind.", "Not yet.", "Hold off."])
def test_an_answer_declines_in_a_sentence(text: str) -> None:
    said = Utterance("customer", f"Hm. {text}")
    assert declines(said) == text
    assert not agrees(said)


@pytest.mark.parametrize("text", ["What does it cost?", "My zip is 12345.", "", "The lamp is red."])
def test_an_answer_may_do_neither(text: str) -> None:
    said = Utterance("customer", text)
    assert not agrees(said)
    assert declines(said) == ""


@given(st.text())
def test_what_declines_is_a_part_of_what_was_said(text: str) -> None:
    assert declines(Utterance("customer", text)) in text
