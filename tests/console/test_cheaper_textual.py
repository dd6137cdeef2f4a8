from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.message import Message
from textual.widget import Widget

from console.app import SaberApp
from console.setup import Setup
from tests.console.cheaper_textual import _is_busy


class Worker(Widget):
    """Takes its time over every task, and tells how many it has done."""

    class Task(Message):
        pass

    def __init__(self) -> None:
        super().__init__()
        self.done = 0

    async def on_worker_task(self) -> None:
        await asyncio.sleep(0.05)
        self.done += 1


class Workshop(App[None]):
    def compose(self) -> ComposeResult:
        for _ in range(3):
            yield Worker()


async def test_a_pilot_waits_for_whoever_has_something_to_do() -> None:
    app = Workshop()
    async with app.run_test() as pilot:
        first, second, third = app.query(Worker)
        await pilot.pause()
        assert not any(map(_is_busy, (first, second, third)))
        first.post_message(Worker.Task())
        second.post_message(Worker.Task())
        second.post_message(Worker.Task())
        assert await pilot._wait_for_screen()
        assert [first.done, second.done, third.done] == [1, 2, 0]
        first.post_message(Worker.Task())
        await asyncio.sleep(0.01)  # it has begun, and its queue is empty
        assert _is_busy(first)
        assert await pilot._wait_for_screen()
        assert first.done == 2


async def test_rules_are_under_the_selectors_that_they_name() -> None:
    for _ in range(2):
        app = SaberApp(Setup())
        sheet: Stylesheet = app.stylesheet
        for name, rules in sheet.rules_map.items():
            assert rules == [rule for rule in sheet.rules if name in rule.selector_names]
