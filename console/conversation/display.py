"""What the engine's events change on the conversation screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.session.conversation import Conversation
from console.conversation.card_slot import CardDesk
from console.panes.side import SidePanes
from console.setup import CLERK
from console.widgets.status_line import StatusLine
from console.widgets.transcript import TranscriptView
from console.widgets.working import Working
from sessions.events import Answerer, AnyEvent
from sessions.views import Item, SessionStatus, contexts, reflections


@dataclass(frozen=True)
class ConversationDisplay:
    """The parts of the screen that events change."""

    conversation: Conversation
    transcript: TranscriptView
    working: Working
    status: StatusLine
    panes: SidePanes
    desk: CardDesk
    busy: Callable[[], bool]
    """Whether a turn runs; what is told late must not look as if one did."""

    wide: Callable[[], bool]
    """Whether the panes stand beside the conversation."""

    over: Callable[[str], None]
    """Hears why the session ended."""

    def doing(self, what: str) -> None:
        """Say what the agent is doing, unless it is waiting for the person."""
        if self.busy() and not self.desk.asking:
            self.working.doing(what)

    async def show_item(self, item: Item) -> None:
        """Add an item to the transcript."""
        await self.transcript.add(item)

    async def show_piece(self, text: str) -> None:
        """Add words to the running answer."""
        self.doing("answering")
        await self.transcript.stream(text)

    async def drop_answer(self) -> None:
        """Forget the running answer."""
        await self.transcript.drop_live()

    def show_status(self, now: SessionStatus) -> None:
        """Tell where the session stands."""
        offline = now.model.partition("+")[0] == CLERK
        self.status.tell(now, offline=offline, counts="" if self.wide() else self._counts())

    def tell_panes(self, event: AnyEvent) -> None:
        """Let the side panes know."""
        self.panes.take_event(event)

    def card_answered(self, card_id: str, by: Answerer, text: str) -> None:
        """A question about the card was answered."""
        view = self.desk.view
        if view is not None and view.card.id == card_id:
            view.show_answer(by, text)

    def session_over(self, reason: str) -> None:
        """Nothing more can be said."""
        self.over(reason)

    def _counts(self) -> str:
        """How much there is in the panes that are out of view."""
        events = self.conversation.log.events
        sent = contexts(events)
        blocks = sent[-1].sent_count if sent else 0
        return f"reflections {len(reflections(events))} · context {blocks}"
