"""The forks in a session file, as trees: open, replay or compare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from console.browser.family import FamilyLine
from console.browser.session_request import SessionRequest
from console.widgets.key_line import KeyLine
from console.widgets.plain import PlainText, shorten_and_clean


class TreeScreen(Screen[None]):
    """Lists every session that is a fork or has one, indented under its parent."""

    CSS_PATH = "histories.tcss"
    HELP = """\
# Forks

Each session is listed under the one that it is a fork of, with the event after which it leaves it.
● can be continued, ■ has ended.

- **enter** opens a session, **r** replays it
- **c** marks one to compare; **c** on another shows the two side by side
- **p** compares a fork with its parent
- **esc** leaves
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", priority=True),
        Binding("r", "replay", "Replay"),
        Binding("p", "parent", "Compare with parent"),
        Binding("c", "compare", "Compare…"),
        Binding("escape,q", "dismiss(None)", "Leave"),
    ]

    def __init__(self, lines: Sequence[FamilyLine], chosen: str = "") -> None:
        """`chosen` is the id of the session to highlight first."""
        super().__init__()
        self._lines = list(lines)
        self._chosen = chosen
        self._marked: str | None = None

    def compose(self) -> ComposeResult:
        """Lay out one line per session."""
        if not self._lines:
            yield PlainText(
                "No session has been forked yet: press f in a replay to fork it.", id="none"
            )
        else:
            options = OptionList(*self._options(), id="branches", markup=False)
            options.border_title = "Forks"
            yield options
        yield KeyLine()

    def on_mount(self) -> None:
        """Highlight the requested session, or else the first one."""
        for options in self.query(OptionList):
            ids = [line.id for line in self._lines]
            options.highlighted = ids.index(self._chosen) if self._chosen in ids else 0
            options.focus()

    def _options(self) -> list[Option]:
        marked = self._marked
        return [
            Option(shorten_and_clean(f"{'◆ ' if line.id == marked else ''}{line.text}"))
            for line in self._lines
        ]

    @property
    def _here(self) -> FamilyLine | None:
        for options in self.query(OptionList):
            if options.highlighted is not None:
                return self._lines[options.highlighted]
        return None

    def action_open(self) -> None:
        """Continue the session, or look at it if it has ended."""
        if here := self._here:
            self.post_message(SessionRequest("open", here.id))

    def action_replay(self) -> None:
        """Replay the highlighted session."""
        if here := self._here:
            self.post_message(SessionRequest("replay", here.id))

    def action_parent(self) -> None:
        """Compare the fork with its parent."""
        here = self._here
        if here is None or here.row.parent is None:
            self.notify("This session is not a fork.", markup=False, timeout=2)
        else:
            self.post_message(SessionRequest("compare", here.row.parent, other=here.id))

    def action_compare(self) -> None:
        """Mark a session; on a second session, show the two side by side."""
        here = self._here
        if here is None:
            return
        if self._marked in (None, here.id):
            self._marked = None if self._marked else here.id
            self._redraw()
        else:
            self.post_message(SessionRequest("compare", str(self._marked), other=here.id))

    def _redraw(self) -> None:
        options = self.query_one(OptionList)
        place = options.highlighted
        options.clear_options()
        options.add_options(self._options())
        options.highlighted = place
