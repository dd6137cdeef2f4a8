"""An app that opens on a scripted conversation by itself, for pictures."""

from __future__ import annotations

from pathlib import Path

from textual import work

from agent.session.conversation import Conversation
from console.screens.conversation import ConversationScreen
from console.setup import Setup
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.scripted import Answer, ScriptedModel
from tests.console.stage import BareApp
from tests.toy import toy_domain


class StillApp(BareApp):
    """Nothing in it depends on the time of day, and nothing moves."""

    def __init__(self, db: Path, *answers: Answer, scenario: str | None = None) -> None:
        super().__init__(Setup(db=db))
        self._answers = answers
        self._db = db
        self._scenario = scenario

    def _first_step(self) -> None:
        super()._first_step()
        self._put_up()

    @work
    async def _put_up(self) -> None:
        store = Store.open(self._db)
        screen = ConversationScreen()
        domain = toy_domain()
        held = await Conversation.start(
            store,
            domain,
            ScriptedModel(*self._answers),
            screen,
            scenario=domain.scenario(self._scenario) if self._scenario else None,
            safeguards=Safeguards(reflection=False),
        )
        await self.push_screen(screen.attach(held))
