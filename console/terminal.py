"""How the terminal is listened to: Esc is heard as soon as it can be told from other keys.

A key such as *up* comes as Esc and more characters. Textual looks whether anything follows an
escape only each tenth of a second, whatever delay it is asked for, and Esc is what stops the agent.
"""

from __future__ import annotations

import selectors
import sys
from types import SimpleNamespace

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
