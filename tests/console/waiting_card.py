"""The real app in the terminal it is started in, with a card before the person.

    python -m tests.console.waiting_card FILE

FILE is the session's. Beside it, ``FILE.mounted`` appears as soon as there is a card, and
``FILE.ready`` once that listens.
"""

from __future__ import annotations

import sys
from pathlib import Path

from agent.session.conversation import Conversation
from console.screens.conversation import ConversationScreen
from console.setup import Setup
from console.widgets.card import CardView
from console.widgets.composer import Composer
from sessions.events import CustomerSaid
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, call
from tests.console.stage import FIND, PLAIN, QuietApp
from tests.toy import toy_domain


class WaitingApp(QuietApp):
    """Says what leads to a card, and tells how far that has come."""

    def __init__(self, file: Path) -> None:
        super().__init__(Setup(db=file))
        self._file = file

    def _first_step(self) -> None:
        super()._first_step()
        self.set_interval(0.01, self._tell)
        self.run_worker(self._put_card_up())

    async def _put_card_up(self) -> None:
        screen = ConversationScreen()
        model = ScriptedModel(*FIND, call("take", jar="red", coins=3), "Seven are left.")
        store = Store.open(self._file)
        held = await Conversation.start(store, toy_domain(), model, screen, safeguards=PLAIN)
        held.identity.add_event(CustomerSaid(text="I am ann@example.com.", turn=0))
        screen.attach(held)
        await self.push_screen(screen)
        screen.post_message(Composer.Sent("three coins"))

    def _tell(self) -> None:
        for card in self.screen.query(CardView):
            self._file.with_suffix(".mounted").touch()
            if card.stage == "ready":
                self._file.with_suffix(".ready").touch()


def run(file: str) -> None:
    """Run it until it is left or killed."""
    WaitingApp(Path(file)).run()


if __name__ == "__main__":
    run(sys.argv[1])
