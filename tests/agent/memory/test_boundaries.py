from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory.boundaries import keep_what_was_learned
from agent.memory.entry import LONGEST_TEXT, Entry, make_entry
from sessions.events.memory import BOUNDARY, KEPT_BOUNDARY
from sessions.store.memory import MemoryRefused


def learned(condition: str, effect: str = "relaxes") -> Entry:
    check = {"name": "Few coins", "effect": effect, "condition": condition}
    return make_entry(
        {"capability": "take", "tool": "take", "trigger": "Coins are wanted.", "check": check}
    )


def test_two_conditions_that_together_are_too_long_are_refused_in_a_sentence() -> None:
    half = LONGEST_TEXT // 2
    first, second = learned("a" * half), learned("b" * half)
    with pytest.raises(MemoryRefused, match=f"at most {LONGEST_TEXT} are allowed"):
        keep_what_was_learned(first, second)
    kept = keep_what_was_learned(first, learned("b" * 9)).check
    assert kept is not None
    assert kept.condition == f"{'a' * half} – also: {'b' * 9}"


@given(st.lists(st.sampled_from(["relaxes", "tightens"]), min_size=2, max_size=6))
def test_what_was_learned_is_one_sentence_with_its_last_boundary_and_nothing_is_lost(
    effects: list[str],
) -> None:
    kept = learned("c0 is allowed")
    for number, effect in enumerate(effects, 1):
        kept = keep_what_was_learned(kept, learned(f"c{number} is told", effect))
    assert kept.check is not None
    condition, limits = (
        kept.check.condition,
        [n for n, e in enumerate(effects, 1) if e != "relaxes"],
    )
    assert condition.count(BOUNDARY) == bool(limits)
    if limits:
        assert condition.endswith(f"{BOUNDARY}c{limits[-1]} is told")
    everywhere = [condition, *kept.eligibility]
    for number in range(1, len(effects) + 1):
        assert sum(f"c{number} is told" in each for each in everywhere) == 1
    assert [each for each in kept.eligibility if not each.startswith(KEPT_BOUNDARY)] == []
