"""The keys that work where one is, on the last line of a screen.

One widget that draws a line. Textual's own footer has a widget for each key and makes them all
anew at every change of focus: a third of the time in which a card came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import ActiveBinding
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

EDGE = "▏"
"""Stands before what is at the right end."""


@dataclass(frozen=True, slots=True)
class ShownKey:
    """One key and what it does."""

    key: str
    """As it is pressed."""

    display: str
    """As it is written."""

    description: str
    enabled: bool = True

    def cells(self, narrow: bool) -> tuple[str, str]:
        """The text of the key and of what it does, with the space around them."""
        if narrow:
            return self.display, f" {self.description} "
        return f" {self.display} ", f"{self.description} "


class KeyLine(Widget, can_focus=False):
    """The keys that work and are to be shown, and at the right the one to all commands."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key", "key-line--does", "key-line--hover"}
    DEFAULT_CSS = """
    KeyLine {
        dock: bottom;
        height: 1;
        color: $footer-foreground;
        background: $footer-background;
        .key-line--key {
            color: $footer-key-foreground;
            background: $footer-key-background;
            text-style: bold;
        }
        .key-line--does {
            color: $footer-description-foreground;
            background: $footer-description-background;
        }
        .key-line--hover { background: $block-hover-background; }
    }
    """

    def __init__(self) -> None:
        """Nothing is shown before the screen says which keys work."""
        super().__init__()
        self._shown: tuple[ShownKey, ...] = ()
        self._last: ShownKey | None = None
        self._under_mouse: ShownKey | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether the keys stand closer together, and without the one at the right."""
        return False

    def order(self, shown: Iterable[ShownKey]) -> Iterable[ShownKey]:
        """The keys in the order in which they are shown."""
        return shown

    def fit(self, shown: tuple[ShownKey, ...]) -> tuple[ShownKey, ...]:
        """The same keys as there is room for their names."""
        return shown

    def on_mount(self) -> None:
        """Hear of every change of what works."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def on_unmount(self) -> None:
        """The screen may live on."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen and screen.app.app_focus:
            self.call_after_refresh(self._read_bindings)

    def _read_bindings(self) -> None:
        if not self.is_attached:
            return
        active = self.screen.active_bindings
        shown = tuple(self.order(self._shown_keys(active.values())))
        palette = active.get(self.app.COMMAND_PALETTE_BINDING)
        last = self._as_shown(palette) if palette and self.app.ENABLE_COMMAND_PALETTE else None
        if (shown, last) != (self._shown, self._last):
            self._shown, self._last = shown, last
            self.refresh()

    def _shown_keys(self, active: Iterable[ActiveBinding]) -> Iterator[ShownKey]:
        """Each action once, under the first of its keys."""
        actions: set[str] = set()
        for each in active:
            if each.binding.show and each.binding.action not in actions:
                actions.add(each.binding.action)
                yield self._as_shown(each)

    def _as_shown(self, active: ActiveBinding) -> ShownKey:
        binding = active.binding
        display = self.app.get_key_display(binding)
        return ShownKey(binding.key, display, binding.description, active.enabled)

    # -- drawing

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the screen."""
        return container.width

    def render(self) -> Text:
        """The line, cut where the screen ends."""
        width, last = self.size.width, self._last_text()
        line = Text(no_wrap=True, end="").join(map(self._text, self.fit(self._shown)))
        line.truncate(max(0, width - last.cell_len), pad=True)
        return line + last

    def _last_text(self) -> Text:
        if self._last is None or self.is_narrow:
            return Text()
        return Text(EDGE, style="dim") + self._text(self._last) + Text(" ")

    def _text(self, each: ShownKey) -> Text:
        key, does = each.cells(self.is_narrow)
        text = Text.assemble(
            (key, self.get_component_rich_style("key-line--key")),
            (does, self.get_component_rich_style("key-line--does")),
        )
        if not each.enabled:
            text.stylize("dim")
        elif each == self._under_mouse:
            text.stylize(self.get_component_rich_style("key-line--hover"))
        return text

    # -- the mouse

    def _at(self, column: int) -> ShownKey | None:
        """The key that is drawn in a column."""
        right = self._last_text().cell_len
        if right and column >= self.size.width - right:
            return self._last
        drawn = self.fit(self._shown)
        ends = accumulate(self._text(each).cell_len for each in drawn)
        return next((key for key, end in zip(drawn, ends, strict=True) if column < end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What would be pressed is lit."""
        self._light(self._at(event.x))

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._light(None)

    def _light(self, key: ShownKey | None) -> None:
        if key != self._under_mouse:
            self._under_mouse = key
            self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click presses the key."""
        key = self._at(event.x)
        if key is None:
            return
        if key.enabled:
            self.app.simulate_key(key.key)
        else:
            self.app.bell()
