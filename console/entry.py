"""The entry point of ``saber``: Ctrl+C during the imports ends it with a sentence.

Nothing is open at that time, so nothing has to be closed. This module imports next to nothing,
because Ctrl+C before it runs cannot be handled.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn

from console.exit_codes import INTERRUPTED

_STOPPED = b"Stopped while starting: nothing was opened or changed. Run saber again.\n"


def main() -> NoReturn:
    """Import the command and run it."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:  # unless SIGINT is ignored, as in the background of a script
        signal.signal(signal.SIGINT, _stop)
    from console.cli import main as run

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _stop(_number: int, _frame: FrameType | None) -> None:
    os.write(2, _STOPPED)
    os._exit(INTERRUPTED)
