"""Small dialogs over a screen: pick from a list, or type one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from console.widgets.plain import PlainText
from console.widgets.words import WordsInput


class PickDialog(ModalScreen[str | None]):
    """Pick one of a list, or with `typed` give another by name; Esc gives None."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Close")]

    def __init__(
        self, title: str, options: Sequence[tuple[str, str]], *, typed: str = "", empty: str = ""
    ) -> None:
        """Options are (value, text); `typed` is the placeholder of a line to type into."""
        super().__init__()
        self._title = title
        self._options = list(options)
        self._typed = typed
        self._empty = empty

    def compose(self) -> ComposeResult:
        """The list, then the line."""
        with Vertical(id="dialog") as dialog:
            dialog.border_title = self._title
            dialog.border_subtitle = "enter takes it · esc closes"
            if self._options:
                options = (Option(text) for _, text in self._options)
                yield OptionList(*options, id="dialog-list", markup=False, compact=True)
            elif self._empty:
                yield PlainText(self._empty, id="dialog-empty")
            if self._typed:
                yield WordsInput(placeholder=self._typed, id="dialog-line")

    def on_mount(self) -> None:
        """Enter takes the first."""
        for options in self.query(OptionList):
            options.highlighted = 0

    @on(OptionList.OptionSelected)
    def _dismiss_with_option(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._options[event.option_index][0])

    @on(WordsInput.Submitted)
    def _dismiss_with_name(self, event: WordsInput.Submitted) -> None:
        if event.value.strip():
            self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Take nothing."""
        self.dismiss(None)


class HelpDialog(ModalScreen[None]):
    """What the screen and its parts are for, and their keys."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,enter", "leave", "Close"),
    ]

    def __init__(self, text: str) -> None:
        """`text` is Markdown of our own."""
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        from textual.containers import VerticalScroll

        from console.widgets.prose import style_markdown

        with VerticalScroll(id="help") as dialog:
            dialog.border_title = "Help"
            dialog.border_subtitle = "esc closes"
            yield PlainText(style_markdown(self._text, line_break=" "))

    def on_mount(self) -> None:
        """Arrow keys scroll at once."""
        self.query_one("#help").focus()

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
