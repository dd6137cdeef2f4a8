"""Session ids: ULIDs, so that they sort by the time at which the sessions began."""

from __future__ import annotations

import threading

from ulid import ULID

_lock = threading.Lock()
_last = 0


def new_session_id() -> str:
    """A ULID of 26 characters that sorts after every one this process has created before.

    The library guarantees that order within a millisecond; this function also guarantees it when
    the clock goes back.
    """
    global _last
    with _lock:
        _last = max(int(ULID()), _last + 1)
        return str(ULID.from_int(_last))


def is_session_id(text: str) -> bool:
    """Whether text has the shape of a session id, and so can be neither a path nor markup."""
    try:
        return str(ULID.from_str(text)) == text
    except ValueError:
        return False
