"""The key line of a screen with side panes; every pane has its key on it, even at 80 columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from console.widgets.key_line import KeyLine, ShownKey

ROOMY = 120
"""The columns from which there is room for keys that are named elsewhere too."""

LONG = 6
"""The length up to which a description is never cut."""


class PaneKeys(KeyLine):
    """Shows the keys in order; on a narrow screen closer together and without the palette's key.

    The help (F1) mentions the palette, and its menu is not needed below a conversation.
    """

    @property
    def is_narrow(self) -> bool:
        """Whether the screen is too narrow for keys that are named elsewhere."""
        return self.size.width < ROOMY

    def fit(self, shown: tuple[ShownKey, ...]) -> tuple[ShownKey, ...]:
        """The keys, with long descriptions cut on a narrow screen if that makes all of them fit."""
        if not self.is_narrow or _width(shown) <= self.size.width:
            return shown
        cut = tuple(replace(each, description=_cut(each.description)) for each in shown)
        return cut if _width(cut) <= self.size.width else shown

    def order(self, shown: Iterable[ShownKey]) -> Iterable[ShownKey]:
        """The keys by number; Textual orders them by the bindings of the focused widget."""
        return sorted(shown, key=_place)


def _width(shown: Iterable[ShownKey]) -> int:
    """The columns that the keys take, without the space after the last one."""
    return sum(sum(map(len, each.cells(narrow=True))) for each in shown) - 1


def _cut(name: str) -> str:
    return name if len(name) <= LONG else f"{name[:4]}."


def _place(shown: ShownKey) -> int:
    """The sort key: other keys first, then the function keys by number, F1 last."""
    name = shown.key
    number = int(name[1:]) if name[:1] == "f" and name[1:].isdecimal() else 0
    return 99 if number == 1 else number
