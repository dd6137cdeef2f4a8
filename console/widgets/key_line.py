"""The key line: the keys that work at the focus, on the last line of a screen.

It is a single widget that draws a line. Textual's footer has one widget per key and rebuilds them
all at every change of focus, which took a third of the time needed to show a card.
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
"""The separator before the key at the right end."""


@dataclass(frozen=True, slots=True)
class ShownKey:
    """One key and what it does."""

    key: str
    """The name of the key as Textual presses it."""

    display: str
    """The name of the key as it is displayed."""

    description: str
    enabled: bool = True

    def cells(self, narrow: bool) -> tuple[str, str]:
        """The text of the key and of its description, with the space around them."""
        if narrow:
            return self.display, f" {self.description} "
        return f" {self.display} ", f"{self.description} "


class KeyLine(Widget, can_focus=False):
    """Shows the keys that work now and, at the right, the key of the command palette."""

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
        """Start empty, until the screen reports which keys work."""
        super().__init__()
        self._shown: tuple[ShownKey, ...] = ()
        self._last: ShownKey | None = None
        self._under_mouse: ShownKey | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether keys are drawn closer together and the palette's key is left out."""
        return False

    def order(self, shown: Iterable[ShownKey]) -> Iterable[ShownKey]:
        """The keys in the order to show them."""
        return shown

    def fit(self, shown: tuple[ShownKey, ...]) -> tuple[ShownKey, ...]:
        """The same keys, with descriptions shortened if there is too little room."""
        return shown

    def on_mount(self) -> None:
        """Subscribe to changes of the active bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def on_unmount(self) -> None:
        """Unsubscribe, since the screen may outlive this widget."""
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
        """Yield each action once, under its first key."""
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
        """The width of the container."""
        return container.width

    def render(self) -> Text:
        """The line, cut off at the end of the screen."""
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
        """The key drawn at a column, if any."""
        right = self._last_text().cell_len
        if right and column >= self.size.width - right:
            return self._last
        drawn = self.fit(self._shown)
        ends = accumulate(self._text(each).cell_len for each in drawn)
        return next((key for key, end in zip(drawn, ends, strict=True) if column < end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the key under the mouse."""
        self._light(self._at(event.x))

    def on_leave(self) -> None:
        """Remove the highlight when the mouse leaves."""
        self._light(None)

    def _light(self, key: ShownKey | None) -> None:
        if key != self._under_mouse:
            self._under_mouse = key
            self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Press the key that was clicked."""
        key = self._at(event.x)
        if key is None:
            return
        if key.enabled:
            self.app.simulate_key(key.key)
        else:
            self.app.bell()
