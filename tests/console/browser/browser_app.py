"""The app with the list of sessions on its screen, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot, WaitForScreenTimeout

from console.screens.browser import BrowserScreen
from console.setup import Setup
from console.widgets.search_line import SearchLine
from console.widgets.session_list import SessionList
from sessions.events import AgentSaid, CustomerSaid, Labelled, Safeguards, Scored, SessionEnded
from sessions.store.store import Store
from tests.agent.recorded import held
from tests.agent.scripted import ScriptedModel
from tests.console.stage import SMALL, QuietApp, comes, screen_text
from tests.sessions.toy import started
from tests.toy import toy_domain

ENDED = SessionEnded(reason="customer")
RIGHT = Scored(scenario="one", reward=1, records_match=True, communicated=True)
WRONG = Scored(scenario="one", reward=0, records_match=False, communicated=True)
AFTER = ["jars", "jars", "air", "toy"]
"""The domains of the shelf, the newest session first."""


class Browser:
    """The app with the list of sessions on the screen."""

    def __init__(self, app: QuietApp, pilot: Pilot[str], db: Path) -> None:
        self.app, self.pilot, self.db = app, pilot, db

    @property
    def screen(self) -> BrowserScreen:
        assert isinstance(self.app.screen, BrowserScreen)
        return self.app.screen

    @property
    def found(self) -> SessionList:
        return self.app.screen.query_one(SessionList)

    @property
    def line(self) -> SearchLine:
        return self.app.screen.query_one(SearchLine)

    @property
    def domains(self) -> list[str]:
        return [row.domain for row in self.found.rows]

    @property
    def here(self) -> str:
        assert self.found.row is not None
        return self.found.row.id

    def text(self) -> str:
        return screen_text(self.app)

    async def press(self, *keys: str) -> None:
        with suppress(WaitForScreenTimeout):
            await self.pilot.press(*keys)

    async def types(self, *keys: str) -> None:
        """Go to the line and press keys there."""
        await self.press("slash")
        await self.until(lambda: self.line.has_focus)
        await self.press(*keys)

    async def until(self, holds: Callable[[], object], seconds: float = 20) -> None:
        assert await comes(self.pilot, holds, seconds), self.text()

    async def shows(self, words: str) -> None:
        await self.until(lambda: words in " ".join(self.text().split()))

    async def told(self, words: str) -> None:
        """Wait until there is a notice with these words."""
        await self.until(lambda: any(words in each.message for each in self.app._notifications))

    async def on(self, screen: type) -> None:
        await self.until(lambda: isinstance(self.app.screen, screen) and self.text().strip())

    async def finds(self, line: str, domains: list[str]) -> None:
        """Write a line, and wait until that is what is listed."""
        self.line.write(line)
        await self.until(lambda: self.domains == domains)


Fill = Callable[[Store], Awaitable[object]]


async def shelf(store: Store) -> None:
    """Four sessions: right, labelled wrong without the gate, one that has ended, one open."""
    first = store.start(started(scenario="one"))[0].session
    store.append(first, [CustomerSaid(text="Return the café mug", turn=1)])
    store.append(first, [AgentSaid(text="It is returned, in one piece."), ENDED, RIGHT])
    second = store.start(
        started(domain="air", model="gpt-4o", safeguards=Safeguards(gate=False, context=False))
    )[0].session
    store.append(second, [CustomerSaid(text="A seat please", turn=1), ENDED, WRONG])
    store.append(second, [Labelled(verdict="unclear", tags=("Odd one",), by="me")])
    await held(store, (("red", "approve", 3), ("blue", "reject: no", 2)), end=True)
    await held(store, (("red", "approve", 3),))


@asynccontextmanager
async def browser(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    fill: Fill = shelf,
    size: tuple[int, int] = SMALL,
) -> AsyncIterator[Browser]:
    monkeypatch.setattr("sessions.scoring.sources.load_domain_of_session", lambda *_: toy_domain())
    monkeypatch.setattr(
        "console.conversation.engine.make_model", lambda name: ScriptedModel(name=name)
    )
    db = folder / "sessions.sqlite"
    with Store.open(db) as store:
        await fill(store)
    async with opened(db, size) as on:
        await on.until(lambda: on.found.rows)
        yield on


@asynccontextmanager
async def opened(db: Path, size: tuple[int, int] = SMALL) -> AsyncIterator[Browser]:
    """The browser as a person comes to it, by the key of the start screen."""
    app = QuietApp(Setup(db=db))
    async with app.run_test(size=size, notifications=True) as pilot:
        on = Browser(app, pilot, db)
        await on.until(lambda: "Sessions" in on.text())
        await on.press("ctrl+o")
        await on.on(BrowserScreen)
        yield on
        await app.action_quit()
