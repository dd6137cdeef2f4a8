"""The only place where events and pieces of answers reach the conversation screen."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.protocol import CallPiece, Piece, ReasoningPiece, TextPiece
from console.conversation.display import ConversationDisplay
from sessions.events import (
    AgentSaid,
    AnyEvent,
    AttentionCheckAsked,
    CardAnswered,
    ContextAssembled,
    DecisionMade,
    GuardFired,
    Logged,
    ModelFailed,
    ModelRequested,
    ReflectionWritten,
    RouteDecided,
    SessionEnded,
    ToolCalled,
    WriteVerified,
)
from sessions.views import Transcript, advance, status

_VERIFIED = {
    "kept": "the change was verified",
    "revised": "the change was revised",
    "asked": "",
    "blocked": "the change was stopped",
    "unverified": "the change could not be verified",
    "withheld": "the change could not be verified and was not made",
}


class EventRouter:
    """Folds the log as it grows, and tells the display what each event changes."""

    def __init__(self, display: ConversationDisplay, events: Sequence[Logged]) -> None:
        """Fold `events`, the log so far, into :attr:`items` and :attr:`status`."""
        self.display = display
        self._transcript = Transcript()
        self.items = [item for logged in events for item in self._transcript.add(logged)]
        self.status = status(events)

    async def take_event(self, logged: Logged) -> None:
        """Show an event that was just recorded."""
        self.status = advance(self.status, logged)
        await self._act(logged.event)
        for item in self._transcript.add(logged):
            await self.display.show_item(item)
        self.display.show_status(self.status)
        self.display.tell_panes(logged.event)

    async def _act(self, event: AnyEvent) -> None:
        match event:
            case ModelFailed():
                await self.display.drop_answer()
            case AgentSaid(about_card=str() as card_id):
                self.display.card_answered(card_id, "agent", event.text)
            case AttentionCheckAsked(card_id=card_id, answer=answer):
                self.display.card_answered(card_id, "trial", answer)
            case CardAnswered(card_id=card_id):
                self.display.card_answered(card_id, "trial", event.text)
            case SessionEnded():
                self.display.session_over(event.reason)
            case _:
                pass
        if what := doing(event):
            self.display.doing(what)

    async def take_piece(self, piece: Piece | None) -> None:
        """Show a piece of the running answer; None discards the answer, which starts over."""
        match piece:
            case None:
                await self.display.drop_answer()
            case TextPiece(text):
                await self.display.show_piece(text)
            case ReasoningPiece():
                self.display.doing("thinking it over")
            case CallPiece(name=str() as name):
                self.display.doing(f"preparing {name.replace('_', ' ')}")
            case _:
                pass


def doing(event: AnyEvent) -> str:
    """What the agent is doing after an event, in words; empty if the event does not change that."""
    match event:
        case ContextAssembled():
            return "choosing what matters"
        case ModelRequested():
            return _asking(event)
        case ModelFailed(retry_in=float() as wait):
            return f"trying again in {wait:.0f} s"
        case ToolCalled():
            return f"looking up: {event.name.replace('_', ' ')}"
        case RouteDecided(latched=True):
            return "coupled: changes are checked"
        case GuardFired(ends_turn=False):
            return "a change went back to the agent"
        case WriteVerified():
            return _VERIFIED[event.outcome]
        case ReflectionWritten():
            return "thinking again before the change"
        case DecisionMade(decision="approve"):
            return "making the change"
        case _:
            return ""


def _asking(event: ModelRequested) -> str:
    match event.purpose:
        case "route":
            return f"{event.model} is asked whether your requests depend on each other"
        case "verify":
            return f"{event.model} is asked whether this change is right"
        case _:
            again = f" (attempt {event.attempt})" if event.attempt > 1 else ""
            return f"{event.model} is thinking{again}"
