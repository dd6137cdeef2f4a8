"""Session ids: ULIDs, so that they sort by the time at which the sessions began."""

from __future__ import annotations

import re
import secrets
import threading
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_SHAPE = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_RANDOM_BITS = 80

_lock = threading.Lock()
_last = 0


def new_session_id() -> str:
    """A ULID of 26 characters, later than every one this process made before."""
    global _last
    fresh = (time.time_ns() // 1_000_000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    with _lock:
        _last = max(fresh, _last + 1)
        value = _last
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))


def is_session_id(text: str) -> bool:
    """Whether text has the shape of a session id, and so can be no path and no markup."""
    return _SHAPE.fullmatch(text) is not None
