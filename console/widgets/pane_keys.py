"""The footer of a screen with side panes: every pane's key is on it, also at 80 columns."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer

ROOMY = 120
"""Columns from which on there is room for what is named elsewhere too."""


class PaneKeys(Footer):
    """In the order of the keys; where it is narrow, closer together and without the palette's.

    That one is told of by F1, and its menu is not what one looks for below a conversation.
    """

    def on_resize(self, event: events.Resize) -> None:
        """The screen became narrow or wide."""
        narrow = event.size.width < ROOMY
        self.compact = narrow
        self.show_command_palette = not narrow

    def compose(self) -> ComposeResult:
        """Textual's own keys, which come in the order in which the focused widget names them."""
        yield from sorted(super().compose(), key=_place)


def _place(shown: Widget) -> int:
    """Function keys in their order, the help last; what else there is before them."""
    name = str(getattr(shown, "key", ""))
    number = int(name[1:]) if name[:1] == "f" and name[1:].isdecimal() else 0
    return 99 if number == 1 else number
