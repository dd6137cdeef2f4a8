"""The conversation screen: transcript, composer or card, status line and side panes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker

from agent.gate.operator import Decision
from agent.models.protocol import Piece
from agent.next_step import find_undecided_card
from agent.session.conversation import Conversation
from console.conversation.card_slot import CardDesk
from console.conversation.display import ConversationDisplay
from console.conversation.event_router import EventRouter
from console.conversation.keys import HELP, KEYS
from console.conversation.piece_buffer import PieceBuffer
from console.conversation.turns import GROUP, Turns
from console.panes.scenario import ScenarioPane
from console.panes.side import SidePanes
from console.widgets.choices_bar import ChoicesBar, bar_for_left_card, fault_bar, over_bar
from console.widgets.composer import Composer
from console.widgets.pane_keys import PaneKeys
from console.widgets.plain import shorten_and_clean
from console.widgets.quick_replies import QuickReplies, QuickReply
from console.widgets.role_line import RoleLine
from console.widgets.status_line import StatusLine
from console.widgets.transcript import TranscriptView
from console.widgets.working import Working
from sessions.events import Card, Logged

_SEND = "enter sends · ctrl+j new line"
_BUSY = "the agent is answering · esc stops it"


class ConversationScreen(Screen[None]):
    """Lets a user play one session; the screen is the operator (see ``agent.gate.operator``)."""

    by = "person"

    CSS_PATH = "conversation.tcss"
    AUTO_FOCUS = "#composer"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    @dataclass
    class EventRecorded(Message):
        """The engine recorded an event."""

        logged: Logged

    @dataclass
    class PieceArrived(Message):
        """A piece of the running answer arrived; None if the answer starts over."""

        piece: Piece | None

    @dataclass
    class Wanted(Message):
        """The user wants something that only the app can do."""

        what: Literal["model", "new", "outcome"]

    conversation: Conversation
    """The conversation whose operator is this screen; set before the screen is shown."""

    def __init__(self) -> None:
        """Create the screen first, since opening a conversation needs it as the operator."""
        super().__init__()
        self._ticked: set[str] = set()
        self._unsubscribe: Callable[[], None] = lambda: None
        self._pieces = PieceBuffer(lambda piece: self.post_message(self.PieceArrived(piece)))
        self._busy = False

    def attach(self, conversation: Conversation, ticked: set[str] | None = None) -> Self:
        """Attach the conversation that was opened with this screen as its operator.

        `ticked` holds the lines of the role that the user has ticked off; it is read and changed
        here. The ticks are a bookmark for the player, kept while the program runs. They are not
        part of what happened in the session, so they are not in the log.
        """
        self.conversation = conversation
        self._ticked = set() if ticked is None else ticked
        self._turns = Turns(self, conversation, on_fault=self._show_fault)
        return self

    def compose(self) -> ComposeResult:
        """Lay out the conversation on the left, the panes on the right, status and keys below."""
        with Horizontal(id="main"):
            with Vertical(id="talk"):
                yield TranscriptView()
                yield Working()
                with CardDesk(on_change=self._show_waiting):
                    yield RoleLine()
                    yield QuickReplies()
                    yield Composer()
            played = self.conversation.scenario or self.conversation.status.plays
            first = "scenario" if played else "reflection"
            yield SidePanes(self.conversation, first, self._ticked)
        yield StatusLine()
        yield PaneKeys()

    async def on_mount(self) -> None:
        """Show the session so far, subscribe to new events, and resume a pending card."""
        self.query_one("#talk").border_title = shorten_and_clean(Content(self._title))
        self.router = EventRouter(self._display(), self.conversation.log.events)
        self._composer.border_title = "You"
        self._composer.border_subtitle = _SEND
        self._update_role_line()
        await self._transcript.fill(self.router.items)
        self.router.display.show_status(self.router.status)
        self._unsubscribe = self.conversation.subscribe(self._pass_on)
        self.conversation.on_piece = self._pieces.add
        self._resume()

    @on(ScenarioPane.Ticked)
    def _update_role_line(self) -> None:
        pane = self.query_one(ScenarioPane)
        self.query_one(RoleLine).tell(pane.who, pane.next_wish)

    @on(RoleLine.Wanted)
    def _role_wanted(self) -> None:
        self.action_pane("scenario")

    def _display(self) -> ConversationDisplay:
        return ConversationDisplay(
            conversation=self.conversation,
            transcript=self._transcript,
            working=self.query_one(Working),
            status=self.query_one(StatusLine),
            panes=self.query_one(SidePanes),
            desk=self._desk,
            busy=lambda: self._busy,
            wide=lambda: self.has_class("-wide"),
            on_over=self._show_over,
        )

    def _pass_on(self, logged: Logged) -> None:
        self._pieces.flush()  # show the pieces that arrived before this event first
        self.post_message(self.EventRecorded(logged))

    def on_unmount(self) -> None:
        """Detach from the conversation; the engine may go on without a screen."""
        self._unsubscribe()
        self.conversation.on_piece = None

    def on_screen_resume(self) -> None:
        """Restart the card's grace period, since another screen was covering the card."""
        if self.is_mounted and (view := self._desk.view):
            view.begin_grace()

    def on_resize(self) -> None:
        """Refit the card and the status line, which has counts only while the panes are hidden."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if not self.is_mounted:
            return
        self.router.display.show_status(self.router.status)
        if view := self._desk.view:
            view.fit()

    @on(EventRecorded)
    async def _take_event(self, event: EventRecorded) -> None:
        if self._transcript.is_attached:  # not while the app is closing
            await self.router.take_event(event.logged)

    @on(PieceArrived)
    async def _take_piece(self, event: PieceArrived) -> None:
        if self._transcript.is_attached:
            await self.router.take_piece(event.piece)

    # -- the card

    async def decide(self, card: Card) -> Decision:
        """Show a card and wait for the decision, closing a side pane that would cover it."""
        self.remove_class("-side-open")
        return await self._desk.decide(card, self.conversation.log.events)

    def _show_waiting(self, waits: bool) -> None:
        working = self.query_one(Working)
        if waits:
            working.pause()
            working.doing("Waiting for your decision")
        elif self._busy:
            working.go_on()

    # -- turns

    @on(Composer.Sent)
    def _take_message(self, event: Composer.Sent) -> None:
        self._begin_turn(event.text)

    @on(QuickReply.Picked)
    def _take_quick_reply(self, event: QuickReply.Picked) -> None:
        if not self._busy:
            self._begin_turn(event.number)

    @on(Composer.Changed)
    def _take_keys(self) -> None:
        self._pieces.delay_for_key()
        if self._quick_replies.display:
            self._quick_replies.mark(self._composer.text)

    @on(Composer.TooSoon)
    def _too_soon(self) -> None:
        self._composer.border_subtitle = _BUSY

    @on(Composer.Refused)
    def _tell_refusal(self, event: Composer.Refused) -> None:
        self.notify(event.sentence, markup=False, severity="warning")

    def draft(self, words: str) -> None:
        """Put words into the composer for the user to change or send."""
        self._composer.text = words
        self._composer.move_cursor(self._composer.document.end)

    def _resume(self) -> None:
        """After resuming a session, show a pending card again or offer to continue."""
        now = self.router.status
        if now.ended:
            self._show_over(now.ended)
        elif now.card_to_decide is not None:
            self._begin_turn(None)
        elif not self._await_customer() and now.mid_turn:
            self._show_fault("The agent had not finished its answer. Go on, or say something else.")

    def _await_customer(self) -> bool:
        """Offer what the customer may do next; return whether an undecided card is offered."""
        answer = self.router.status.current.answer
        self._offer_quick_replies(answer.text if answer else "")
        return self._offer_card()

    def _offer_quick_replies(self, message: str) -> None:
        self.run_worker(self._quick_replies.offer(message), group="quick replies", exclusive=True)

    def _offer_card(self) -> bool:
        """Offer to resume an undecided card; False if there is none."""
        left = self.router.status.ended is None and find_undecided_card(self.router.status.current)
        if left:
            self._show_bar(bar_for_left_card())
        return bool(left)

    def _begin_turn(self, words: str | None) -> None:
        self._busy = self._composer.busy = True
        self._remove_bar()
        self._offer_quick_replies("")
        self.query_one(Working).begin("one moment")
        if words is None:
            self._turns.go_on()
        else:
            self._turns.say(words)

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        """Clean up when a turn has ended, for any reason.

        Textual delivers this message after those for the events that the turn recorded. The end of
        a turn that was stopped to end the session changes nothing: the end is still being recorded.
        """
        if event.worker.group == GROUP and not self._turns.running:
            self._turn_is_over()

    def _turn_is_over(self) -> None:
        self._busy = self._composer.busy = False
        self._desk.take_away()
        self.query_one(Working).rest()
        self._composer.border_subtitle = _SEND
        if self._desk.is_attached and not self.query(ChoicesBar):  # not while the app is closing
            self._await_customer()

    @property
    def busy(self) -> bool:
        """Whether the agent is working or waiting for the user's decision."""
        return self._busy

    def action_stop(self) -> None:
        """Stop the agent's answer to a question about the card, or else the turn.

        With no turn running, go to the end of the transcript.
        """
        if self.conversation.stop_answer():
            return
        if self._busy:
            self._turns.stop()
        else:
            self.run_worker(self._transcript.go_to_end(), group="window")

    async def stop_and_wait(self) -> None:
        """Stop the agent and wait until that is recorded, before leaving the screen."""
        await self._turns.stop_and_wait()

    def action_retry(self) -> None:
        """Continue the turn that was interrupted."""
        if not self._busy and self.router.status.mid_turn:
            self._begin_turn(None)

    def action_end(self) -> None:
        """End the session and score it, or show the outcome if it has ended."""
        if self.router.status.ended is None:
            self._busy = self._composer.busy = True
            self.query_one(Working).begin("scoring")  # a model may have to judge what was said
            self._turns.end(self._open_outcome)
        else:
            self._open_outcome()

    def _open_outcome(self) -> None:
        self.post_message(self.Wanted("outcome"))

    # -- the rest of the screen

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the key of a pane that this session does not have."""
        if action != "pane":  # called for every key at every change of focus
            return True
        side = self.query_one_optional(SidePanes)
        return side is None or parameters[0] in side.names

    def action_pane(self, name: str) -> None:
        """Show a side pane; the second time focus it, or close it if it covers the conversation."""
        side = self.query_one(SidePanes)
        inside = side.has_focus_within
        again, side.current = side.current == name, name
        if self.has_class("-wide"):
            if again or inside:
                self.call_after_refresh(side.pane.focus)
        elif again and self.has_class("-side-open"):
            self._close_side()
        else:
            self.add_class("-side-open")
            self.call_after_refresh(side.pane.focus)
        self.call_after_refresh(side.pane.refresh_if_stale)

    @on(SidePanes.Closed)
    def _close_side(self) -> None:
        self.remove_class("-side-open")
        self.set_focus(self._desk.view or self._composer)

    def action_page(self, pages: int) -> None:
        """Scroll the card or the transcript by a page, whichever widget has the focus."""
        if view := self._desk.view:
            view.action_page(pages)
        elif pages < 0:
            self._transcript.scroll_page_up(animate=False)
        else:
            self._transcript.scroll_page_down(animate=False)

    def action_open_latest(self) -> None:
        """Open or close the last row that can be opened."""
        self._transcript.open_latest()

    def action_model(self) -> None:
        """Ask the app to let the user pick another model."""
        self.post_message(self.Wanted("model"))

    def action_leave(self) -> None:
        """Ask the app to return to the start screen; the session can be resumed later."""
        self.post_message(self.Wanted("new"))

    @on(ChoicesBar.Chosen)
    def _act_on_choice(self, event: ChoicesBar.Chosen) -> None:
        match event.way:
            case "retry":
                self.action_retry()
            case "model":
                self.action_model()
            case "new":
                self.action_leave()
            case _:
                self.action_end()

    def _show_fault(self, sentence: str) -> None:
        if self.is_mounted and self.is_running:
            self._show_bar(fault_bar(sentence))

    def _show_over(self, reason: str) -> None:
        bar = over_bar(reason)
        self._show_bar(bar)
        self._desk.add_class("-over")
        self.call_after_refresh(bar.take_focus)

    def _show_bar(self, bar: ChoicesBar) -> None:
        self._remove_bar()  # removal takes a moment, so bars have no id that two could share
        self._desk.mount(bar, before=self._composer)

    def _remove_bar(self) -> None:
        for bar in self.query(ChoicesBar):
            bar.remove()

    @property
    def _title(self) -> str:
        scenario = self.conversation.scenario
        return scenario.title if scenario else "Free play"

    @property
    def _composer(self) -> Composer:
        return self.query_one(Composer)

    @property
    def _quick_replies(self) -> QuickReplies:
        return self.query_one(QuickReplies)

    @property
    def _transcript(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    @property
    def _desk(self) -> CardDesk:
        return self.query_one(CardDesk)
