"""The fast part of the zoo: ``python -m tests.agent.hostile`` visits all of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.models.litellm.setup import import_litellm
from tests.agent.hostile.serving import serving
from tests.agent.hostile.statuses import LEAKED
from tests.agent.hostile.visiting import HURRY, visit
from tests.agent.hostile.zoo import ZOO

QUICK = [name for name, each in ZOO.items() if each.quick]
SHARES = 4
MUCH_TOO_LONG = 5.0
"""Seconds, on a machine as busy as it likes: what these floods once took is four times as much.
What is aimed at is 0.1, and measured by the command."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    import_litellm()  # a second by itself, and no part of what is looked at
    with serving() as base:
        yield base


@pytest.mark.parametrize("share", range(SHARES))
async def test_no_answer_writes_unasked_or_keeps_esc_waiting_or_leaves_the_person_without_words(
    address: str, share: int
) -> None:
    for name in QUICK[share::SHARES]:
        seen = await visit(name, address, HURRY)
        assert seen.written == 0, seen
        assert (seen.esc or 0.0) < MUCH_TOO_LONG, seen
        assert seen.stalled < MUCH_TOO_LONG, seen
        assert seen.saw, seen
        assert "litellm" not in seen.saw, seen
        assert "Exception" not in seen.saw, seen
        assert LEAKED not in seen.saw, seen
