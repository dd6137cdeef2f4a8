"""Session ids: ULIDs, so that they sort by the time at which the sessions began."""

from __future__ import annotations

import threading

from ulid import ULID

_lock = threading.Lock()
_last = 0


def new_session_id() -> str:
    """A ULID of 26 characters, later than every one this process made before.

    The library keeps this order within a millisecond; here it also holds when the clock goes back.
    """
    global _last
    with _lock:
        _last = max(int(ULID()), _last + 1)
        return str(ULID.from_int(_last))


def is_session_id(text: str) -> bool:
    """Whether text has the shape of a session id, and so can be no path and no markup."""
    try:
        return str(ULID.from_str(text)) == text
    except ValueError:
        return False
