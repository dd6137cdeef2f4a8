from __future__ import annotations

import pytest

from agent.comparison import Talk
from agent.control.reference import is_about_another
from sessions.events import AgentSaid, CustomerSaid

KNOWN = {"AAAAA1", "BBBBB2", "CCCCC3"}
LISTED = "I can change AAAAA1 and BBBBB2. CCCCC3 is too old for that. Is it insured?"


def talk(told: str, said: str) -> Talk:
    found = Talk()
    found.add(AgentSaid(text=told))
    found.add(CustomerSaid(text=said, turn=1))
    return found


@pytest.mark.parametrize(
    ("said", "of", "another"),
    [
        ("I do not want it upgraded.", "AAAAA1", True),
        ("I do not want it upgraded.", "CCCCC3", False),
        ("I want it upgraded.", "AAAAA1", False),
        ("Don't change it in AAAAA1.", "AAAAA1", False),
        ("Do the two and look at CCCCC3 again.", "AAAAA1", True),
        ("Do the two and look at CCCCC3 again.", "DDDDD4", False),
        ("Other watch stays as it is.", "AAAAA1", True),
        ("Use the card ending in 2135.", "AAAAA1", False),
    ],
)
def test_whom_a_sentence_is_about(said: str, of: str, another: bool) -> None:
    assert is_about_another(said, of, KNOWN, talk(LISTED, said)) is another


def test_where_nothing_was_listed_a_pronoun_points_nowhere() -> None:
    said = "I do not want it."
    assert not is_about_another(said, "AAAAA1", KNOWN, talk("How can I help?", said))
    assert not is_about_another(said, None, KNOWN, talk(LISTED, said))
