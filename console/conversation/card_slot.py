"""Show cards to the person, one at a time, in place of the composer (law 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.await_remove import AwaitRemove
from textual.containers import Vertical

from agent.gate.operator import Decision
from console.widgets.card import TITLE, CardView
from sessions.events import Card, Logged
from sessions.views.card_precedence import is_after_check, replaces_stale_card

AFTER_CHECK = "The check is over, and nothing came of it. Approve this change?"
"""The title of the card that follows an attention check; that card may be wrong like any other."""


class CardDesk(Vertical):
    """The container of the composer, which a card replaces while it waits."""

    def __init__(self, *, on_change: Callable[[bool], None]) -> None:
        """Call `on_change` with True when the person is asked, False when the agent goes on."""
        super().__init__(id="desk")
        self._on_change = on_change
        self._one_at_a_time = asyncio.Lock()
        self._view: CardView | None = None
        self._leaving: AwaitRemove | None = None

    @property
    def asking(self) -> bool:
        """Whether a card waits for the person's decision now."""
        return self._view is not None and not self._view.decision.done()

    @property
    def view(self) -> CardView | None:
        """The card on the screen, or None."""
        return self._view

    async def decide(self, card: Card, events: Sequence[Logged]) -> Decision:
        """Show a card until it is decided; a cancellation removes it undecided."""
        async with self._one_at_a_time:
            view = await self._show(card, events)
            self._on_change(True)
            try:
                decision = await view.decision
            except asyncio.CancelledError:
                self.take_away()
                raise
            self._on_change(False)
            if decision.choice != "ask":
                self.take_away()
            return decision

    async def _show(self, card: Card, events: Sequence[Logged]) -> CardView:
        """Show the card and return its view; after a question about it, reuse the same view."""
        if self._view is not None and self._view.card.id == card.id:
            self._view.wait_again()
            return self._view
        self.take_away()
        if self._leaving is not None:  # two cards must not be shown at once, not even for a moment
            await self._leaving
            self._leaving = None
        self._view = view = CardView(card, title=title_of(card, events))
        self.add_class("-card")
        await self.mount(view)
        return view

    def take_away(self) -> None:
        """Remove the card and show the composer again, with what was typed there."""
        view, self._view = self._view, None
        if view is not None:
            self._leaving = view.remove()
            self.remove_class("-card")
            self.screen.set_focus(self.query_one("#composer"))


def title_of(card: Card, events: Sequence[Logged]) -> str:
    """The card's title, which tells the person what they have to know before they read it."""
    if replaces_stale_card(card, events):
        return "The records moved: please look again"
    return AFTER_CHECK if is_after_check(card, events) else TITLE
