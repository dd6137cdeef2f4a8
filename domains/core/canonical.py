"""One spelling for a JSON value, and its digest: what a consent and the log are bound by."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def canonical(value: Any) -> str:
    """JSON with sorted keys, no spaces, and ASCII only; equal values give equal text."""
    return _encode(value)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()
