from __future__ import annotations

from pathlib import Path

import pytest

from console.app import SaberApp
from console.screens.conversation import ConversationScreen
from console.screens.start import StartScreen
from console.setup import Setup
from console.widgets.role_line import RoleLine
from tests.agent.scripted import call
from tests.console.panes.test_scenario import playing
from tests.console.stage import FIND, LARGE, SMALL, Stage, screen_text, stage

NEXT = "F7 You are Ann. · next: "


async def test_who_one_is_and_the_next_wish_stay_on_a_small_screen(tmp_path: Path) -> None:
    async with stage(tmp_path, domain=playing(), scenario="coins", size=SMALL) as held:
        await held.shows(f"{NEXT}Take three coins out of the red jar.")
        await held.press("f7")
        await held.shows("☐ You collect old coins.")
        await held.press("down", "down", "space", "escape")
        await held.shows(f"{NEXT}Hear how many are left.")
        await held.press("f7", "down", "space", "escape")
        await held.shows("F7 You are Ann. · every wish is ticked off")
        await held.press("f7", "up", "space", "escape")
        await held.shows(f"{NEXT}Take three coins out of the red jar.")
        assert await held.pilot.click(RoleLine)
        await held.shows("☐ You collect old coins.")


@pytest.mark.parametrize(
    ("size", "shown"), [(SMALL, True), ((119, 30), True), ((120, 30), False), (LARGE, False)]
)
async def test_the_line_shows_only_where_the_pane_is_not_beside_it(
    tmp_path: Path, size: tuple[int, int], shown: bool
) -> None:
    async with stage(tmp_path, domain=playing(), scenario="coins", size=size) as held:
        await held.shows("Take three coins")
        assert held.screen.query_one(RoleLine).display is shown
        assert (NEXT in held.text()) is shown


async def test_a_card_has_the_line_s_row_and_a_session_that_is_over_has_no_next_wish(
    tmp_path: Path,
) -> None:
    answers = (*FIND, call("take", jar="red", coins=3), "Seven are left.")
    async with stage(tmp_path, *answers, domain=playing(), scenario="coins", size=SMALL) as held:
        line = held.screen.query_one(RoleLine)
        await held.say("three coins please")
        await held.ready_card()
        assert not line.display
        assert "next:" not in held.text()
        await held.press("a")
        await held.idle()
        await held.shows(NEXT)
        await held.press("ctrl+e", "escape")
        await held.until(lambda: isinstance(held.app.screen, ConversationScreen))
        assert not line.display


async def test_nobody_in_particular_has_no_line(tmp_path: Path) -> None:
    async with stage(tmp_path, size=SMALL) as held:
        assert not held.screen.query_one(RoleLine).display


@pytest.mark.parametrize("size", [SMALL, (100, 30), LARGE])
async def test_every_pane_key_is_in_the_footer_in_order(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, size=size) as held:
        await held.shows("f1 Help")
        footer = " ".join(held.text().splitlines()[-1].split())
        keys = "f2 Reflection f3 Context f4 Record f5 Trace f6 Policy f7 Scenario f1 Help"
        assert footer.startswith(f"^e End {keys}")


async def test_whom_one_plays_without_a_scenario_is_kept_in_the_session(tmp_path: Path) -> None:
    setup = Setup(db=tmp_path / "s.sqlite", customer_id="nora_lindqvist_8573")
    app = SaberApp(setup, begin=True)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        held = Stage(app, pilot, None)  # type: ignore[arg-type]
        await held.until(lambda: isinstance(app.screen, ConversationScreen), seconds=20)
        await held.say("hello")
        await held.idle()
        await app.action_quit()
    app = SaberApp(Setup(db=setup.db))
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        held = Stage(app, pilot, None)  # type: ignore[arg-type]
        await held.until(lambda: isinstance(app.screen, StartScreen), seconds=20)
        await held.until(lambda: "hello" in screen_text(app), "the session to resume", seconds=20)
        await held.press("ctrl+r")
        await held.until(lambda: isinstance(app.screen, ConversationScreen), seconds=20)
        await held.shows("F7 You are Nora Lindqvist. · free play")
        await held.press("f7")
        await held.shows("☐ Your zip code is 55408.")
        await app.action_quit()
