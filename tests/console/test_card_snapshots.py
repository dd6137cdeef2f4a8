"""How cards look at every width; read the difference before accepting a new picture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.gate.operator import Decision
from console.widgets.working import Working
from sessions.events import Card
from tests.console.cards import (
    against_the_policy,
    booking_for_five,
    cancellation,
    crowded,
    disagreeing_exchange,
)
from tests.console.still import StillApp
from tests.console.test_snapshots import opened
from tests.effort import first

Compare = Callable[..., bool]
SIZES = first(1, [(80, 24), (50, 16), (110, 44), (140, 40)])
CARDS = [cancellation, disagreeing_exchange, booking_for_five, against_the_policy, crowded]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("made", CARDS, ids=lambda made: made.__name__)
def test_cards(
    snap_compare: Compare,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    made: Callable[[], Card],
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr(Working, "seconds", 0.0)
    asking: list[asyncio.Task[Decision]] = []  # held on to until the picture is taken

    async def play(pilot: Pilot[str]) -> None:
        held = await opened(pilot)
        await held.say("hello, i have a wish")
        await held.idle()
        await pilot.app.workers.wait_for_complete()
        asking.append(asyncio.create_task(held.screen.decide(made())))
        await held.ready_card()
        await held.at_rest()

    app = StillApp(tmp_path / "s.sqlite", "Hello! What is it?")
    assert snap_compare(app, terminal_size=size, run_before=play)
