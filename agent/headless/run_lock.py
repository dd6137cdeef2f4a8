"""One program at a time plays a run; a lock that a killed program does not leave behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from agent.headless.plan import RunError
from domains.core.canonical import digest


@contextmanager
def run_lock(db: Path, run: str) -> Iterator[None]:
    """Keep a run of a session file to this program; raises RunError where another plays it."""
    path = db.with_name(f"{db.name}-run-{digest(run)[:12]}.lock")
    lock = FileLock(path, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        raise RunError(
            f"The run {run} is being played by another program. Wait for it, or give this one "
            "another --name."
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file; there the release does it
            path.unlink()  # while it is held: who opens it now sees that it is gone, and opens anew
        lock.release()
