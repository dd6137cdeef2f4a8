"""Small form controls: choose one of a few values, or switch something on or off.

Neither reacts to Enter, so that on the start screen Enter always starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from console.widgets.plain import MUTED


class Choice(Widget):
    """Offers a few values on one line; left and right step through them."""

    DEFAULT_CSS = "Choice { height: 1; width: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Previous", show=False),
        Binding("right,space", "step(1)", "Next", show=False),
    ]
    can_focus = True

    index: reactive[int] = reactive(0)

    @dataclass
    class Changed(Message):
        """Another value was chosen."""

        choice: Choice
        value: str

        @property
        def control(self) -> Choice:
            """The choice widget, so that handlers can select messages by it."""
            return self.choice

    def __init__(
        self, label: str, options: list[tuple[str, str]], *, id: str, chosen: int = 0, room: int = 8
    ) -> None:
        """`options` are (value, text) pairs; `room` is the width of the label in columns."""
        super().__init__(id=id)
        self._label = label
        self._options = options
        self._room = room
        self.set_reactive(Choice.index, chosen)

    @property
    def value(self) -> str:
        """The currently chosen value."""
        return self._options[self.index][0]

    def offer(self, options: list[tuple[str, str]], chosen: str) -> None:
        """Replace the options; choose the value `chosen` if it is offered, or else the first."""
        self._options = options
        values = [value for value, _ in options]
        self.index = values.index(chosen) if chosen in values else 0
        self.refresh()

    def render(self) -> Content:
        """The label, and the chosen text between arrows."""
        text = self._options[self.index][1]
        arrows = "$primary" if self.has_focus else MUTED
        label = f"{self._label:<{self._room}}"
        return Content.assemble((label, MUTED), ("‹ ", arrows), text, (" ›", arrows))

    def action_step(self, step: int) -> None:
        """Choose the next or the previous value, wrapping around at the ends."""
        self.index = (self.index + step) % len(self._options)

    def watch_index(self) -> None:
        """Post the new value."""
        if self.is_mounted:
            self.post_message(self.Changed(self, self.value))

    def on_click(self, event: events.Click) -> None:
        """Step back if the left arrow was clicked, and forward on any other click."""
        self.action_step(-1 if event.x in (self._room, self._room + 1) else 1)


class Toggle(Widget):
    """A switch that is on or off, with a few words about what it does."""

    DEFAULT_CSS = "Toggle { height: 1; width: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "switch", "On/off", show=False)]
    can_focus = True

    on: reactive[bool] = reactive(True)

    def __init__(self, label: str, meaning: str, *, id: str) -> None:
        """Switched on at first; `meaning` says in a few words what it does."""
        super().__init__(id=id)
        self._label = label
        self._meaning = meaning

    def render(self) -> Content:
        """A check box, the name and the meaning."""
        box = ("[✓] ", "$success") if self.on else ("[ ] ", MUTED)
        return Content.assemble(box, f"{self._label:<11}", (self._meaning, MUTED))

    def action_switch(self) -> None:
        """Switch on or off."""
        self.on = not self.on

    def on_click(self) -> None:
        """Switch on or off, as the key does."""
        self.action_switch()
