"""Temporary files of the tests are kept in memory, where the system has a folder for that.

Every event waits until the disk has it, and a new session file some times over: on a busy disk that
is half of what many tests take. Nothing here can tell the two apart but by pulling the plug.
Whoever sets ``TMPDIR`` decides where they lie, and finds them there when a test has failed.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that have to be free there; a run takes some 130 MB."""


def keep_in_memory() -> None:
    """From here on in this process, and in all that it starts; they go when it ends."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free < ROOM:
        return
    folder = tempfile.mkdtemp(prefix="saber-tests-", dir=MEMORY)
    Path(folder).chmod(0o755)  # some of what lies there is for another user to read
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
