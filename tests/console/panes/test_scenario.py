from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from console.app import SaberApp
from console.panes.scenario import ScenarioPane
from console.screens.conversation import ConversationScreen
from console.screens.start import StartScreen
from console.setup import Setup
from domains.core.domain import Domain, Role, Scenario
from domains.core.tool import ToolCall
from tests.agent.scripted import call
from tests.console.stage import FIND, LARGE, SMALL, Stage, screen_text, stage
from tests.toy import toy_domain

ROLE = Role(
    who="You are Ann.\nYou collect old coins.",
    wants=("Take three coins out of the red jar.", "Hear how many are left."),
    knows=("Your email is ann@example.com.",),
    does_not_know=("How many coins there are.",),
    manner="Be brief.\nSay thank you.",
)
THREE = ToolCall("take", {"jar": "red", "coins": 3})
SIZES = pytest.mark.parametrize("size", [(80, 30), LARGE], ids=["over", "beside"])


def playing(role: Role = ROLE, ends: tuple[tuple[ToolCall, ...], ...] = ((THREE,),)) -> Domain:
    scenario = Scenario("coins", "Three coins", role, ends, communicate=("seven",))
    return replace(toy_domain(), read_scenarios=lambda _: (scenario,))


def rows(held: Stage) -> list[str]:
    """The lines of the pane that can be ticked, as they stand on the screen."""
    text = held.text().splitlines()
    marked = [max(line.find("☐"), line.find("☑")) for line in text]
    return [line[at:].strip(" │") for line, at in zip(text, marked, strict=True) if at >= 0]


async def enter_pane(held: Stage) -> None:
    await held.press("f7")
    pane = held.screen.query_one(ScenarioPane)
    await held.until(lambda: held.app.focused is pane, "the pane in focus")


@SIZES
async def test_every_line_of_the_role_is_ticked_by_key_and_the_message_is_kept(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, domain=playing(), scenario="coins", size=size) as held:
        await held.press(*"hello")
        await enter_pane(held)
        assert [row[2:] for row in rows(held)] == [
            "You are Ann.", "You collect old coins.", "Take three coins out of the red jar.",
            "Hear how many are left.", "Your email is ann@example.com.",
            "How many coins there are.", "Be brief.", "Say thank you.",
        ]  # fmt: skip
        await held.press("down", "down", "space", "down", "enter", "up", "x")
        assert [row[0] for row in rows(held)] == list("☐☐☑☑☐☐☐☐")
        await held.press("space")
        assert [row[0] for row in rows(held)] == list("☐☐☐☑☐☐☐☐")
        await held.press("f2")
        await held.until(lambda: "Before each change" in held.text())
        await held.press("f7")
        await held.until(lambda: "☑" in held.text(), "the tick")
        await held.press("escape")
        await held.until(lambda: held.app.focused is held.composer, "the message in focus")
        await held.press(*"you")
        assert held.composer.text == "helloyou"


async def test_a_click_ticks_and_leaves_the_focus_with_the_message(tmp_path: Path) -> None:
    async with stage(tmp_path, domain=playing(), scenario="coins") as held:
        await held.shows("☐ Hear how many")
        lines = held.text().splitlines()
        at = next(n for n, line in enumerate(lines) if "☐ Hear how many" in line)
        assert await held.pilot.click(offset=(lines[at].index("Hear") + 3, at))
        await held.shows("☑ Hear how many are left.")
        await held.press(*"hi")
        assert held.composer.text == "hi"
        await held.pilot.click(offset=(lines[at].index("Hear"), at))
        await held.shows("☐ Hear how many are left.")


async def test_ticks_are_there_when_a_session_is_taken_up_again_and_the_log_has_none_of_them(
    tmp_path: Path,
) -> None:
    app = SaberApp(Setup(db=tmp_path / "s.sqlite", scenario="shoes-not-needed"), begin=True)
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        held = Stage(app, pilot, None)  # type: ignore[arg-type]
        await held.until(lambda: isinstance(app.screen, ConversationScreen), seconds=20)
        await held.shows("☐ You are Nora")
        await held.say("hello")
        await held.idle()
        log = held.screen.conversation.log.events
        before = len(log)
        await enter_pane(held)
        await held.press("space")
        await held.shows("☑ You are Nora")
        assert len(log) == before
        await held.press("ctrl+n")
        await held.until(lambda: isinstance(app.screen, StartScreen), seconds=20)
        await held.until(lambda: "hello" in screen_text(app), "the session to resume", seconds=20)
        await held.press("ctrl+r")
        await held.until(lambda: isinstance(app.screen, ConversationScreen), seconds=20)
        await held.shows("☑ You are Nora")
        await app.action_quit()


@SIZES
async def test_what_is_expected_is_told_at_the_end_and_not_before(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    spoilers = ("Expected", "Take 3 coins", "take: red", "seven")
    async with stage(
        tmp_path, "There you go.", domain=playing(), scenario="coins", size=size
    ) as held:
        await enter_pane(held)
        assert not any(words in held.text() for words in spoilers)
        await held.press("escape")
        await held.say("three coins please")
        await held.idle()
        await held.press("ctrl+e", "escape", "f7", *["down"] * 12)
        await held.shows("✗ Take 3 coins out of the jar red.")
        await held.shows("✗ “seven”")


async def test_what_was_done_is_marked_as_done(tmp_path: Path) -> None:
    take = call("take", jar="red", coins=3)
    async with stage(
        tmp_path, *FIND, take, "That leaves seven.", domain=playing(), scenario="coins"
    ) as held:
        await held.say("three coins please")
        await held.ready_card()
        await held.press("a")
        await held.idle()
        await held.press("ctrl+e", "escape")
        await held.shows("✓ Take 3 coins out of the jar red.")
        await held.shows("✓ “seven”")


async def test_a_long_role_scrolls_with_the_line_one_is_on(tmp_path: Path) -> None:
    wants = tuple(f"Wish number {number}, and some more words about it." for number in range(30))
    role = Role("You are Ann.", wants=wants)
    async with stage(tmp_path, domain=playing(role), scenario="coins", size=SMALL) as held:
        await enter_pane(held)
        await held.press(*["down"] * 30, "space")
        await held.shows("☑ Wish number 29,")
        assert "☐ You are Ann." not in held.text()
        await held.press(*["up"] * 30)
        await held.shows("Three coins")


async def test_free_play_has_nothing_to_tick(tmp_path: Path) -> None:
    async with stage(tmp_path) as held:
        await held.press("f7")
        await held.shows("Free play: there is no script.")
        await held.press("f7", "down", "space", "enter", "escape")
        assert "☐" not in held.text()
        assert held.app.focused is held.composer
