"""All about the session that is highlighted in a list, and where in the list it stands."""

from __future__ import annotations

from textual.content import Content

from console.widgets.plain import PlainText
from console.widgets.session_row import about
from sessions.store.listing import SessionRow

OPENING = 3.0
"""Seconds for which it is said that a session is being opened, where it is not open sooner."""


class SessionAbout(PlainText):
    """Three lines of what a row has no room for; the list's order and length in the frame."""

    def __init__(self) -> None:
        """Nothing is highlighted."""
        super().__init__(id="about")
        self._note = ""

    def tell(self, row: SessionRow | None) -> None:
        """Show all about a session, or nothing."""
        self.show("\n".join(about(row) if row else []), layout=False)

    def place(self, number: int, of: int, *, more: bool, oldest_first: bool, marked: bool) -> None:
        """Tell the place in the list, and whether a session waits to be compared with another."""
        order = "oldest first" if oldest_first else "newest first"
        told = f"{number:,} of {of:,}{'+' if more else ''} · {order}" if of else ""
        self.border_title = Content(told)
        self._note = "◆ is marked: c on another compares the two" if marked else ""
        self.rest()

    def opening(self) -> None:
        """Say that the session is being opened, for a while."""
        self.border_subtitle = Content("Opening…")
        self.set_timer(OPENING, self.rest)

    def rest(self) -> None:
        """Say no longer that anything is being opened."""
        self.border_subtitle = Content(self._note)
