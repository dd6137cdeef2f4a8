"""The floor that startup is measured against: a Textual app of four widgets and nothing else."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Header, Input, Static

WORDS = "Four widgets and nothing else"


class FourWidgets(App[None]):
    """A header, a line of text, an input and a footer."""

    TITLE = "four widgets"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """The four."""
        yield Header()
        yield Static(WORDS)
        yield Input(placeholder="Write here")
        yield Footer()


if __name__ == "__main__":
    FourWidgets().run()
