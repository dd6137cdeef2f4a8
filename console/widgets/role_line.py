"""The user's role on one line, for when the Scenario pane is hidden."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from console.widgets.plain import MUTED, PlainText

_KEY = "F7 "


class RoleLine(PlainText):
    """Shows the role and the first wish not ticked off; a click opens the Scenario pane.

    The style sheet decides where it is visible; its class says whether there is anything to show.
    """

    DEFAULT_CSS = (
        "RoleLine { display: none; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    )

    @dataclass
    class Wanted(Message):
        """The user wants to read the whole role."""

    def __init__(self) -> None:
        """Start empty, until :meth:`tell` is called; an empty line takes no row."""
        super().__init__(id="role-line")

    def tell(self, who: str, then: str) -> None:
        """Show who the user plays and what comes next; hide the line if `who` is empty."""
        self.set_class(bool(who), "-told")
        parts = ((_KEY, MUTED), (" ".join(who.split()), "bold"), (" · ", MUTED))
        self.show(Content.assemble(*parts, " ".join(then.split())), layout=False)

    def on_click(self) -> None:
        """Ask for the Scenario pane."""
        self.post_message(self.Wanted())
