"""The changes that the engine's events make on the conversation screen."""

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
    """The parts of the conversation screen that events change."""

    conversation: Conversation
    transcript: TranscriptView
    working: Working
    status: StatusLine
    panes: SidePanes
    desk: CardDesk
    busy: Callable[[], bool]
    """Whether a turn is running; a late event must not make it look as if one were."""

    wide: Callable[[], bool]
    """Whether the panes are shown beside the conversation."""

    on_over: Callable[[str], None]
    """Called with the reason when the session has ended."""

    def doing(self, what: str) -> None:
        """Show what the agent is doing, unless no turn runs or it waits for the person."""
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
        """Remove the running answer."""
        await self.transcript.drop_live()

    def show_status(self, now: SessionStatus) -> None:
        """Show the session's status in the status line."""
        offline = now.model.partition("+")[0] == CLERK
        self.status.tell(now, offline=offline, counts="" if self.wide() else self._counts())

    def tell_panes(self, event: AnyEvent) -> None:
        """Pass an event on to the side panes."""
        self.panes.take_event(event)

    def card_answered(self, card_id: str, by: Answerer, text: str) -> None:
        """Show the answer to a question about the card on the screen."""
        view = self.desk.view
        if view is not None and view.card.id == card_id:
            view.show_answer(by, text)

    def session_over(self, reason: str) -> None:
        """Report why the session is over."""
        self.on_over(reason)

    def _counts(self) -> str:
        """What the hidden panes hold, as counts for the status line."""
        events = self.conversation.log.events
        sent = contexts(events)
        blocks = sent[-1].sent_count if sent else 0
        return f"reflections {len(reflections(events))} · context {blocks}"
