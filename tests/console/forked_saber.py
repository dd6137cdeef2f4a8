"""The command in a fork of what has imported it, with a terminal and without.

What the command says and exits with there is what it does where a shell starts it, which
`test_cli` and `test_plain_sentences` try as well.
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from contextlib import suppress

from console import cli
from tests.forked import Forked, run_forked


def run(*words: str) -> None:
    """Run ``saber`` with these words; raises SystemExit."""
    sys.argv = ["saber", *words]
    cli.main()


def saber(*words: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell would run it, without a terminal."""
    return run_forked(run, *words)


def in_terminal(*words: str, seconds: float = 40) -> tuple[str, int]:
    """Run it in a pseudo-terminal; what it left after the app's screen, and its code."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200", "LINES": "30"}
    name = os.ttyname(slave)
    fork = Forked(run, words, environment, (name, name, name))
    os.close(slave)
    seen, until = b"", time.monotonic() + seconds
    with suppress(OSError):  # Linux's way to say that the program has gone
        while time.monotonic() < until:
            if select.select([master], [], [], 0.2)[0]:
                seen += os.read(master, 65_536)
            elif fork.poll() is not None:
                break
    try:
        code = fork.wait(timeout=5)
    finally:
        fork.kill()
        os.close(master)
    return seen.rpartition(b"\x1b[?1049l")[2].decode(errors="replace"), code
