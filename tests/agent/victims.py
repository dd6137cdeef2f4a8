"""Processes to be killed, or to run beside others, forked from one that has imported it all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.forked import FORKS

Tell = Callable[[str], None]


class Victim:
    """A child that runs a function of a module, and what it tells."""

    def __init__(self, run: Callable[..., None], *given: Any, forks: bool = False) -> None:
        """`run` is called with the function to tell by, and with what is given.

        `forks` says that it has children itself, which what ends with its parent may not have.
        """
        self._heard, told = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=run, args=(told.send, *given), daemon=not forks)
        self._process.start()
        told.close()

    def tells(self) -> str:
        """The next that it tells; nothing once it has ended."""
        with suppress(EOFError):
            return str(self._heard.recv())
        return ""

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def kill(self) -> None:
        """Kill it, wherever it is."""
        self._process.kill()

    @property
    def code(self) -> int | None:
        """What it ended with; None while it lives."""
        return self._process.exitcode

    def ended(self) -> str:
        """The last that it told, once it has ended."""
        last = ""
        while told := self.tells():
            last = told
        self._heard.close()
        self._process.join()
        return last
