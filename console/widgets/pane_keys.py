"""The keys of a screen with side panes: every pane's key is among them, also at 80 columns."""

from __future__ import annotations

from collections.abc import Iterable

from console.widgets.key_line import KeyLine, ShownKey

ROOMY = 120
"""Columns from which on there is room for what is named elsewhere too."""


class PaneKeys(KeyLine):
    """In the order of the keys; where it is narrow, closer together and without the palette's.

    That one is told of by F1, and its menu is not what one looks for below a conversation.
    """

    @property
    def is_narrow(self) -> bool:
        """Whether only what has no other place is shown."""
        return self.size.width < ROOMY

    def order(self, shown: Iterable[ShownKey]) -> Iterable[ShownKey]:
        """Textual has them in the order in which the focused widget names them."""
        return sorted(shown, key=_place)


def _place(shown: ShownKey) -> int:
    """Function keys in their order, the help last; what else there is before them."""
    name = shown.key
    number = int(name[1:]) if name[:1] == "f" and name[1:].isdecimal() else 0
    return 99 if number == 1 else number
