"""Programs in processes of their own, forked from one that has imported what they run.

A fork begins with everything imported, which is most of what starting a program costs. It has its
own session, environment, terminal or files, exit code, and dies on its own; what Python does before
the first import is not tried by it.
"""

from __future__ import annotations

import fcntl
import io
import multiprocessing
import os
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "tests.agent.kill_child",
        "tests.agent.headless.kill_child",
        "tests.agent.headless.saber_child",
        "tests.agent.streaming.kill_child",
        "tests.agent.memory.kill_child",
        "tests.sessions.store.store_child",
        "tests.console.commands.memory_kill_child",
        "tests.console.conversation.one_answer",
        "tests.console.forked_saber",
        "tests.console.waiting_card",
    ]
)


class Forked:
    """A process that runs a function of a module; what a test needs of `subprocess.Popen`."""

    def __init__(
        self,
        run: Callable[..., None],
        given: Sequence[Any],
        environment: Mapping[str, str],
        files: tuple[str, str, str],
    ) -> None:
        """`files` are the paths of its input, output and errors; they are open on return."""
        heard, told = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(
            target=_begin, args=(told, run, tuple(given), dict(environment), files)
        )
        self._process.start()
        told.close()
        heard.recv()
        heard.close()

    @property
    def pid(self) -> int:
        """Of the process, and of the group that it leads."""
        assert self._process.pid is not None
        return self._process.pid

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code; TimeoutExpired where it has none after so many seconds."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("the fork", timeout or 0)
        return code

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.exitcode

    def kill(self) -> None:
        """Kill it, wherever it is."""
        self._process.kill()


def run_forked(
    run: Callable[..., None], *given: Any, seconds: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run a function in a fork without a terminal; what it printed, and its exit code."""
    with TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        fork = Forked(run, given, os.environ, (os.devnull, str(out), str(err)))
        try:
            code = fork.wait(seconds)
        finally:
            fork.kill()
        return subprocess.CompletedProcess(given, code, out.read_text(), err.read_text())


def _begin(
    told: Any,
    run: Callable[..., None],
    given: tuple[Any, ...],
    environment: dict[str, str],
    files: tuple[str, str, str],
) -> None:
    """In the fork: be what a shell would have started there."""
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(files):
        flags = os.O_RDWR if number == 0 else os.O_RDWR | os.O_CREAT | os.O_APPEND
        os.dup2(os.open(path, flags), number)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = sys.__stdin__ = _stream(0, "r")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w")  # type: ignore[misc]
    told.send("begun")
    told.close()
    run(*given)


def _stream(number: int, mode: str) -> io.TextIOWrapper:
    stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open
    assert isinstance(stream, io.TextIOWrapper)
    return stream
