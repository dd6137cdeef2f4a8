from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.app import SaberApp
from console.conversation.engine import Engine
from console.screens.conversation import ConversationScreen
from console.screens.settings import BUDGET, OTHER, SWITCHES, Row, SettingsDialog
from console.screens.start import StartScreen
from console.setup import FOR_EXPERIMENTS, TOGGLES, Budget, Setup, Switches
from console.widgets.choice import Choice
from console.widgets.words import WordsInput
from sessions.events import Limits, Safeguards, SafeguardsChanged
from tests.console.stage import LARGE, SMALL, QuietApp, screen_text, stage
from tests.effort import first

ROWS = (*SWITCHES, *BUDGET)


def test_the_settings_are_those_that_the_log_knows() -> None:
    assert Switches().__class__.__dataclass_fields__.keys() == Safeguards.model_fields.keys()
    assert Budget().__class__.__dataclass_fields__.keys() == Limits.model_fields.keys()
    usual = Safeguards()
    for name in Switches.__dataclass_fields__:
        assert getattr(Switches(), name) == getattr(usual, name)
    assert {row.name for row in SWITCHES} | TOGGLES | FOR_EXPERIMENTS == {*Safeguards.model_fields}
    assert {row.name for row in BUDGET} == Limits.model_fields.keys()


@given(st.sampled_from([row for row in ROWS if row.name != "attention_checks"]), st.integers(1, 99))
def test_what_was_set_elsewhere_can_be_kept(row: Row, number: int) -> None:
    now = row.values[0] if isinstance(row.values[0], str) else number
    offered = row.offered_values(now)
    assert now in offered
    assert set(row.values) <= set(offered)
    assert all(row.told(each) for each in offered)


def dialog(app: SaberApp) -> SettingsDialog:
    assert isinstance(app.screen, SettingsDialog)
    return app.screen


def put(app: SaberApp, name: str, value: object) -> None:
    """What arrow keys would set it to."""
    row = next(each for each in ROWS if each.name == name)
    choice = dialog(app).query_one(f"#{name}", Choice)
    choice.index = row.values.index(value)


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
async def test_all_settings_are_seen_at_once(tmp_path: Path, size: tuple[int, int]) -> None:
    app = QuietApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+s")
        await pilot.pause()
        text = screen_text(app)
        for label in ("Second model", *(row.label for row in ROWS), "Apply"):
            assert label in text


async def test_what_is_chosen_there_is_what_is_played(tmp_path: Path) -> None:
    app = QuietApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("ctrl+s")
        await pilot.pause()
        chosen: dict[str, Any] = {
            "after_feedback": "execute", "declines": 5, "attention_checks": 0.1, "blocks": 4,
            "blocks_as": "summaries", "actions": 30, "tokens": 100_000, "cost": 0.5,
            "seconds": 900.0,
        }  # fmt: skip
        for name, value in chosen.items():
            put(app, name, value)
        await pilot.press("enter")
        await pilot.pause()
        start = app.screen
        assert isinstance(start, StartScreen)
        setup = start.setup
    assert {**_fields(setup.switches), **_fields(setup.budget)}.items() >= chosen.items()
    assert setup.changed_settings_count == len(chosen)
    engine = Engine(tmp_path / "s.sqlite")
    engine.ranker = lambda: None  # type: ignore[assignment, method-assign, return-value]
    held = await engine.open(setup, ConversationScreen())
    await engine.close()
    assert held.limits == Limits(actions=30, tokens=100_000, cost=0.5, seconds=900)
    assert held.safeguards == Safeguards(
        after_feedback="execute", declines=5, attention_checks=0.1, blocks=4, blocks_as="summaries"
    )


def _fields(of: Switches | Budget) -> dict[str, Any]:
    return {name: getattr(of, name) for name in type(of).__dataclass_fields__}


async def test_esc_leaves_everything_as_it_was(tmp_path: Path) -> None:
    setup = Setup(db=tmp_path / "s.sqlite", switches=Switches(blocks=7), auxiliary="some/model")
    app = QuietApp(setup)
    async with app.run_test(size=SMALL) as pilot:
        assert "2 changed" in screen_text(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        put(app, "declines", 10)
        await pilot.press("escape")
        await pilot.pause()
        start = app.screen
        assert isinstance(start, StartScreen)
        assert (start.setup.switches, start.setup.auxiliary) == (setup.switches, "some/model")
        await pilot.press("ctrl+s")
        await pilot.pause()
        text = screen_text(app)
        assert "7, plus the pinned ones" in text
        assert "some/model" in text
        await pilot.press("enter")
        await pilot.pause()
        assert (start.setup.switches, start.setup.auxiliary) == (setup.switches, "some/model")


async def test_a_second_model_can_be_typed_and_taken_away_again(tmp_path: Path) -> None:
    app = QuietApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL) as pilot:
        start = app.screen
        assert isinstance(start, StartScreen)
        await pilot.press("ctrl+s")
        await pilot.pause()
        await pilot.press("left")
        await pilot.pause()
        auxiliary = dialog(app).query_one("#auxiliary", Choice)
        assert auxiliary.value == OTHER
        line = dialog(app).query_one("#auxiliary-name", WordsInput)
        assert line.has_focus
        await pilot.press("enter")
        await pilot.pause()
        assert "Type the name" in screen_text(app)
        await pilot.press(*"a/b", "enter")
        await pilot.pause()
        assert start.setup.auxiliary == "a/b"
        assert "1 changed" in screen_text(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        await pilot.press("left", "enter")
        await pilot.pause()
        assert start.setup.auxiliary is None
        assert "changed" not in screen_text(app)


async def test_a_memory_of_the_domain_is_chosen_and_stays_chosen(tmp_path: Path) -> None:
    app = QuietApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL) as pilot:
        start = app.screen
        assert isinstance(start, StartScreen)
        start.offer_memories({"mine": start.setup.domain, "theirs": "elsewhere"})
        for _ in range(2):
            await pilot.press("ctrl+s")
            await pilot.pause()
            memory = dialog(app).query_one("#memory", Choice)
            memory.focus()
            await pilot.press("right", "enter")
            await pilot.pause()
            assert start.setup.memory in ("mine", None)  # there is no third
        assert start.setup.memory is None
        start.offer_memories({"mine": "elsewhere"})
        app.screen.query_one(Choice)
        start._setup = replace(start._setup, memory="mine")
        assert start.setup.memory is None  # it is about another domain by now


async def test_in_a_session_they_hold_from_there_on(tmp_path: Path) -> None:
    async with stage(tmp_path, "Hello!", size=SMALL) as held:
        before = held.held.safeguards
        command = next(
            each for each in held.app.get_system_commands(held.screen) if each.title == "Settings…"
        )
        command.callback()
        await held.until(lambda: isinstance(held.app.screen, SettingsDialog), "the settings")
        assert not dialog(held.app).query("#auxiliary, #tokens")
        put(held.app, "attention_checks", 0.2)
        put(held.app, "blocks", 2)
        await held.press("enter")
        await held.until(lambda: held.held.safeguards != before, "the change")
        assert held.held.safeguards == before.model_copy(
            update={"attention_checks": 0.2, "blocks": 2}
        )
        assert sum(isinstance(each, SafeguardsChanged) for each in held.events) == 1
        command.callback()
        await held.until(lambda: isinstance(held.app.screen, SettingsDialog), "them again")
        await held.press("enter")
        await held.until(lambda: held.app.screen is held.screen, "the conversation")
        assert sum(isinstance(each, SafeguardsChanged) for each in held.events) == 1
