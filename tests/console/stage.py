"""Puts the real conversation screen in front of a scripted model, on the toy domain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot, WaitForScreenTimeout
from textual.screen import Screen

from agent.models.protocol import ChatModel, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from console.app import SaberApp
from console.screens.conversation import ConversationScreen
from console.setup import Setup
from console.widgets import key_guard
from console.widgets.card import CardView
from console.widgets.composer import Composer
from domains.core.domain import Domain
from sessions.events import AnyEvent, CustomerSaid, Safeguards
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, call
from tests.toy import toy_domain

SMALL = (80, 24)
LARGE = (140, 40)
FIND = (call("find_user_id_by_email", email="ann@example.com"),)
"""What a scripted agent does first where the customer has to be known; on such a stage the customer
has said who they are, so that tests can open with the words that they are about."""

PLAIN = Safeguards(reflection=False, context=False)


class Slow:
    """A model that stops in the middle of its answer until it is cancelled."""

    name = "slow"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        yield TextPiece("half an answer")
        await asyncio.sleep(3600)


class QuietApp(SaberApp):
    """The app without its first look around: tests put the screen up themselves."""

    def _first_step(self) -> None:
        self.animation_level = "none"


class BareApp(QuietApp):
    """Nothing lies under the screen that a test puts up, which costs half; nor can one go back."""

    def get_default_screen(self) -> Screen[Any]:
        return Screen()


@dataclass
class Stage:
    """The app under test and what the test needs of it."""

    app: SaberApp
    pilot: Pilot[str]
    held: Conversation

    @property
    def screen(self) -> ConversationScreen:
        screen = self.app.conversation_screen
        assert screen is not None
        return screen

    @property
    def card(self) -> CardView | None:
        return self.screen.query_one_optional(CardView)

    @property
    def composer(self) -> Composer:
        return self.screen.query_one(Composer)

    @property
    def events(self) -> list[AnyEvent]:
        return [logged.event for logged in self.held.log.events]

    async def press(self, *keys: str) -> None:
        """Press keys. Pilot then waits for every widget it saw, also for one that a key removed."""
        with suppress(WaitForScreenTimeout):
            await self.pilot.press(*keys)

    async def rest(self, seconds: float | None = None) -> None:
        """Let the screen come to rest, whatever was removed from it meanwhile."""
        with suppress(WaitForScreenTimeout):
            await self.pilot.pause(seconds)

    async def say(self, words: str) -> None:
        """Write a message and send it."""
        self.composer.text = words
        await self.press("enter")

    async def until(self, holds: Callable[[], object], what: str = "", seconds: float = 5) -> None:
        """Wait until something holds, or fail telling what did not."""
        assert await comes(self.pilot, holds, seconds), f"not within {seconds} s: {what or holds}"

    async def shows(self, words: str) -> None:
        """Wait until these words are on the screen."""
        await self.until(lambda: words in self.text(), f"{words!r} on the screen")

    async def ready_card(self) -> CardView:
        """Wait until a card listens."""
        await self.until(lambda: self.card and self.card.stage == "ready", "a card that listens")
        assert self.card is not None
        return self.card

    async def at_rest(self) -> None:
        """Wait until the transcript has scrolled to its end and been drawn there."""
        await self.pilot.wait_for_scheduled_animations()
        transcript = self.screen.query_one("#transcript")
        await self.until(
            lambda: transcript.scroll_offset.y == transcript.max_scroll_y, "the end of the scroll"
        )
        transcript.refresh(layout=True)
        await self.rest(0.2)

    async def answer(self, key: str, words: str = "") -> None:
        """Open the card's field, write into it as one who looks at it does, and send that."""
        card = await self.ready_card()
        await self.press(key)
        await self.until(lambda: card.stage == "words", "the field")
        await self.long_enough()
        await self.press(*("space" if letter == " " else letter for letter in words))
        for _ in range(3):  # a machine that stands still has one press Enter once more
            await self.long_enough()
            await self.press("enter")
            await self.rest(key_guard.ALONE_SECONDS + 0.2)
            if card.stage != "words" or not (words or key in ("r", "enter")):
                break

    async def long_enough(self) -> None:
        """Wait until the next key stands apart from what was pressed before."""
        await self.rest(key_guard.GRACE + 0.1)

    async def idle(self) -> None:
        """Wait until the turn is over."""
        await self.until(lambda: not self.screen.busy, "the end of the turn")

    def text(self) -> str:
        """Everything on the screen, as a reader sees it."""
        return screen_text(self.app)


async def comes(pilot: Pilot[str], holds: Callable[[], object], seconds: float) -> bool:
    """Wait until something holds and the screen has come to rest; False where it does not.

    It is looked at without a pause of the pilot's, which would wake every widget each time.
    """
    for _ in range(int(seconds / 0.02)):
        if holds():
            with suppress(WaitForScreenTimeout):
                await pilot.pause()
            return True
        await asyncio.sleep(0.02)
    return False


def screen_text(app: SaberApp) -> str:
    """The characters on the screen, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)


@asynccontextmanager
async def stage(
    folder: Path,
    *answers: object,
    model: ChatModel | None = None,
    domain: Domain | None = None,
    size: tuple[int, int] = LARGE,
    scenario: str | None = None,
    safeguards: Safeguards = PLAIN,
    prepare: Callable[[Conversation], Awaitable[None]] | None = None,
    start: bool = False,
) -> AsyncIterator[Stage]:
    """Open the conversation screen on a new session; `prepare` runs before it is shown.

    `start` has the start screen lie below, for who goes back to it.
    """
    domain = domain or toy_domain()
    app = (QuietApp if start else BareApp)(Setup(db=folder / "sessions.sqlite"))
    with Store.open(folder / "sessions.sqlite") as store:
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            screen = ConversationScreen()
            held = await Conversation.start(
                store,
                domain,
                model or ScriptedModel(*answers),  # type: ignore[arg-type]
                screen,
                scenario=domain.scenario(scenario) if scenario else None,
                safeguards=safeguards,
            )
            if FIND[0] in answers:
                held.identity.add_event(CustomerSaid(text="I am ann@example.com.", turn=0))
            if prepare is not None:
                await prepare(held)
            await app.push_screen(screen.attach(held))
            await pilot.pause()
            yield Stage(app, pilot, held)
            await app.action_quit()
