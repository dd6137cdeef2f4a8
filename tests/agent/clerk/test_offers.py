"""No more than five things are offered at once, whatever could be."""

from __future__ import annotations

import pytest

from agent.clerk.deciding.offers import MOST, ask_to_pick, with_others
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task

WORDS = {"return_items": "return something", "cancel_order": "cancel an order", "human": "a human"}


@pytest.mark.parametrize("count", range(1, 9))
def test_choices_and_what_else_was_meant_are_five_at_most(count: int) -> None:
    task = Task("exchange_items", "swap it", other_intents=[*WORDS])
    choices = [Choice(str(n), f"thing {n}") for n in range(count)]
    asked = with_others(ask_to_pick("Which one?", "items", task, choices), task, WORDS)
    assert len(asked.choices) <= MOST == 5
    told = [line for line in f"{asked.text}\n{asked.tail}".splitlines() if line[:1].isdigit()]
    assert len(told) == len(asked.choices)
    assert [each.value for each in asked.choices[:count]] == [
        str(n) for n in range(min(count, MOST))
    ]
