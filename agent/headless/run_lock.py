"""One program at a time plays a run; a lock that a killed program does not leave behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.headless.plan import RunError
from domains.core.canonical import digest

try:
    import fcntl
except ImportError:  # Windows: a second program is then noticed only when it meets a session
    fcntl = None  # type: ignore[assignment]


@contextmanager
def run_lock(db: Path, run: str) -> Iterator[None]:
    """Keep a run of a session file to this program; raises RunError where another plays it."""
    if fcntl is None:
        yield
        return
    path = db.with_name(f"{db.name}-run-{digest(run)[:12]}.lock")
    descriptor = _locked(path)
    if descriptor is None:
        raise RunError(
            f"The run {run} is being played by another program. Wait for it, or give this one "
            "another --name."
        )
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """The lock file, opened and held, or None where another program holds it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        if _is_still(path, descriptor):
            return descriptor
        os.close(descriptor)  # whoever held it has removed it meanwhile


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
