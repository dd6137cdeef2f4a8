"""The details of the highlighted session, and its position in the list."""

from __future__ import annotations

from textual.content import Content

from console.widgets.plain import PlainText
from console.widgets.session_row import about
from sessions.store.listing import SessionRow

OPENING = 3.0
"""Seconds for which "Opening…" is shown, unless the session opens sooner."""


class SessionAbout(PlainText):
    """Shows three lines of details; its frame shows the order and length of the list."""

    def __init__(self) -> None:
        """Start empty, without a highlighted session."""
        super().__init__(id="about")
        self._note = ""

    def tell(self, row: SessionRow | None) -> None:
        """Show the details of a session, or nothing."""
        self.show("\n".join(about(row) if row else []), layout=False)

    def place(self, number: int, of: int, *, more: bool, oldest_first: bool, marked: bool) -> None:
        """Show the position in the list, and whether a session is marked for a comparison."""
        order = "oldest first" if oldest_first else "newest first"
        told = f"{number:,} of {of:,}{'+' if more else ''} · {order}" if of else ""
        self.border_title = Content(told)
        self._note = "◆ is marked: c on another compares the two" if marked else ""
        self.clear_opening()

    def opening(self) -> None:
        """Show for a while that the session is being opened."""
        self.border_subtitle = Content("Opening…")
        self.set_timer(OPENING, self.clear_opening)

    def clear_opening(self) -> None:
        """Stop showing that a session is being opened."""
        self.border_subtitle = Content(self._note)
