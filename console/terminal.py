"""How the terminal is listened to: Esc is heard at once, and no bytes end the program.

A key such as *up* comes as Esc and more characters. Textual looks whether anything follows an
escape only each tenth of a second, whatever delay it is asked for, and Esc is what stops the agent.
And it raises on keys of the Kitty protocol that it never asked for: a paste into a terminal that
does not mark pastes can hold one.
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
"""Milliseconds in which the rest of a key must follow an escape, for it to be no Esc."""

_BRIEFLY = DELAY / 1000 + 0.002


class _Selector(selectors.SelectSelector):
    """Waits but briefly for the rest of what has just begun to come."""

    _came = False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is there to be read, as ``selectors`` has it."""
        wait = min(timeout, _BRIEFLY) if timeout is not None and self._came else timeout
        found = super().select(wait)
        self._came = bool(found)
        return found


def listen_closely() -> None:
    """From here on Textual's driver for Unix terminals listens so."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        known = SimpleNamespace(SelectSelector=_Selector, EVENT_READ=selectors.EVENT_READ)
        setattr(linux_driver, "selectors", known)  # noqa: B010 - a module's name, not an attribute


def pass_over_impossible_keys() -> None:
    """From here on Textual's parser passes over a key that it cannot read."""
    from textual._xterm_parser import XTermParser

    parse = XTermParser._parse_extended_key

    def parse_if_possible(parser: XTermParser, sequence: str) -> list[Key] | None:
        try:
            return parse(parser, sequence)
        except (ValueError, OverflowError):
            return []

    setattr(XTermParser, "_parse_extended_key", parse_if_possible)  # noqa: B010 - typed otherwise
