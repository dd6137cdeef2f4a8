from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from console.browser.session_request import SessionRequest
from console.screens.compare import CompareScreen
from console.screens.conversation import ConversationScreen
from console.screens.dialogs import PickDialog
from console.screens.replay import ReplayScreen
from console.screens.tree import TreeScreen
from console.setup import Fork, Setup
from console.widgets.composer import Composer
from sessions.events import CustomerSaid, DecisionMade, SessionForked
from sessions.store.store import Store
from tests.agent.recorded import Turn, held
from tests.agent.scripted import ScriptedModel
from tests.console.stage import LARGE, SMALL, QuietApp, comes, screen_text
from tests.effort import first
from tests.toy import toy_domain

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))


class Shelf:
    """An app over a file with a session and a fork of it."""

    def __init__(self, app: QuietApp, pilot: Pilot[str], session: str, fork: str) -> None:
        self.app, self.pilot, self.session, self.fork = app, pilot, session, fork

    def text(self) -> str:
        return screen_text(self.app)

    async def want(self, wanted: SessionRequest, screen: type) -> None:
        self.app.post_message(wanted)
        await self.until(lambda: isinstance(self.app.screen, screen) and self.text().strip())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object], seconds: float = 10) -> None:
        assert await comes(self.pilot, holds, seconds), self.text()


@asynccontextmanager
async def shelf(
    folder: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = LARGE
) -> AsyncIterator[Shelf]:
    monkeypatch.setattr("sessions.scoring.sources.load_domain_of_session", lambda *_: toy_domain())
    monkeypatch.setattr(
        "console.conversation.engine.make_model", lambda name: ScriptedModel(name=name)
    )
    db = folder / "sessions.sqlite"
    with Store.open(db) as store:
        parent = (await held(store, STORY, end=True)).log
        place = [e.seq for e in parent.events if isinstance(e.event, DecisionMade)][1]
        fork = store.fork(parent.session, place - 1)[0].session
    app = QuietApp(Setup(db=db))
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Shelf(app, pilot, parent.session, fork)
        await app.action_quit()


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
async def test_the_tree_shows_forks_and_sets_one_against_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async with shelf(tmp_path, monkeypatch, size) as on:
        await on.want(SessionRequest("tree"), TreeScreen)
        assert "└─ ● from event" in on.text()
        await on.press("p")
        assert "This session is not a fork." in on.text()
        await on.press("down", "p")
        await on.until(lambda: isinstance(on.app.screen, CompareScreen))
        await on.until(lambda: "▶" in on.text())
        assert "They diverge in turn 3" in on.text()
        assert "How can I help" not in on.text()
        await on.press("a")
        await on.press("home")
        await on.until(lambda: "How can I help" in on.text())
        await on.press("escape")
        assert isinstance(on.app.screen, TreeScreen)


async def test_two_marked_sessions_are_compared_and_a_mark_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shelf(tmp_path, monkeypatch) as on:
        await on.want(SessionRequest("tree", on.fork), TreeScreen)
        await on.press("c")
        assert "◆" in on.text()
        await on.press("c")
        assert "◆" not in on.text()
        await on.press("c", "up", "c")
        await on.until(lambda: isinstance(on.app.screen, CompareScreen))


async def test_a_session_of_the_tree_is_replayed_and_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shelf(tmp_path, monkeypatch) as on:
        await on.want(SessionRequest("tree"), TreeScreen)
        await on.press("r")
        await on.until(lambda: isinstance(on.app.screen, ReplayScreen))
        await on.press("escape", "down", "enter")
        await on.until(lambda: isinstance(on.app.screen, ConversationScreen))
        screen = on.app.conversation_screen
        assert screen is not None
        assert screen.conversation.log.session == on.fork
        await on.until(lambda: "Take 2 coins out of the jar blue." in on.text())


async def test_what_if_begins_before_the_words_that_are_picked_with_them_in_the_composer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shelf(tmp_path, monkeypatch) as on:
        await on.want(SessionRequest("open", on.session), ConversationScreen)
        await on.want(SessionRequest("what if", on.session), PickDialog)
        text = on.text()
        assert "declined by you: too many" in text
        assert text.index("said: 2 from blue") < text.index("said: 3 from red")
        await on.press("down", "enter")
        await on.until(lambda: "unchanged: scripted" in on.text())
        await on.press("enter")
        await on.until(lambda: on.app.screen.query(Composer))
        await on.until(lambda: on.app.screen.query_one(Composer).text == "2 from blue")
        screen = on.app.conversation_screen
        assert screen is not None
        events = [logged.event for logged in screen.conversation.log.events]
        assert isinstance(events[-1], SessionForked)
        words = [event.text for event in events if isinstance(event, CustomerSaid)]
        assert words == ["I am Ann", "3 from red"]


async def test_a_fork_on_the_command_line_opens_with_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shelf(tmp_path, monkeypatch) as on:
        place = on_fork(tmp_path, on.fork)
        setup = Setup(
            db=tmp_path / "sessions.sqlite",
            fork=Fork(on.session, place, "other", {"policy_on_card": False}),
        )
        on.app._open(setup)
        await on.until(lambda: "Take 2 coins out of the jar blue." in on.text())
        screen = on.app.conversation_screen
        assert screen is not None
        now = screen.conversation.status
        assert (now.model, now.safeguards.policy_on_card) == ("other", False)
        assert now.session not in (on.session, on.fork)


async def test_what_cannot_be_forked_is_a_sentence_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shelf(tmp_path, monkeypatch) as on:
        before = recorded_in(tmp_path)
        on.app.post_message(SessionRequest("fork", on.session, 999))
        await on.until(lambda: "there is no event 999" in " ".join(on.text().split()))
    assert set(before) == {on.session, on.fork}
    assert recorded_in(tmp_path) == before


def recorded_in(folder: Path) -> dict[str, int]:
    """How many events each session has."""
    with Store.open(folder / "sessions.sqlite", read_only=True) as store:
        return {row.id: row.head_seq for row in store.sessions()}


def on_fork(folder: Path, fork: str) -> int:
    with Store.open(folder / "sessions.sqlite", read_only=True) as store:
        place = store.session(fork).fork_seq
    assert place is not None
    return place
