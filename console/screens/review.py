"""The review screen: a second person decides recorded cards without seeing the first decision."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from agent.gate.operator import Decision
from console.faults import user_message
from console.widgets.key_line import KeyLine
from console.widgets.plain import PlainText
from console.widgets.raw_card import RawCard
from console.widgets.review_card import ReviewCard
from console.widgets.transcript import TranscriptView
from sessions.review.desk import ReviewDesk
from sessions.store.errors import StoreError
from sessions.views.reviewing import BlindCard


class ReviewScreen(Screen[str]):
    """Shows recorded cards one by one; its result says why it had to stop, or is empty."""

    CSS_PATH = ["conversation.tcss", "review.tcss"]  # noqa: RUF012
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    HELP = """\
# Review

Changes that an agent wanted to make, for you to decide on. Each is shown under the conversation
that led to it: as the card that somebody was shown then, or, if nobody was asked, as a card that is
*made afterwards*. What was decided then, and what came of it, is hidden from you; your decision is
recorded at once. **esc** or **q** quits, and `saber review` continues from there.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page(-1)", "Page up", show=False, priority=True),
        Binding("pagedown", "page(1)", "Page down", show=False, priority=True),
        Binding("ctrl+o", "open_latest", "Open line", show=False, priority=True),
        Binding("escape,q", "leave", "Quit"),
    ]

    def __init__(self, desk: ReviewDesk) -> None:
        """Start with the desk's current card."""
        super().__init__()
        self.desk = desk

    def compose(self) -> ComposeResult:
        """Lay out the conversation, the card below it, and the progress."""
        with Horizontal(id="main"), Vertical(id="talk"):
            yield Vertical(id="before")
            yield Vertical(id="desk", classes="-card")
        yield PlainText(id="progress")
        yield KeyLine()

    def on_mount(self) -> None:
        """Show the first card."""
        self.query_one("#talk").border_title = "Review"
        self._go_through()

    @work(group="review", exclusive=True)
    async def _go_through(self) -> None:
        """Show the cards in turn, and record each decision before showing the next card."""
        card = self.desk.card
        try:
            while card is not None:
                await self._record(await self._ask_for_decision(card))
                card = await asyncio.to_thread(self.desk.advance)
        except StoreError as error:
            self.dismiss(user_message(error) or "")
        else:
            self.dismiss("")

    async def _ask_for_decision(self, shown: BlindCard) -> Decision:
        """Show a card under its conversation, and wait for the decision."""
        card, before = self._card(shown), TranscriptView()
        self._tell()
        with self.app.batch_update():
            await self.query_one("#before").mount(before)
            await before.fill(shown.items)
            await self.query_one("#desk").mount(card)
        decision = await card.decision
        with self.app.batch_update():
            await card.remove()
            await before.remove()
        return decision

    def _card(self, shown: BlindCard) -> ReviewCard:
        """The widget for a card, or for the bare call if that is what this reviewer is shown."""
        if self.desk.form == "raw":
            return RawCard(shown.card)
        return ReviewCard(shown.card, made_afterwards=shown.origin == "recorded")

    async def _record(self, made: Decision) -> None:
        if made.choice not in ("approve", "reject", "change"):
            return
        recorded = await asyncio.to_thread(
            self.desk.record, made.choice, made.words, made.milliseconds
        )
        if not recorded:
            sentence = f"{self.desk.by} had decided this card already; that decision stands."
            self.notify(sentence, markup=False, severity="warning")

    def _tell(self) -> None:
        """Show the progress, but not the number of cards left, which would give decisions away."""
        desk = self.desk
        told = f"{desk.by} · session {desk.place} of {desk.sessions} · {desk.decided} decided"
        self.query_one("#progress", PlainText).show(told)

    def action_page(self, pages: int) -> None:
        """Scroll the conversation by a page."""
        for transcript in self.query(TranscriptView):
            if pages < 0:
                transcript.scroll_page_up(animate=False)
            else:
                transcript.scroll_page_down(animate=False)

    def action_open_latest(self) -> None:
        """Open or close the last row that can be opened."""
        for transcript in self.query(TranscriptView):
            transcript.open_latest()

    def on_screen_resume(self) -> None:
        """Restart the card's grace period, since another screen was covering the card."""
        for card in self.query(ReviewCard):
            card.begin_grace()

    def on_resize(self) -> None:
        """Refit the card to the space that the screen has for it."""
        for card in self.query(ReviewCard):
            self.call_after_refresh(card.fit)

    def action_leave(self) -> None:
        """Quit; every decision made so far has been recorded."""
        self.workers.cancel_group(self, "review")
        self.dismiss("")
