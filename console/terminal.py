"""Changes to Textual's input: Esc works at once, and no input bytes end the program.

A key such as *up* arrives as Esc and more characters. Textual checks whether anything follows an
escape only every tenth of a second, whatever delay it is asked for, and Esc is what stops the
agent. Textual also raises an error on keys of the Kitty protocol, which it never asked for: a paste
into a terminal that does not mark pastes can contain one.
"""

from __future__ import annotations

import selectors
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual._xterm_parser import XTermParser
    from textual.events import Key

DELAY = 25
"""Milliseconds in which the rest of a key must follow an escape; otherwise it counts as Esc."""

_BRIEFLY = DELAY / 1000 + 0.002


class _QuickSelector(selectors.SelectSelector):
    """A selector that waits only briefly for more input after some has arrived."""

    _came = False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """The streams that are ready to read, in the format ``selectors`` returns."""
        wait = min(timeout, _BRIEFLY) if timeout is not None and self._came else timeout
        found = super().select(wait)
        self._came = bool(found)
        return found


def install_quick_selector() -> None:
    """Make Textual's driver for Unix terminals use this selector from here on."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        known = SimpleNamespace(SelectSelector=_QuickSelector, EVENT_READ=selectors.EVENT_READ)
        setattr(linux_driver, "selectors", known)  # noqa: B010 - a module's name, not an attribute


def ignore_undecodable_keys() -> None:
    """Make Textual's parser ignore keys that it cannot read from here on."""
    from textual._xterm_parser import XTermParser

    parse = XTermParser._parse_extended_key

    def parse_if_possible(parser: XTermParser, sequence: str) -> list[Key] | None:
        try:
            return parse(parser, sequence)
        except (ValueError, OverflowError):
            return []

    setattr(XTermParser, "_parse_extended_key", parse_if_possible)  # noqa: B010 - typed otherwise
