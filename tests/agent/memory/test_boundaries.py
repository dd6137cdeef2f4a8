from __future__ import annotations

import pytest

from agent.memory.boundaries import keep_what_was_learned
from agent.memory.entry import LONGEST_TEXT, Entry, make_entry
from sessions.store.memory import MemoryRefused


def learned(condition: str) -> Entry:
    check = {"name": "Few coins", "effect": "relaxes", "condition": condition}
    return make_entry(
        {"capability": "take", "tool": "take", "trigger": "Coins are wanted.", "check": check}
    )


def test_two_conditions_that_together_are_too_long_are_refused_in_a_sentence() -> None:
    half = LONGEST_TEXT // 2
    first, second = learned("a" * half), learned("b" * half)
    with pytest.raises(MemoryRefused, match=f"{LONGEST_TEXT} is the most"):
        keep_what_was_learned(first, second)
    kept = keep_what_was_learned(first, learned("b" * 9)).check
    assert kept is not None
    assert kept.condition == f"{'a' * half} – also: {'b' * 9}"
