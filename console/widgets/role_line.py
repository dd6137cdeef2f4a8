"""Whom one plays, on one line, where the Scenario pane is out of view."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from console.widgets.plain import MUTED, PlainText

_KEY = "F7 "


class RoleLine(PlainText):
    """Who one is, and the next wish that is not ticked off; a click opens the Scenario pane.

    Where it shows is for the style sheet: its class says whether there is anything to tell.
    """

    DEFAULT_CSS = (
        "RoleLine { display: none; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    )

    @dataclass
    class Wanted(Message):
        """The person wants to read all of the role."""

    def __init__(self) -> None:
        """Filled by :meth:`tell`; it takes no row while there is nothing to tell."""
        super().__init__(id="role-line")

    def tell(self, who: str, then: str) -> None:
        """Show who one is and what comes next; nothing, where one is nobody in particular."""
        self.set_class(bool(who), "-told")
        parts = ((_KEY, MUTED), (" ".join(who.split()), "bold"), (" · ", MUTED))
        self.show(Content.assemble(*parts, " ".join(then.split())), layout=False)

    def on_click(self) -> None:
        """Ask for the pane."""
        self.post_message(self.Wanted())
