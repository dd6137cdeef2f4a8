"""Small modal dialogs: pick from a list, type one line, or read the help."""

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
    """Lets the user pick an item from a list or, with `typed`, enter a name; Esc returns None."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Close")]

    def __init__(
        self, title: str, options: Sequence[tuple[str, str]], *, typed: str = "", empty: str = ""
    ) -> None:
        """`options` are (value, text) pairs; `typed` is the placeholder of the input line.

        Without options, `empty` is shown in place of the list.
        """
        super().__init__()
        self._title = title
        self._options = list(options)
        self._typed = typed
        self._empty = empty

    def compose(self) -> ComposeResult:
        """Lay out the list, or the empty text, and the input line if there is one."""
        with Vertical(id="dialog") as dialog:
            dialog.border_title = self._title
            dialog.border_subtitle = "enter chooses it · esc closes"
            if self._options:
                options = (Option(text) for _, text in self._options)
                yield OptionList(*options, id="dialog-list", markup=False, compact=True)
            elif self._empty:
                yield PlainText(self._empty, id="dialog-empty")
            if self._typed:
                yield WordsInput(placeholder=self._typed, id="dialog-line")

    def on_mount(self) -> None:
        """Highlight the first option, so that Enter picks it."""
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
        """Close the dialog without a choice."""
        self.dismiss(None)


class HelpDialog(ModalScreen[None]):
    """Shows the help for the focused widget and the current screen."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,enter", "leave", "Close"),
    ]

    def __init__(self, text: str) -> None:
        """`text` is Markdown written for this program."""
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay out the text in a scrolling container."""
        from textual.containers import VerticalScroll

        from console.widgets.prose import style_markdown

        with VerticalScroll(id="help") as dialog:
            dialog.border_title = "Help"
            dialog.border_subtitle = "esc closes"
            yield PlainText(style_markdown(self._text, line_break=" "))

    def on_mount(self) -> None:
        """Focus the text, so that the arrow keys scroll at once."""
        self.query_one("#help").focus()

    def action_leave(self) -> None:
        """Close the dialog."""
        self.dismiss(None)
