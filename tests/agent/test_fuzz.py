from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.fuzzing import fuzz
from tests.effort import first


@pytest.mark.parametrize("seed", first(1, [1, 2]))
async def test_no_answer_of_a_model_breaks_the_loop_or_gets_past_the_gate(
    tmp_path: Path, seed: int
) -> None:
    found = await fuzz(tmp_path, 250, seed)
    assert found.turns == 250
    assert found.cards > found.writes > 0
    assert found.faults > 0
    assert found.verified > 0
    assert found.read > 0
