from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.fuzzing import ALL_ARMS, fuzz
from tests.effort import first


@pytest.mark.parametrize("seed", first(1, [1, 2]))
async def test_no_answer_of_a_model_breaks_the_loop_or_gets_past_the_gate(
    tmp_path: Path, seed: int
) -> None:
    found = await fuzz(tmp_path, 400, seed)
    assert found.turns == 400
    assert found.cards > found.writes > 0
    assert found.faults > 0
    for card in (True, False):
        own = [arm for arm in ALL_ARMS if arm.card == card]
        assert sum(found.arms[arm] for arm in own if "routed" in arm.control) > 0
        assert sum(found.arms[arm] for arm in own if "routed" not in arm.control) > 0
    assert found.read.keys() == {"looked up", "handed"}
    assert found.outcomes.keys() >= {"kept", "revised", "unverified", "withheld"}
