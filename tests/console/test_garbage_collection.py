from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import garbage_collection
from console.widgets.live import LiveAnswer
from console.widgets.prose import Prose
from console.widgets.transcript import WINDOW
from tests.console.stage import stage

pytestmark = pytest.mark.collects


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """What hundreds of other tests have left is not looked through, neither here nor later."""
    thresholds = gc.get_threshold()
    gc.freeze()
    yield
    gc.set_threshold(*thresholds)
    gc.enable()
    gc.freeze()


class Ring:
    """Garbage that only a collection finds."""

    alive = 0

    def __init__(self) -> None:
        self.itself = self
        Ring.alive += 1

    def __del__(self) -> None:
        Ring.alive -= 1


def test_nothing_is_collected_before_the_first_frame_and_seldom_after() -> None:
    garbage_collection.disable_until_first_frame()
    assert not gc.isenabled()
    garbage_collection.enable_and_freeze()
    assert gc.isenabled()
    assert gc.get_threshold() == garbage_collection.THRESHOLDS
    assert gc.get_freeze_count() > 10_000


@pytest.mark.heavy
def test_a_turn_leaves_nothing_behind_and_a_session_that_is_left_goes_whole() -> None:
    for _ in range(3):
        Ring()
        garbage_collection.collect_after_turn()
        assert Ring.alive == 0
    kept = Ring()
    garbage_collection.freeze_everything()
    del kept
    garbage_collection.collect_after_turn()
    assert Ring.alive == 1
    garbage_collection.unfreeze_and_collect()
    assert Ring.alive == 0


@pytest.mark.heavy
async def test_turns_do_not_grow_the_process(tmp_path: Path) -> None:
    answers = [f"Answer **{number}**." for number in range(30)]
    garbage_collection.enable_and_freeze()
    async with stage(tmp_path, *answers) as held:
        for _ in answers[:-1]:
            await held.say("and now?")
            await held.idle()
        await held.at_rest()
        await held.press("escape")  # to the end: a slow machine may not have been there yet
        await held.until(few_are_left, "only what can be seen, and what it is drawn with")


def few_are_left() -> bool:
    """Whether of all that was said only what the window holds is still in memory."""
    garbage_collection.collect_after_turn()
    kinds = [type(each) for each in gc.get_objects()]
    return kinds.count(Prose) <= WINDOW // 2 + 1 and kinds.count(LiveAnswer) <= 1
