"""The keys of a screen with side panes: every pane's key is among them, also at 80 columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from console.widgets.key_line import KeyLine, ShownKey

ROOMY = 120
"""Columns from which on there is room for what is named elsewhere too."""

LONG = 6
"""Letters of a name that is never cut."""


class PaneKeys(KeyLine):
    """In the order of the keys; where it is narrow, closer together and without the palette's.

    That one is told of by F1, and its menu is not what one looks for below a conversation.
    """

    @property
    def is_narrow(self) -> bool:
        """Whether only what has no other place is shown."""
        return self.size.width < ROOMY

    def fit(self, shown: tuple[ShownKey, ...]) -> tuple[ShownKey, ...]:
        """Where it is narrow, long names are cut if only so all of them fit."""
        if not self.is_narrow or _width(shown) <= self.size.width:
            return shown
        cut = tuple(replace(each, description=_cut(each.description)) for each in shown)
        return cut if _width(cut) <= self.size.width else shown

    def order(self, shown: Iterable[ShownKey]) -> Iterable[ShownKey]:
        """Textual has them in the order in which the focused widget names them."""
        return sorted(shown, key=_place)


def _width(shown: Iterable[ShownKey]) -> int:
    """The columns that they take, the last one without the blank after it."""
    return sum(sum(map(len, each.cells(narrow=True))) for each in shown) - 1


def _cut(name: str) -> str:
    return name if len(name) <= LONG else f"{name[:4]}."


def _place(shown: ShownKey) -> int:
    """Function keys in their order, the help last; what else there is before them."""
    name = shown.key
    number = int(name[1:]) if name[:1] == "f" and name[1:].isdecimal() else 0
    return 99 if number == 1 else number
