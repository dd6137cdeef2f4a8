"""A terminal that a program runs in, held by the measurement itself: bytes in, bytes out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, Self

COLUMNS, LINES = 120, 36


class Process(Protocol):
    """What is needed of the program that runs in it, which leads a group of processes."""

    @property
    def pid(self) -> int: ...

    def wait(self, timeout: float | None = None) -> int: ...


Start = Callable[[Sequence[str], Mapping[str, str], int], Process]
"""Starts a command, with an environment, at a terminal that is open under a number."""


def start_program(command: Sequence[str], environment: Mapping[str, str], terminal: int) -> Process:
    """Start a command as a shell does."""
    return subprocess.Popen(
        command,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=dict(environment),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )


class PseudoTerminal:
    """Runs a command with a pseudo-terminal as its input, output and controlling terminal."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        start: Start = start_program,
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.process = start(command, environment, theirs)
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._ours)

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self._ours, keys)

    def read(self, seconds: float) -> bytes:
        """What is written next, as soon as it is; nothing where nothing comes in that time."""
        ready, _, _ = select.select([self._ours], [], [], seconds)
        try:
            return os.read(self._ours, 65536) if ready else b""
        except OSError as error:  # Linux's way to say that the program has gone
            raise EOFError(f"the program ended with {self.process.wait()}") from error

    def idle(self, seconds: float) -> bytes:
        """Let time pass, and take in whatever is written meanwhile."""
        until = time.perf_counter() + seconds
        output = b""
        while (left := until - time.perf_counter()) > 0:
            output += self.read(left)
        return output

    def wait_for(self, text: str, seconds: float) -> bytes:
        """Take in output until it holds a text; TimeoutError where it does not come."""
        until = time.perf_counter() + seconds
        output = b""
        while text.encode() not in output:
            if time.perf_counter() > until:
                raise TimeoutError(f"{text!r} was not written; the end was {output[-2000:]!r}")
            output += self.read(0.5)
        return output
