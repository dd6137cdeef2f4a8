"""How the list of sessions looks; read the difference before accepting a new picture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from console.setup import Setup
from sessions.store.store import Store
from tests.console.browser.browser_app import Browser, shelf
from tests.console.stage import LARGE, SMALL, QuietApp

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in a picture tells the time, or goes by another id each time."""
    numbers = count(1)
    monkeypatch.setattr("console.widgets.session_row._when", lambda row, room: "11-21 12:04")
    monkeypatch.setattr(
        "sessions.store.store.new_session_id", lambda: f"01M7YW8AX11W8CW9JXAVKH{next(numbers):04}"
    )


@pytest.mark.parametrize(
    ("size", "line"), [(SMALL, "re"), (LARGE, "")], ids=["found-80x24", "all-140x40"]
)
def test_browser(snap_compare: Compare, tmp_path: Path, size: tuple[int, int], line: str) -> None:
    db = tmp_path / "s.sqlite"
    with Store.open(db) as store:
        asyncio.run(shelf(store))
    app = QuietApp(Setup(db=db))

    async def play(pilot: Pilot[str]) -> None:
        on = Browser(app, pilot, db)
        await on.until(lambda: "Sessions" in on.text())
        await on.press("ctrl+o")
        await on.shows("1 of 4 ·")
        on.line.cursor_blink = False
        if line:
            await on.types(*line)
            await on.until(lambda: on.line._suggestion == "result:")
            await on.until(lambda: on.screen._shown.words == line and not on.screen._reader.busy)
            await on.shows("agent: It is returned")
        else:
            await on.press("c", "down", "down")
            await on.shows("3 of 4 ·")

    assert snap_compare(app, terminal_size=size, run_before=play)
