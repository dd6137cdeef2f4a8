from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from console.app import SaberApp
from console.conversation.farewell import farewell
from console.setup import Setup, default_db
from console.widgets import key_guard
from console.widgets.card import CardView
from sessions.views import status
from tests.agent.scripted import call
from tests.console.stage import FIND, SMALL, QuietApp, Stage, stage
from tests.console.stray_keys import waiting_card

pytestmark = pytest.mark.real_spans

THREE = call("take", jar="red", coins=3)
REPAINTED = "\x1b[?1049h"


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The screens from which the program was stopped; it goes on at once."""
    found: list[str] = []

    def stop(app: SaberApp) -> None:
        found.append(type(app.screen).__name__)
        app._resume_signal()

    monkeypatch.setattr(SaberApp, "action_suspend_process", stop)
    return found


async def test_ctrl_z_stops_the_app_from_the_start_screen_and_what_lies_over_it(
    tmp_path: Path, stops: list[str]
) -> None:
    app = QuietApp(Setup(db=tmp_path / "s.sqlite"))
    async with app.run_test(size=SMALL) as pilot:
        for opens in ("left", "ctrl+s", "f1", "ctrl+p", "ctrl+o"):
            await pilot.press(opens)
            await pilot.pause(0.1)
            await pilot.press("ctrl+z")
            if opens != "left":
                await pilot.press("escape")
            await pilot.pause(0.1)
    assert stops == [
        "StartScreen", "SettingsDialog", "HelpDialog", "CommandPalette", "BrowserScreen",
    ]  # fmt: skip


async def test_what_was_written_stays_and_a_card_begins_its_grace_again(
    tmp_path: Path, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(tmp_path, *FIND, THREE, "Seven are left.") as held:
        held.composer.text = "half a"
        await held.press("ctrl+z")
        assert held.composer.text == "half a"
        await held.say("three coins")
        card = await held.ready_card()
        monkeypatch.setattr(key_guard, "GRACE", 60)
        await held.press("ctrl+z")
        assert stage_of(held) == "grace"
        await held.press("a")  # too soon after it was painted anew
        await held.rest(0.4)
        assert not card.decision.done()
        monkeypatch.setattr(key_guard, "GRACE", 0.05)
        await held.answer("r", "no")
        assert card.decision.result().words == "no"
    assert len(stops) == 2


async def test_words_on_a_card_are_kept_and_a_watched_enter_is_not(
    tmp_path: Path, stops: list[str]
) -> None:
    async with stage(tmp_path, *FIND, THREE, "Seven are left.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.press("c")
        await held.rest(0.7)
        await held.press(*"two")
        await held.rest(0.7)
        await held.press("enter", "ctrl+z")
        await held.rest(0.5)
        assert (stage_of(held), card.decision.done()) == ("words", False)


def stage_of(held: Stage) -> str:
    card = held.card
    assert isinstance(card, CardView)
    return card.stage


def stopped(pid: int) -> bool:
    """Whether the program stands still, as a shell sees it."""
    found, how = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
    return found == pid and os.WIFSTOPPED(how)


@pytest.mark.heavy
def test_in_a_terminal_it_stands_still_and_is_painted_whole_when_it_goes_on() -> None:
    with waiting_card(random.Random(1)) as at:
        at.wait_for("ready")
        at.app.idle(0.2)
        at.app.send(b"\x1a")
        until = time.monotonic() + 10
        while not stopped(at.app.process.pid):
            at.app.idle(0.05)
            assert time.monotonic() < until
        at.app.idle(0.2)
        at.app.send(b"a")
        os.kill(at.app.process.pid, signal.SIGCONT)
        painted = at.app.idle(1.5).decode()
        assert REPAINTED in painted
        for words in ("three coins", "Take 3 coins", "Can't be undone", "exact call", "End"):
            assert words in painted
        assert at.decided() == []
        at.app.idle(2.5)  # somebody who typed a letter is taken to be typing
        at.app.send(b"a")
        at.app.idle(1.5)
        assert at.decided() == ["approve"]


async def test_whoever_leaves_is_told_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "sessions.sqlite"
    async with stage(tmp_path, "Hello.", "Bye.") as held:
        session = held.held.log.session
        assert farewell(held.held.status, db) == ""  # nothing was said yet
        await held.say("hi")
        await held.idle()
        await held.app.action_quit()
        told = f"To resume this session: saber play --resume {session}"
        assert held.app.exit_text == f"{told} --db {db}"
        monkeypatch.setenv("SABER_DB", str(db))
        assert farewell(status(held.held.log.events), default_db()) == told
        await held.held.end("customer")
        assert farewell(held.held.status, db) == ""
