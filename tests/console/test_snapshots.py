"""How the screens look; read the difference before accepting a new picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from console.screens.conversation import ConversationScreen
from console.screens.outcome import OutcomeScreen
from console.setup import Setup
from console.widgets.composer import Composer
from console.widgets.words import WordsInput
from console.widgets.working import Working
from tests.agent.scripted import call
from tests.console.stage import FIND, LARGE, SMALL, QuietApp, Stage
from tests.console.still import StillApp
from tests.effort import first

Compare = Callable[..., bool]
ANSWERS = (
    *FIND,
    call("look", jar="red"),
    "Hello Ann! The red jar holds **ten** coins:\n\n1. five old ones\n2. five new ones",
)
SEVEN = call("take", jar="red", coins=7)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in a picture tells the time."""
    monkeypatch.setattr("console.widgets.rows._clock", lambda at: "12:04")
    monkeypatch.setattr(Working, "seconds", 0.0)


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
def test_main_screen(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[str]) -> None:
        held = await opened(pilot)
        await held.say("ann@example.com here. how many coins do i have?")
        await held.idle()
        await held.at_rest()

    app = StillApp(tmp_path / "s.sqlite", *ANSWERS)
    assert snap_compare(app, terminal_size=size, run_before=play)


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
def test_card(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[str]) -> None:
        held = await opened(pilot)
        await held.say("ann@example.com here, seven coins from the red jar please")
        await held.ready_card()
        await held.at_rest()

    app = StillApp(tmp_path / "s.sqlite", *FIND, SEVEN)
    assert snap_compare(app, terminal_size=size, run_before=play)


def test_declined_row_and_fault(snap_compare: Compare, tmp_path: Path) -> None:
    from agent.models.protocol import ModelFault

    async def play(pilot: Pilot[str]) -> None:
        held = await opened(pilot)
        await held.say("ann@example.com here, seven coins from the red jar please")
        await held.ready_card()
        await held.answer("r", "too many")
        await held.idle()
        await held.at_rest()

    fault = ModelFault("bad_key", "The key was refused. Set OPENAI_API_KEY, then retry.")
    app = StillApp(tmp_path / "s.sqlite", *FIND, SEVEN, fault)
    assert snap_compare(app, terminal_size=SMALL, run_before=play)


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
def test_start_screen(snap_compare: Compare, tmp_path: Path, size: tuple[int, int]) -> None:
    from console import survey

    class Start(QuietApp):
        def _first_step(self) -> None:
            super()._first_step()
            self._start.offer_scenarios(survey.scenarios("retail", None))

    async def search(pilot: Pilot[str]) -> None:
        start = Stage(app, pilot, None)  # type: ignore[arg-type]
        await start.shows("26 ·")
        pilot.app.screen.query_one("#search", WordsInput).cursor_blink = False
        await pilot.press(*"cancel", "down")

    app = Start(Setup(db=tmp_path / "s.sqlite"))
    assert snap_compare(app, terminal_size=size, run_before=search)


def test_outcome(snap_compare: Compare, tmp_path: Path) -> None:
    async def play(pilot: Pilot[str]) -> None:
        held = await opened(pilot)
        await held.say("ann@example.com here, three coins from the red jar please")
        await held.ready_card()
        await pilot.press("a")
        await held.idle()
        await pilot.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")

    three = call("take", jar="red", coins=3)
    app = StillApp(tmp_path / "s.sqlite", *FIND, three, "Done.", scenario="three-from-red")
    assert snap_compare(app, terminal_size=SMALL, run_before=play)


async def opened(pilot: Pilot[str]) -> Stage:
    """Wait for the conversation, with a cursor that does not blink."""
    app = pilot.app
    assert isinstance(app, StillApp)
    held = Stage(app, pilot, None)  # type: ignore[arg-type]
    await held.until(lambda: isinstance(app.screen, ConversationScreen), "the conversation")
    await held.until(lambda: app.screen.query(Composer), "the composer")
    held.composer.cursor_blink = False
    return held
