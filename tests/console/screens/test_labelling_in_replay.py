from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.session.replay import Replay
from console.screens.label import LabelDialog
from console.screens.replay import ReplayScreen
from console.setup import Setup
from console.widgets.label_line import LabelLine
from console.widgets.words import WordsInput
from sessions.events import CardShown, Labelled, Logged
from sessions.log import Log
from sessions.review import labelling
from sessions.review.labelling import LabelDesk
from sessions.store.store import Store
from sessions.views import labels
from tests.agent.recorded import Turn, recorded
from tests.console.stage import LARGE, SMALL, BareApp, QuietApp, comes, screen_text
from tests.effort import first
from tests.toy import toy_domain

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))
SIZES = pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])


class Held:
    """A replay of a session that is in a file, with labels to be given in it."""

    def __init__(self, app: QuietApp, pilot: Pilot[str], db: Path, session: str) -> None:
        self.app, self.pilot, self.db, self.session = app, pilot, db, session

    @property
    def screen(self) -> ReplayScreen:
        (found,) = (each for each in self.app.screen_stack if isinstance(each, ReplayScreen))
        return found

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object], seconds: float = 20) -> None:
        assert await comes(self.pilot, holds, seconds), screen_text(self.app)

    async def shows(self, words: str) -> None:
        await self.until(lambda: words in screen_text(self.app))

    async def prompt(self) -> None:
        await self.press("l")
        await self.until(lambda: isinstance(self.app.screen, LabelDialog))
        await self.until(lambda: self.app.screen.focused is not None)

    async def kept(self, count: int) -> list[Labelled]:
        await self.until(lambda: isinstance(self.app.screen, ReplayScreen))
        await self.until(lambda: len(labels(self.screen.replay.whole)) == count)
        with Store.open(self.db, read_only=True) as store:
            log = store.read(self.session)
        assert list(self.screen.replay.whole) == log
        return [each.event for each in labels(log) if isinstance(each.event, Labelled)]

    def told(self) -> list[str]:
        return str(self.screen.query_one(LabelLine).render()).splitlines()


@asynccontextmanager
async def held(
    folder: Path, size: tuple[int, int] = LARGE, open_log: Log | None = None, place: int = 1
) -> AsyncIterator[Held]:
    db = folder / "sessions.sqlite"
    with Store.open(db, read_only=True) as store:
        (row,) = store.sessions()
        log: list[Logged] = store.read(row.id)
    app = BareApp(Setup(db=db))
    async with app.run_test(size=size, notifications=True) as pilot:
        replay = Replay(toy_domain(), log, toy_domain().scenario("three-from-red"))
        replay.go_to(place)
        screen = ReplayScreen(replay, LabelDesk(db, lambda: open_log))
        await app.push_screen(screen)
        await pilot.pause()
        yield Held(app, pilot, db, row.id)


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "login", lambda: "carla")


@pytest.fixture
async def session(tmp_path: Path) -> list[Logged]:
    return await recorded(tmp_path, STORY)


@SIZES
async def test_the_card_that_is_looked_at_is_labelled_by_whoever_works_here(
    tmp_path: Path, session: list[Logged], size: tuple[int, int]
) -> None:
    card = next(each.event.card for each in session if isinstance(each.event, CardShown))
    async with held(tmp_path, size) as on:
        await on.press("c")
        assert not on.screen.query_one(LabelLine).display
        await on.prompt()
        await on.shows("‹ card 1 ›")
        await on.press("w", *"not that #late", "enter")
        (given,) = await on.kept(1)
        assert given == Labelled(
            about="card", card_id=card.id, verdict="wrong", tags=("late",), note="not that",
            by="carla",
        )  # fmt: skip
        assert on.told() == ["✎ card 1: wrong (labelled by carla): not that #late"]
        await on.shows("✎ card 1: wrong (labelled by carla): not that #late")
        await on.press("home")
        await on.until(lambda: on.told() == ["✎ 1 more on other events and cards"])


async def test_the_event_or_the_whole_session_is_labelled_and_the_name_is_remembered(
    tmp_path: Path, session: list[Logged]
) -> None:
    async with held(tmp_path, place=2) as on:
        await on.prompt()
        await on.press("u", "tab")
        by = on.app.screen.query_one("#label-by", WordsInput)
        by.value = "  Dora "
        await on.press("enter")
        (event,) = await on.kept(1)
        assert (event.place, event.verdict, event.by) == (("event", 2), "unclear", "Dora")
        await on.prompt()
        await on.press("right", "r", "enter")
        _, whole = await on.kept(2)
        assert (whole.about, whole.verdict, whole.by) == ("session", "right", "Dora")
        assert on.told() == [
            "✎ the session: right (labelled by Dora)",
            "✎ event 2, agent said: unclear (labelled by Dora)",
        ]


async def test_nothing_is_labelled_without_a_verdict_and_a_name_or_after_escape(
    tmp_path: Path, session: list[Logged]
) -> None:
    async with held(tmp_path) as on:
        await on.prompt()
        await on.press("enter")
        await on.shows("First say what it is")
        await on.press("r")
        on.app.screen.query_one("#label-by", WordsInput).value = " "
        await on.press("enter")
        await on.shows("needs an author")
        assert on.app.screen.focused is on.app.screen.query_one("#label-by")
        await on.press("escape")
        assert await on.kept(0) == []


async def test_a_conversation_that_is_open_hears_of_its_label_and_goes_on(
    tmp_path: Path, session: list[Logged]
) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        log = await Log.open(store, session[0].session)
        async with held(tmp_path, open_log=log) as on:
            await on.prompt()
            await on.press("r", "enter")
            await on.kept(1)
        assert isinstance(log.events[-1].event, Labelled)
        await log.append(Labelled(verdict="wrong", by="ann"))


async def test_a_file_that_cannot_be_written_to_is_a_sentence(
    tmp_path: Path, session: list[Logged], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with held(tmp_path) as on:
        with Store.open(on.db) as store:
            store.delete(on.session)
        await on.prompt()
        await on.press("r", "enter")
        await on.shows("There is no session")
        assert len(on.screen.replay.whole) == len(session)


@pytest.mark.parametrize(
    ("line", "note", "tags"),
    [
        ("", "", []),
        ("why not", "why not", []),
        ("#late why #x-y not", "why not", ["late", "x-y"]),
        ("# ## 3#4", "3#4", []),
    ],
)
def test_tags_are_the_words_that_begin_with_a_hash(line: str, note: str, tags: list[str]) -> None:
    assert labelling.split_tags(line) == (note, tags)
