"""Starts scripts that need τ²-bench from one process that has imported it, which takes seconds.

Run as ``python fork_server.py`` with a socket as its standard input. Each message there names a
script with its arguments, and brings the socket that the script has as its input and output; one
byte back tells that it was started. The server ends with its input, once all scripts have ended.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import socket
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

MODULES = ("tau2.evaluator.evaluator", "tau2.orchestrator.orchestrator", "tau2.cli")
LONGEST = 4096
"""Bytes of a message."""


def main() -> None:
    """Fork a child for every message."""
    for name in MODULES:
        import_module(name)
    gc.freeze()  # so that no child copies what it only looks through
    with socket.socket(fileno=0) as asked:
        while True:
            told, given, *_ = socket.recv_fds(asked, LONGEST, 1)
            if not told:
                break
            if os.fork() == 0:
                asked.detach()
                _run(*json.loads(told), line=given[0])
            os.close(given[0])
            asked.send(b".")
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _run(script: str, *arguments: str, line: int) -> NoReturn:
    """Be the script; what breaks it is told where its answers are expected."""
    os.dup2(line, 0)
    os.dup2(line, 1)
    os.close(line)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.argv, sys.path[0] = [script, *arguments], os.path.dirname(script)  # noqa: PTH120
    try:
        runpy.run_path(script, run_name="__main__")
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
