"""The main job, on the real app with the clerk and the demo store."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.app import SaberApp
from console.screens.conversation import ConversationScreen
from console.screens.outcome import OutcomeScreen
from console.screens.start import StartScreen
from console.setup import Setup
from console.widgets.card import CardView
from console.widgets.choice import Choice, Toggle
from console.widgets.composer import Composer
from console.widgets.role_list import RoleList
from sessions.store.store import Store
from tests.console.stage import LARGE, SMALL, Stage, screen_text

CLICKY = (
    "hi, i'm yusuf rossi, zip 19122, i want to swap the keyboard from my last order for one "
    "with clicky switches"
)


SHOES = "nora lindqvist, 55408. cancel the trail shoes, i no longer need them"


class Play:
    """Drives the whole app by what is on its screen."""

    def __init__(self, app: SaberApp, pilot: object) -> None:
        self.app = app
        self.stage = Stage(app, pilot, None)  # type: ignore[arg-type]
        self.press = self.stage.press

    async def shows(self, words: str) -> None:
        await self.stage.until(lambda: words in screen_text(self.app), words, seconds=20)

    async def open(self) -> ConversationScreen:
        await self.stage.until(lambda: isinstance(self.app.screen, ConversationScreen), seconds=20)
        await self.stage.until(lambda: self.app.screen.query(Composer))
        return self.stage.screen

    async def say(self, words: str) -> None:
        self.app.screen.query_one(Composer).text = words
        await self.press("enter")

    async def card(self) -> CardView:
        await self.stage.until(lambda: self.app.screen.query(CardView), "a card", seconds=20)
        return await self.stage.ready_card()


@pytest.mark.parametrize(
    "embeds", [False, pytest.param(True, marks=[pytest.mark.heavy, pytest.mark.embeds])]
)
async def test_a_person_plays_a_scenario_from_the_start_screen_to_its_outcome(
    tmp_path: Path, embeds: bool
) -> None:
    app = SaberApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        play = Play(app, pilot)
        await play.shows("A keyboard that clicks")
        await play.press("down")
        await play.shows("You are Yusuf Rossi")
        await play.press("enter")
        await play.open()
        await play.say(CLICKY)
        await play.shows("1. clicky")
        await play.say("the tenkeyless one with RGB")
        await play.shows("PayPal")
        await play.say("paypal")
        await play.card()
        assert "Exchange the Mechanical Keyboard" in screen_text(app)
        await play.stage.answer("c", "mastercard")
        await play.stage.until(lambda: "asked for a change" in screen_text(app), seconds=20)
        await play.card()
        assert "back to Mastercard" in screen_text(app)
        await play.press("a")
        await play.shows("✓ approved by you")
        assert app._engine is not None
        assert (app._engine._embedder is not None) == embeds
        await play.press("f4")
        await play.shows("● status  exchange requested")
        await play.press("ctrl+e")
        await play.stage.until(lambda: isinstance(app.screen, OutcomeScreen), seconds=20)
        assert "The records are as they should be." in screen_text(app)
        await play.press("n")
        await play.stage.until(lambda: isinstance(app.screen, StartScreen), seconds=20)
        await app.action_quit()


async def test_a_session_that_was_left_is_offered_and_can_be_gone_on_with(tmp_path: Path) -> None:
    setup = Setup(db=tmp_path / "s.sqlite", scenario="shoes-not-needed")
    app = SaberApp(setup, begin=True)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(app, pilot)
        await play.open()
        await play.say(SHOES)
        await play.card()
        await app.action_quit()
    again = SaberApp(Setup(db=tmp_path / "s.sqlite"))
    async with again.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(again, pilot)
        await play.shows("nora lindqvist")
        await play.press("ctrl+r")
        screen = await play.open()
        await play.shows("not decided, so nothing was changed")
        assert screen.conversation.scenario is not None
        await again.action_quit()


async def test_a_card_that_waited_when_the_program_was_killed_is_shown_again(
    tmp_path: Path,
) -> None:
    app = SaberApp(Setup(db=tmp_path / "s.sqlite"), begin=True)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(app, pilot)
        await play.open()
        await play.say(SHOES)
        await play.card()
        with Store.open(tmp_path / "s.sqlite", read_only=True) as store:
            store.backup(tmp_path / "killed.sqlite")
            session = store.sessions()[0].id
        await app.action_quit()
    again = SaberApp(Setup(db=tmp_path / "killed.sqlite", resume=session), begin=True)
    async with again.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(again, pilot)
        await play.open()
        await play.card()
        await play.press("a")
        await play.shows("✓ approved by you")
        await again.action_quit()


async def test_every_choice_of_the_start_screen_reaches_the_session(tmp_path: Path) -> None:
    app = SaberApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(app, pilot)
        await play.shows("A keyboard that clicks")
        app.screen.query_one("#reflection", Toggle).focus()
        await play.press("space")
        await pilot.click("#policy_on_card")
        await play.press("enter")
        screen = await play.open()
        guards = screen.conversation.safeguards
        assert (guards.gate, guards.reflection, guards.context) == (True, False, True)
        assert not guards.policy_on_card
        assert screen.conversation.scenario is not None
        assert screen.conversation.scenario.id == "shoes-not-needed"
        await app.action_quit()


async def test_a_model_can_be_named_and_a_name_that_is_none_is_refused_in_place(
    tmp_path: Path,
) -> None:
    app = SaberApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        play = Play(app, pilot)
        await play.shows("A keyboard that clicks")
        choice = app.screen.query_one("#model", Choice)
        choice.focus()
        await play.press("left")
        assert choice.value == "other"
        await play.press("at", "at", "enter")
        await play.shows("not a model's name")
        assert isinstance(app.screen, StartScreen)
        assert len(app.screen.query_one(RoleList).lines) > 12
        await app.action_quit()
