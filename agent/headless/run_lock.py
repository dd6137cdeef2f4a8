"""A lock that lets only one program play a run; the system releases it if that program dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from agent.headless.plan import RunError
from domains.core.canonical import digest


@contextmanager
def run_lock(db: Path, run: str) -> Iterator[None]:
    """Reserve a run of a session file for this program; raises RunError if another plays it."""
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
        with suppress(OSError):  # Windows cannot delete an open file; there, release() deletes it
            path.unlink()  # delete it while locked: others notice that it is gone and open it again
        lock.release()
